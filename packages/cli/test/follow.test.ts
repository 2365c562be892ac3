import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, open as openFile, rename, truncate, utimes, writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { memory, type Source, Swapfold, type SwapInput } from '@swapfold/core';
import type { FileReject } from '@swapfold/files';
import { growingFile } from '../../files/src/follow/file-source.ts';
import { folder } from '../../files/src/follow/folder-source.ts';
import { fifo, standardInput } from '../../files/src/follow/pipe-source.ts';
import { sourcesOf } from '../src/following/follow-all.ts';
import { openReader } from '../src/open-store.ts';
import { parseDuration } from '../src/options/live-options.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { runCli, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const [COIN, ANN] = ['T'.repeat(44), 'A'.repeat(44)];

const swap = (n: number): SwapInput => ({
  tx_hash: `tx${n}`,
  swap_index: 0,
  block_time: 1_704_412_800 + n,
  wallet: ANN,
  token_in: USDC,
  token_amount_in: 100,
  token_out: COIN,
  token_amount_out: 50,
});
const line = (n: number): string => `${JSON.stringify(swap(n))}\n`;
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => line(from + i)).join('');

const head = `${Object.keys(swap(0)).join()}\n`;
const csvLine = (n: number): string => `${Object.values(swap(n)).join()}\n`;

/** Follows a source in a store of its own, step by step. */
async function following(source: Source, dex: Swapfold) {
  const stop = new AbortController();
  let told = (): void => undefined;
  let duplicates = 0;
  const following = dex.follow(source, {
    signal: stop.signal,
    onItem(result) {
      duplicates = result.duplicate;
      told();
    },
  });
  following.catch(() => told());
  return {
    /** Resolves when the store has so many swaps, or rejects when the source has failed. */
    async until(count: number): Promise<void> {
      for (;;) {
        const news = new Promise<void>((resolve) => {
          told = resolve;
        });
        if ((await dex.swaps.list({ limit: 1 })).count === count) return;
        await Promise.race([news, following]);
      }
    },
    /** Resolves when the place says so. */
    async untilPlace(isThere: (place: string) => boolean): Promise<void> {
      for (;;) {
        const news = new Promise<void>((resolve) => {
          told = resolve;
        });
        if ((await dex.sources()).some(({ place }) => isThere(place))) return;
        await Promise.race([news, following]);
      }
    },
    async stop(): Promise<number> {
      stop.abort();
      await following.catch(() => undefined);
      return duplicates;
    },
  };
}

const open = (): Promise<Swapfold> => Swapfold.open({ storage: memory(), config: { preset: 'solana' } });

test('a file is read to its end, then as it grows; a line counts once it has its end; the next run goes on exactly there', async () => {
  const file = path('grows.ndjson');
  await writeFile(file, lines(0, 3) + line(3).slice(0, 20));
  const dex = await open();
  const first = await following(growingFile(file, {}), dex);
  await first.until(3);
  await appendFile(file, line(3).slice(20));
  await first.until(4);
  await first.stop();
  await appendFile(file, lines(4, 6));
  const second = await following(growingFile(file, {}), dex);
  await second.until(6);
  assert.equal(await second.stop(), 0, 'nothing was read twice');
  await dex.close();
});

test('a file that is renamed is read to its end before its successor; one that is cut short from its beginning', async () => {
  const file = path('rotates.ndjson');
  await writeFile(file, lines(0, 2));
  const dex = await open();
  const feed = await following(growingFile(file, {}), dex);
  await feed.until(2);
  await rename(file, path('rotates.ndjson.1'));
  await appendFile(path('rotates.ndjson.1'), line(2));
  await writeFile(file, line(3));
  await feed.until(4);
  await truncate(file, 0);
  await appendFile(file, line(4).trimEnd().slice(0, 10));
  await truncate(file, 0);
  await appendFile(file, `${line(4)}`);
  await feed.until(5);
  await feed.stop();
  await dex.close();
});

test('a CSV file is followed by its head, and another file of the same name is read from its beginning after a restart', async () => {
  const file = path('grows.csv');
  await writeFile(file, head + csvLine(0));
  const dex = await open();
  const first = await following(growingFile(file, {}), dex);
  await first.until(1);
  await appendFile(file, csvLine(1) + csvLine(2));
  await first.until(3);
  await first.stop();
  await writeFile(file, head + csvLine(7) + csvLine(8) + csvLine(9) + csvLine(10));
  const second = await following(growingFile(file, {}), dex);
  await second.until(7);
  await second.stop();
  await dex.close();
});

