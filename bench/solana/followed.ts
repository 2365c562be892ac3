import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { solanaSource } from '@swapfold/solana';
import { sqlite } from '@swapfold/sqlite';
import { type StandInBlock, StandInNode } from '../../test/support/solana-node.ts';
import { blockText } from './block.ts';

/** How fast a store followed a chain. */
export interface Followed {
  readonly engine: 'sqlite' | 'duckdb';
  /** Swaps stored and folded into profiles. */
  readonly perSecond: number;
  /** The same by seconds of the processor, all threads: what else the machine does does not count. */
  readonly perCpuSecond: number;
  /** Milliseconds from when the node has a block until the store answers its swaps: the median. */
  readonly answered: number;
}

const FROM = 100;

/** Blocks of a chain, and the answers that hold them: a node has these at hand. */
function chain(blocks: number): { readonly all: StandInBlock[]; readonly answers: Map<number, string> } {
  const all: StandInBlock[] = [];
  const answers = new Map<number, string>();
  for (let slot = FROM; slot < FROM + blocks; slot++) {
    const text = blockText(slot, all.at(-1));
    answers.set(slot, `{"jsonrpc":"2.0","id":0,"result":${text}}`);
    all.push({ ...JSON.parse(text), transactions: [], slot });
  }
  return { all, answers };
}

export async function followed(engine: 'sqlite' | 'duckdb', blocks: number, folder: string): Promise<Followed> {
  const live = 5;
  const { all, answers } = chain(blocks + live);
  const node = await StandInNode.start(all);
  node.height = FROM + blocks - 1;
  node.fault = (method, [slot]) => {
    const body = method === 'getBlock' && Number(slot) <= node.newest ? answers.get(Number(slot)) : undefined;
    return body === undefined ? undefined : { body };
  };
  const storage = engine === 'sqlite' ? sqlite(join(folder, 'store.db')) : duckdb(join(folder, 'store.duckdb'));
  const dex = await Swapfold.open({ storage });
  const stop = new AbortController();
  const source = solanaSource({ url: node.url, from_slot: FROM, onNotice: () => undefined });
  const reached = (slot: number): Promise<number> =>
    new Promise((resolve) => {
      waiting = { slot, resolve };
    });
  let waiting: { slot: number; resolve: (at: number) => void } | undefined;
  const begun = performance.now();
  const usage = process.cpuUsage();
  const caught = reached(node.height);
  const following = dex.follow(source, {
    signal: stop.signal,
    onItem: ({ place }) => {
      if (waiting !== undefined && JSON.parse(place!).next > waiting.slot) waiting.resolve(performance.now());
    },
  });
  await caught;
  await dex.refresh();
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(usage);
  const cpuSeconds = (user + system) / 1e6;
  const { count } = await dex.swaps.list({ limit: 1 });
  const answered: number[] = [];
  for (let n = 0; n < live; n++) {
    await pause(300 * (n + 1));
    const next = reached(node.height + 1);
    const given = performance.now();
    node.height++;
    await next;
    await dex.swaps.list({ limit: 1 });
    answered.push(performance.now() - given);
  }
  stop.abort();
  await following.catch(() => undefined);
  await dex.close();
  await node.stop();
  return {
    engine,
    perSecond: count! / seconds,
    perCpuSecond: count! / cpuSeconds,
    answered: answered.sort((a, b) => a - b)[Math.floor(live / 2)]!,
  };
}
