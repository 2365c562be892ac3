/** A store in a folder: fills the disk and makes room again, reads where nothing can be written, or has it open until it is killed. */
import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { Swapfold, type SwapfoldError } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { engines } from './engines.ts';
import { diskSwaps } from './fault-market.ts';
import { smallMarket } from './market.ts';
import { cases, isWhole } from './whole.ts';

const [action, engine, folder] = process.argv.slice(2) as [string, string, string];
const { swaps, config } = smallMarket({
  seed: 51,
  swaps: diskSwaps,
  ...(isWhole ? {} : { wallets: 30, tokens: 8 }),
});
const path = join(folder, `store.${engine}`);
const threads = isWhole ? {} : { threads: 1 };
const read_only = { path, read_only: true };
const storageAt = (path: string) => (engine === 'sqlite' ? sqlite(path) : duckdb({ path, ...threads }));
const open = (): Promise<Swapfold> => Swapfold.open({ storage: storageAt(path), config });
const openToRead = (): Promise<Swapfold> =>
  Swapfold.open({ storage: engine === 'sqlite' ? sqlite(read_only) : duckdb(read_only), config });
const countOf = async (dex: Swapfold): Promise<number> => (await dex.swaps.list({ limit: 1 })).count;

async function errorOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
  } catch (error) {
    const { code, message } = error as SwapfoldError;
    return { code, message };
  }
  return { code: 'none', message: 'it worked' };
}

async function fillTheDisk(): Promise<object> {
  const ballast = join(folder, 'ballast');
  writeFileSync(ballast, Buffer.alloc(cases(22_500_000, 24_200_000)));
  const dex = await open();
  let stored = 0;
  let error = { code: 'none', message: '' };
  while (error.code === 'none' && stored < swaps.length) {
    error = await errorOf(dex.ingest(swaps.slice(stored, stored + 250)));
    if (error.code === 'none') stored += 250;
  }
  const counted = await countOf(dex);
  rmSync(ballast);
  await dex.ingest(swaps.slice(stored));
  await dex.refresh();
  const differentAfter = (await dex.verify()).different;
  await dex.close();
  const again = await open();
  const reopened = await countOf(again);
  await again.close();
  return { error, stored, counted, differentAfter, reopened };
}

/** Fills the disk but for `left` bytes. */
function fillAllBut(left: number): void {
  const ballast = openSync(join(folder, 'ballast'), 'w');
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(ballast, block);
  } catch {
    ftruncateSync(ballast, fstatSync(ballast).size - left);
  } finally {
    closeSync(ballast);
  }
}

/** Opens a store that is there, and a new one, on a disk without room, with little, and at the end with enough. */
async function openOnFullDisk(): Promise<object> {
  const made = await open();
  await made.ingest(swaps.slice(0, 500));
  await made.refresh();
  await made.close();
  const next = join(folder, 'new');
  const openNew = (): Promise<Swapfold> => Swapfold.open({ storage: storageAt(next), config });
  const errors: { code: string; message: string }[] = [];
  const counts: number[] = [];
  for (const left of [0, 16_384]) {
    fillAllBut(left);
    for (const opening of [open, openNew]) {
      const error = await errorOf(
        opening().then(async (dex) => {
          if (opening === open) counts.push(await countOf(dex));
          await dex.close();
        }),
      );
      errors.push(error);
    }
    rmSync(join(folder, 'ballast'));
  }
  const again = await open();
  await again.ingest(swaps.slice(0, 600));
  await again.refresh();
  counts.push(await countOf(again));
  const differentAfter = (await again.verify()).different;
  await again.close();
  const fresh = await openNew();
  await fresh.ingest(swaps.slice(0, 100));
  const countedNew = await countOf(fresh);
  await fresh.close();
  return { errors, counts, differentAfter, countedNew };
}

async function readWhereNothingCanBeWritten(): Promise<object> {
  const dex = await open();
  await dex.ingest(swaps.slice(0, 500));
  await dex.refresh();
  await dex.close();
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  const writing = await errorOf(open());
  const made = await errorOf(Swapfold.open({ storage: storageAt(join(folder, 'new')), config }));
  const reading = await errorOf(openToRead().then(async (reader) => reader.close()));
  return { writing, made, reading };
}

/** Opens files until there is no place for one more; gives back what closes them. */
function openAllFiles(): () => void {
  const opened: number[] = [];
  try {
    for (;;) opened.push(openSync(devNull, 'r'));
  } catch {
    return () => {
      for (const file of opened) closeSync(file);
    };
  }
}

/** Opens the store, and uses it, while no more files can be opened, and after that. */
async function runOutOfFiles(): Promise<object> {
  // What is loaded when it is first used is loaded now.
  await (await open()).close();
  let release = openAllFiles();
  const opening = await errorOf(open());
  release();
  const dex = await open();
  release = openAllFiles();
  const { ingest, lists } = {
    ingest: await errorOf(dex.ingest(swaps.slice(0, 100))),
    // More at once than there are connections yet.
    lists: await errorOf(Promise.all(Array.from({ length: 4 }, () => countOf(dex)))),
  };
  release();
  await dex.ingest(swaps.slice(0, 300));
  await dex.refresh();
  const counted = await countOf(dex);
  const differentAfter = (await dex.verify()).different;
  await dex.close();
  return { opening, ingest, lists, counted, differentAfter };
}

/** Never ends. */
async function hold(): Promise<object> {
  const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
  process.stdout.write('open\n');
  return new Promise(() => setInterval(() => dex, 1000));
}

const actions: Readonly<Record<string, () => Promise<object>>> = {
  full: fillTheDisk,
  'full-at-open': openOnFullDisk,
  files: runOutOfFiles,
  'read-only': readWhereNothingCanBeWritten,
  hold,
};
process.stdout.write(`${JSON.stringify(await actions[action]!())}\n`);