test('a CSV file that is written anew in its place, and is longer by then, is read from its beginning', async () => {
  const file = path('anew.csv');
  const wide = `${head.trimEnd()},${'x'.repeat(300)}\n`;
  const of = (...numbers: number[]): string => wide + numbers.map((n) => `${csvLine(n).trimEnd()},\n`).join('');
  await writeFile(file, of(0, 1));
  const dex = await open();
  const feed = await following(growingFile(file, {}), dex);
  await feed.until(2);
  await writeFile(file, of(2, 3, 4, 5));
  await feed.until(6);
  await feed.stop();
  await dex.close();
});

test('a quoted line end parts no record of a growing CSV file, and a quote that stays open takes its own line alone', async () => {
  const file = path('quoted.csv');
  const named = `${head.trimEnd()},token_symbol_out\n`;
  const of = (n: number, symbol: string): string => `${csvLine(n).trimEnd()},${symbol}\n`;
  await writeFile(file, `${named}${of(0, '"A')}`);
  const dex = await open();
  const unread: string[] = [];
  const onUnread = (rejects: readonly FileReject[]): unknown => unread.push(...rejects.map(({ reason }) => reason));
  const feed = await following(growingFile(file, { onUnread }), dex);
  await appendFile(file, `B"\n${of(1, 'C')}`);
  await feed.until(2);
  assert.deepEqual(unread, []);
  await appendFile(file, of(2, '"D') + Array.from({ length: 600 }, (_, i) => of(3 + i, 'E')).join(''));
  await feed.until(602);
  await feed.stop();
  assert.equal(unread.length, 1);
  assert.match(unread[0]!, /a quote that opens in row \d+ is never closed/);
  const { data } = await dex.swaps.list({ limit: 10, token: COIN });
  assert.equal(data[0]!.tx_hash, 'tx602');
  await dex.close();
});

test('a line that cannot be read is told and left out, and the file goes on', async () => {
  const file = path('faulty.ndjson');
  await writeFile(file, `${line(0)}not json\n{"wallet": "x"}\n[1]\n\n${line(1)}`);
  const dex = await open();
  const told: string[] = [];
  const onUnread = (rejects: readonly { readonly reason: string }[]): unknown =>
    told.push(...rejects.map(({ reason }) => reason));
  const feed = await following(growingFile(file, { onUnread }), dex);
  await feed.until(2);
  await feed.stop();
  assert.equal(told.length, 3);
  await dex.close();
});

/** Writes a file that a folder takes for complete. */
async function complete(file: string, text: string | Buffer): Promise<void> {
  await writeFile(file, text);
  await utimes(file, 1_700_000_000, 1_700_000_000);
}

test('each file of a folder is read once, by name and size; one that does not parse again when its size changes', async () => {
  await mkdir(path('spool'));
  const dex = await open();
  const failed: string[] = [];
  const options = { onFailed: (file: string) => void failed.push(file) };
  await complete(path('spool/a.ndjson'), lines(0, 2));
  await complete(path('spool/b.csv'), head + csvLine(2));
  await complete(path('spool/c.ndjson.gz'), gzipSync(lines(3, 5)));
  await complete(path('spool/d.parquet'), 'PAR1 and no more');
  await complete(path('spool/damaged.csv.gz'), Buffer.concat([gzipSync(head).subarray(0, 12), Buffer.alloc(9, 0xff)]));
  await complete(path('spool/.hidden.ndjson'), lines(90, 91));
  await complete(path('spool/e.ndjson.tmp'), lines(91, 92));
  const first = await following(folder(path('spool'), options), dex);
  await first.untilPlace((place) => place.includes('"failed":{"d.parquet":16,"damaged.csv.gz":21}'));
  await first.until(5);
  await first.stop();
  await complete(path('spool/d.parquet'), 'PAR1 and a bit more');
  await complete(path('spool/f.ndjson'), lines(5, 7));
  const second = await following(folder(path('spool'), options), dex);
  await second.until(7);
  await second.untilPlace((place) => place.includes('"f.ndjson"') && place.includes('"d.parquet":19'));
  assert.equal(await second.stop(), 0, 'no file was read twice');
  assert.deepEqual(failed, [path('spool/d.parquet'), path('spool/damaged.csv.gz'), path('spool/d.parquet')]);
  await dex.close();
});

test('standard input ends with its last line, also one without an end; what was stored before is known', async () => {
  const dex = await open();
  const input = async function* () {
    const bytes = Buffer.from(lines(0, 3) + line(3).trimEnd());
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
  };
  assert.equal((await dex.follow(standardInput({}, input()))).added, 4);
  const { added, duplicate } = await dex.follow(standardInput({}, input()));
  assert.deepEqual([added, duplicate], [0, 4]);
  await dex.close();
});

