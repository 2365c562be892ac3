import type { Swapfold } from '@swapfold/core';
import { findOperation } from '@swapfold/core/host';
import { serve } from '@swapfold/server';
import { openStore } from '../databases.ts';
import { type Engine, filesOf } from '../files.ts';
import { bareServer } from '../http/bare-server.ts';
import type { StreamResult } from '../http/load.ts';
import { type Call, candleCalls, expensiveSearches, mixedCalls, priceCalls, searchCalls } from '../http/requests.ts';
import { endLoads, runLoad } from '../http/run-load.ts';
import { openPlain } from '../plain/sql.ts';
import { takeSamples } from '../samples.ts';
import { atRest, summary, type Times } from '../timing.ts';

export interface HttpFigures {
  /** Requests a second. */
  readonly price: { readonly ours: Times; readonly baseline: Times };
  readonly search: AgainstProcess;
  readonly candles: AgainstProcess;
  /** Milliseconds of get-price while all routes are asked. */
  readonly mix: StreamResult;
  /** The same while the most expensive searches are asked. */
  readonly expensive: StreamResult;
  /** Part of a core that this process took while get-price was asked, ours and bare. */
  readonly busy: readonly [ours: number, bare: number];
}

/** Requests a second beside the same calls in process, with answers made JSON, as every service must. */
interface AgainstProcess {
  readonly ours: Times;
  readonly asJson: Times;
}

const PRICE_CONNECTIONS = 64;
/** Questions under way at a time, where the work is the engine's. */
const CONNECTIONS = 8;

/** Serves the store in this process; the load comes from another. */
export async function serveHttp(task: {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
  readonly rounds: number;
  readonly seconds: number;
}): Promise<HttpFigures> {
  const { engine, seconds } = task;
  const files = filesOf(task.root, task.swaps);
  const plain = await openPlain(engine, files.plain[engine]);
  const samples = await takeSamples(plain);
  await plain.close();
  const dex = await openStore(engine, files.store[engine]);
  const [constant] = priceCalls(samples);
  const bare = await bareServer(JSON.stringify(await dex.call(constant!.operation, constant!.body)));
  const server = await serve(dex, { port: 0, keys: 'none' });
  await server.ready;
  const port = Number(new URL(server.url).port);
  const requests = (calls: readonly Call[]) =>
    calls.map(({ operation, body }) => ({
      path: `/v1/${dex.config.chain}${findOperation(operation).path}`,
      body: JSON.stringify(body),
    }));
  const load = async (at: number, calls: readonly Call[], connections: number): Promise<number> =>
    (await runLoad({ port: at, seconds, streams: [{ connections, requests: requests(calls) }] }))[0]!.rate;

  // The first search has the stored profiles read in the background.
  for (const { operation, body } of [...searchCalls().slice(0, 2), ...mixedCalls(samples).slice(0, 11)])
    await dex.call(operation, body);
  await atRest();

  const busy: [number[], number[]] = [[], []];
  const [ours, baseline] = await inTurns(task.rounds, [
    async () => track(busy[0], seconds, () => load(port, [constant!], PRICE_CONNECTIONS)),
    async () => track(busy[1], seconds, () => load(bare.port, [constant!], PRICE_CONNECTIONS)),
  ]);
  const against = async (calls: readonly Call[]): Promise<AgainstProcess> => {
    const [ours, asJson] = await inTurns(task.rounds, [
      () => load(port, calls, CONNECTIONS),
      () => inProcess(dex, calls, seconds),
    ]);
    return { ours: ours!, asJson: asJson! };
  };
  const search = await against(searchCalls());
  const candles = await against(candleCalls(samples));
  const beside = async (calls: readonly Call[]): Promise<StreamResult> => {
    const streams = [priceCalls(samples), calls].map((some) => ({
      connections: CONNECTIONS,
      requests: requests(some),
    }));
    return (await runLoad({ port, seconds: seconds * 2, streams }))[0]!;
  };
  const mix = await beside(mixedCalls(samples));
  const expensive = await beside(expensiveSearches());
  await endLoads();
  bare.close();
  await server.close();
  await dex.close();
  const busiest = (parts: readonly number[]): number => summary(parts).median;
  const price = { ours: ours!, baseline: baseline! };
  return { price, search, candles, mix, expensive, busy: [busiest(busy[0]), busiest(busy[1])] };
}

/** All sides by turns, ours first in one round and last in the next. */
async function inTurns(rounds: number, sides: readonly (() => Promise<number>)[]): Promise<Times[]> {
  const rates = sides.map((): number[] => []);
  const order = [...sides.keys()];
  for (let i = 0; i < rounds; i++)
    for (const side of i % 2 === 0 ? order : order.toReversed()) rates[side]!.push(await sides[side]!());
  return rates.map(summary);
}

/** Calls a second without HTTP, their answers made JSON, as many under way. The first fifth warms up, as with the load. */
async function inProcess(dex: Swapfold, calls: readonly Call[], seconds: number): Promise<number> {
  const begun = performance.now();
  const from = begun + seconds * 200;
  const until = begun + seconds * 1000;
  let done = 0;
  let next = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < until) {
      const { operation, body } = calls[next++ % calls.length]!;
      JSON.stringify(await dex.call(operation, body));
      if (performance.now() >= from) done++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  return done / ((performance.now() - from) / 1000);
}

/** Notes how much of a core this process takes during `work`, roughly: the load's start is counted as idle. */
async function track(parts: number[], seconds: number, work: () => Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  const rate = await work();
  const { user, system } = process.cpuUsage(before);
  parts.push((user + system) / 1e6 / seconds);
  return rate;
}
