import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import { serve } from '@swapfold/server';
import fc from 'fast-check';
import { wrongBody } from '../packages/core/test/wrong-requests.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

const seed = Number(process.env.SEARCH_SEED ?? 20_240_105);
const requests = cases(20_000, 500);
const slow = 50;

function post(agent: Agent, url: string, body: string): Promise<{ status: number; text: string; ms: number }> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const before = process.cpuUsage();
    const call = request(
      url,
      { method: 'POST', agent, headers: { 'Content-Type': 'application/json' } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          const { user, system } = process.cpuUsage(before);
          // What the process worked, where other programs of the machine had their turn meanwhile.
          const ms = Math.min(performance.now() - start, (user + system) / 1000);
          resolve({ status: response.statusCode ?? 0, text, ms });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

/** As JSON; what is nested too deep for `JSON.stringify` is written out. */
function toJson(wrong: unknown): string {
  try {
    return JSON.stringify(wrong);
  } catch {
    return `{"filter":${'{"$and":['.repeat(10_000)}{}${']}'.repeat(10_000)}}`;
  }
}

test(`${requests} wrong searches over HTTP are all answered 400 within ${slow} ms, and the server stays well (seed ${seed})`, async () => {
  const { swaps, config } = smallMarket({ seed: 2, swaps: 300, wallets: 30, tokens: 12 });
  const dex = await Swapfold.open({ storage: memory(), config });
  await dex.ingest(swaps);
  await dex.refresh();
  const server = await serve(dex, { port: 0, keys: 'none' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${server.url}/v1/solana/dex/profiles/tokens/search-profiles`;
  try {
    for (const body of fc.sample(wrongBody, { seed, numRuns: requests }).map(toJson)) {
      let answer = await post(agent, url, body);
      // A pause of the garbage collector, or of the machine, is not the request's: it would not come three times.
      for (let i = 0; i < 3 && answer.ms > slow; i++) answer = await post(agent, url, body);
      assert.equal(
        answer.status,
        400,
        `${body.slice(0, 300)} was answered ${answer.status}: ${answer.text.slice(0, 300)}`,
      );
      assert.ok(answer.ms <= slow, `${body.slice(0, 300)} took ${answer.ms} ms`);
    }
    const well = await post(
      agent,
      url,
      JSON.stringify({ limit: 3, explain: true, filter: { 'market.price': { $exists: true } } }),
    );
    assert.equal(well.status, 200);
    const page = JSON.parse(well.text) as { data: { explain: { filter: unknown } }[]; plan: unknown };
    assert.equal(page.data.length, 3);
    assert.ok(page.data[0]?.explain.filter !== undefined && page.plan !== undefined, 'the answer explains itself');
    const inProcess = await dex.tokens.search({
      limit: 3,
      explain: true,
      filter: { 'market.price': { $exists: true } },
    });
    assert.equal(well.text, JSON.stringify(inProcess));
  } finally {
    agent.destroy();
    await server.close();
    await dex.close();
  }
});