function makeFifo(name: string): string {
  execFileSync('mkfifo', [path(name)]);
  return path(name);
}

test('a FIFO is read writer after writer, the last line of each also without an end, and left while nobody writes', async () => {
  const pipe = makeFifo('pipe');
  const dex = await open();
  const feed = await following(fifo(pipe, {}), dex);
  await writeFile(pipe, lines(0, 3) + line(3).trimEnd());
  await feed.until(4);
  await writeFile(pipe, lines(3, 3000));
  await writeFile(pipe, lines(3000, 3002));
  await feed.until(3002);
  assert.equal(await feed.stop(), 1);
  await dex.close();
});

test('what came through a FIFO and was not stored is given again when it is read again', async () => {
  const pipe = makeFifo('failing');
  const dex = await open();
  const source = fifo(pipe, {});
  const failing = source.read(null, { signal: new AbortController().signal })[Symbol.asyncIterator]();
  const given = failing.next();
  const writer = await openFile(pipe, 'w');
  await writer.write(lines(0, 2));
  assert.equal((await given).done, false);
  // As where the write fails.
  await failing.return?.();
  const feed = await following(source, dex);
  await writer.write(lines(2, 3));
  await feed.until(3);
  await feed.stop();
  await writer.close();
  await dex.close();
});

test('standard input is left while nothing comes, and read on after a failure with what was not stored', async () => {
  const dex = await open();
  const input = new PassThrough();
  const source = standardInput({}, input);
  const feed = await following(source, dex);
  input.write(lines(0, 2));
  await feed.until(2);
  await feed.stop();
  // Half a line comes meanwhile, and a reader that fails with what it was given.
  input.write(lines(2, 5) + line(5).slice(0, 20));
  const failing = source.read(null, { signal: new AbortController().signal })[Symbol.asyncIterator]();
  const given = await failing.next();
  assert.equal(given.done, false);
  await failing.return?.();
  const again = await following(source, dex);
  input.end(line(5).slice(20));
  await again.until(6);
  await again.stop();
  await dex.close();
});

test('a line that is no JSON costs itself alone, whatever the name of its file says', async () => {
  const dex = await open();
  const unread: number[] = [];
  const input = async function* () {
    yield Buffer.from(lines(0, 1));
    yield Buffer.from(`WARN reconnected\n${lines(1, 4)}`);
  };
  await dex.follow(standardInput({ onUnread: (rejects) => void unread.push(rejects.length) }, input()));
  assert.deepEqual([(await dex.swaps.list({ limit: 1 })).count, unread], [4, [1]]);
  await dex.close();
});

test('a feed of a named preset may begin with what it says of itself', async () => {
  const trade = {
    ...{ signature: 'Sig1', mint: COIN, traderPublicKey: ANN, txType: 'buy', tokenAmount: 1000, solAmount: 1.5 },
    timestamp: 1_710_665_693_000,
  };
  const input = new PassThrough();
  const unread: string[] = [];
  const onUnread = (rejects: readonly FileReject[]) => unread.push(...rejects.map(({ reason }) => reason));
  const dex = await Swapfold.open({ storage: memory() });
  const live = await following(standardInput({ presets: ['pumpportal'], onUnread }, input), dex);
  input.write('{"message":"Successfully subscribed to keys."}\n');
  await new Promise((resolve) => setTimeout(resolve, 300));
  input.write(`${JSON.stringify(trade)}\n`);
  await live.until(1);
  assert.match(unread.join(), /lacks the columns/);
  await live.stop();
  await dex.close();
});

test('lines that hold nothing, the first ones too, hold up neither a pipe nor a file', async () => {
  const dex = await open();
  const input = async function* () {
    yield Buffer.from('starting up\n');
    yield Buffer.from(lines(0, 2));
  };
  assert.equal((await dex.follow(standardInput({}, input()))).added, 2);
  const file = path('noisy.ndjson');
  await writeFile(file, 'starting up\n');
  const places: string[] = [];
  const stop = new AbortController();
  for await (const item of growingFile(file, {}).read(null, { signal: stop.signal })) {
    places.push(item.place);
    stop.abort();
  }
  assert.equal(JSON.parse(places[0]!).offset, 12);
  await dex.close();
});

