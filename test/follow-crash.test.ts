import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { columnsToObjects, Swapfold, type SwapInput } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';
import { type Client, createClient } from '../packages/client/src/index.ts';
import { bundled } from './support/bundle.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { kill, type Running, random, start, untilTold } from './support/killable.ts';
import { isWhole } from './support/whole.ts';

/** How often each process is killed; `SWAPFOLD_KILLS=100 node --import tsx --test test/follow-crash.test.ts` is the whole proof. */
const KILLS = Number(process.env.SWAPFOLD_KILLS ?? 2);
const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
const program = await bundled('test/support/follow-child.ts');
const isAll = isWhole || process.env.SWAPFOLD_KILLS !== undefined;

/** Swaps that come between two kills, in pieces. */
const [PIECES, ROWS] = [4, 10];

const market = generateMarket({ seed: SEED, swaps: (KILLS + 1) * PIECES * ROWS });
const swaps: readonly SwapInput[] = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);

const begin = (engine: string, folder: string, kind: string): Promise<Running> =>
  start(program, engine, folder, kind, String(SEED));

const lines = (rows: readonly SwapInput[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Gives a piece of the feed to whoever runs, and does not wait. */
type Give = (folder: string, rows: readonly SwapInput[], n: number) => void;

const givers: Readonly<Record<'file' | 'folder', Give>> = {
  file: (folder, rows) => appendFileSync(join(folder, 'feed.ndjson'), lines(rows)),
  folder(folder, rows, n) {
    const name = join(folder, 'spool', `${String(n).padStart(6, '0')}.ndjson`);
    writeFileSync(`${name}.tmp`, lines(rows));
    utimesSync(`${name}.tmp`, 1_700_000_000, 1_700_000_000);
    renameSync(`${name}.tmp`, name);
  },
};

/** A client of whichever process runs: a request without an answer is sent again to the next one. */
function clientOf(running: () => Promise<Running>): Client {
  const url = 'http://whichever';
  async function ask(address: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const [, own] = /ready (\S+)/.exec((await running()).text())!;
    return fetch(String(address).replace(url, own!), init);
  }
  return createClient({ url, key: 'change-me-please', retries: 20, fetch: ask });
}

const piecesOf = (): SwapInput[][] =>
  Array.from({ length: Math.ceil(swaps.length / ROWS) }, (_, n) => swaps.slice(n * ROWS, (n + 1) * ROWS));

/**
 * Feeds all swaps to a process that is killed again and again, some milliseconds after it is ready or has begun to write: how many swaps were
 * stored of requests that were not answered.
 */
async function feed(engine: string, folder: string, kind: 'file' | 'folder' | 'push'): Promise<number> {
  const next = random(SEED);
  const pieces = piecesOf();
  let running = begin(engine, folder, kind);
  let kills = 0;
  async function killSoon(): Promise<void> {
    const one = await running;
    if (kills < KILLS) {
      kills++;
      const isInWrite = next() < 0.7;
      if (isInWrite) await untilTold(one, 'write', 2000);
      await new Promise((resolve) => setTimeout(resolve, next() * (isInWrite ? 15 : 100)));
      const killed = kill(one);
      running = killed.then(() => begin(engine, folder, kind));
      await running;
    }
  }
  const { ingest } = clientOf(() => running);
  /** Swaps that a process had stored of a request that it did not answer. */
  let unanswered = 0;
  for (let n = 0; n < pieces.length; n += PIECES) {
    const killing = (await running) && killSoon();
    for (const [i, rows] of pieces.slice(n, n + PIECES).entries()) {
      if (kind === 'push') unanswered += (await ingest.swaps(rows)).duplicate;
      else givers[kind](folder, rows, n + i);
    }
    await killing;
  }
  if (kind !== 'push') await untilQuiet(await running);
  await kill(await running);
  assert.equal(kills, KILLS);
  return unanswered;
}

/** A file and a folder are read to their end once nothing has been written for a while. */
async function untilQuiet({ text }: Running): Promise<void> {
  for (let before = -1; text().length !== before; ) {
    before = text().length;
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

for (const engine of isAll ? ['sqlite', 'duckdb'] : ['sqlite'])
  for (const kind of ['file', 'folder', 'push'] as const)
    test(`on ${engine}, by ${kind}: a process that is killed ${KILLS} times leaves what one undisturbed import gives (seed ${SEED})`, (t) =>
      withFolder(async (folder) => {
        mkdirSync(join(folder, 'spool'));
        writeFileSync(join(folder, 'feed.ndjson'), '');
        const unanswered = await feed(engine, folder, kind);
        if (kind === 'push') t.diagnostic(`${unanswered} swaps were stored and not answered`);
        const [storage, undisturbed] = [engines[engine]!(folder), engines[engine]!(folder, 1)];
        const dex = await Swapfold.open({ storage, config: market.config });
        const whole = await Swapfold.open({ storage: undisturbed, config: market.config });
        await whole.ingest(swaps);
        assert.equal((await dex.swaps.list({ limit: 1 })).count, swaps.length);
        await dex.refresh();
        await whole.refresh();
        assert.deepEqual(firstDifferences(await dumpStore(dex, storage), await dumpStore(whole, undisturbed)), []);
        await dex.close();
        await whole.close();
      }));