test('a CSV file that has taken the name of another one is read from its beginning, also after a restart', async () => {
  const file = path('rotated.csv');
  const dex = await open();
  // The names of the columns alone are longer than what files are known by.
  const long = `${Object.keys(swap(0)).join()},${'x'.repeat(300)}\n`;
  const row = (n: number): string => `${csvLine(n).trimEnd()},1\n`;
  await writeFile(file, long + [0, 1, 2].map(row).join(''));
  const feed = await following(growingFile(file, {}), dex);
  await feed.until(3);
  await feed.stop();
  await writeFile(file, long + [10, 11, 12, 13, 14, 15].map(row).join(''));
  const again = await following(growingFile(file, {}), dex);
  await again.until(9);
  await again.stop();
  await dex.close();
});

test('swapfold follow - stores what comes, tells of it, and ends with its input and a last refresh', async () => {
  const db = path('stdin.db');
  const { code, stdout, stderr } = await runCli(['follow', '-', '--db', db, '--refresh-every', '0'], {
    input: lines(0, 5),
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /5 added, 0 duplicate, 0 conflicting, 0 rejected/);
  const dex = await openReader(parseStoreUrl(db), undefined);
  assert.equal((await dex.wallets.get({ wallet: ANN })).as_of ?? null, null);
  await dex.close();
});

test('swapfold follow counts the lines that it cannot read among the rejected, and fails if nothing is stored', async () => {
  const args = ['follow', '-', '--db', path('rejected.db'), '--refresh-every', '0'];
  const odd = 'garbage\n{"tx_hash":1\n';
  const none = await runCli(args, { input: odd });
  assert.equal(none.code, 1);
  assert.match(none.stdout, /0 added, 0 duplicate, 0 conflicting, 2 rejected/);
  const some = await runCli(args, { input: odd + lines(0, 5) });
  assert.equal(some.code, 0);
  assert.match(some.stdout, /5 added, 0 duplicate, 0 conflicting, 2 rejected/);
});

test('swapfold serve --follow makes the store, serves what a file says, tells its lag, and stops beside a silent FIFO', async () => {
  const file = path('served.ndjson');
  await writeFile(file, lines(0, 5));
  const args = ['serve', '--db', path('served.db'), '--port', '0', '--follow', file, '--refresh-every', '10ms'];
  args.push('--follow', makeFifo('silent'));
  const { child, ended } = startCli(args, { env: { SWAPFOLD_API_KEYS: 'change-me-please' } });
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  while (!output.includes('\n')) await once(child.stdout!, 'data');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)![0];
  for (;;) {
    const ready = (await (await fetch(`${url}/readyz`)).json()) as {
      rows_followed: number;
      profiles_age_seconds: number | null;
    };
    if (ready.rows_followed === 5 && ready.profiles_age_seconds !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
});

test('a source that cannot be read makes no store', async () => {
  const db = path('unmade.db');
  for (const [command, source, said] of [
    [['follow'], path('typo.ndjson'), /typo\.ndjson: there is no such file/],
    [['serve', '--follow'], path('typo.ndjson'), /typo\.ndjson: there is no such file/],
    [['follow'], 'evm:http://127.0.0.1:1', /give a --config with a preset such as "ethereum"/],
    [['import', 'evm'], 'evm:http://127.0.0.1:1', /give a --config with a preset such as "ethereum"/],
  ] as const) {
    const { code, stderr } = await runCli([...command, source, '--db', db]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, said);
    assert.equal(existsSync(db), false, command.join(' '));
  }
});

test('what is no source is refused by its name', async () => {
  const packed = path('packed.ndjson.gz');
  await writeFile(packed, gzipSync(lines(0, 2)));
  const log = { say: () => undefined, error: () => undefined };
  const options = { refreshEvery: 0, refreshAllEvery: 0, maxAhead: 600, preset: 'auto' };
  const dex = await open();
  const to = { dex, log };
  await assert.rejects(sourcesOf([path('nothing.ndjson')], options, to), /nothing\.ndjson: there is no such file/);
  await assert.rejects(sourcesOf(['-', '-'], options, to), /The source - is given twice/);
  await assert.rejects(dex.follow(growingFile(packed, {})), /cannot be followed as it grows/);
  await writeFile(path('grown.arrow'), 'ARROW1  \n');
  await assert.rejects(dex.follow(growingFile(path('grown.arrow'), {})), /cannot be followed as it grows/);
  await dex.close();
  for (const text of ['soon', '5', '-1s', '2 s']) assert.throws(() => parseDuration(text), /Give a time such as 2s/);
  assert.deepEqual(['0', '500ms', '2s', '1.5m', '1h'].map(parseDuration), [0, 0.5, 2, 90, 3600]);
});
