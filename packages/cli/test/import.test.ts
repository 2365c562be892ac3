import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { columnsToObjects, presets, type Swapfold, type SwapInput } from '@swapfold/core';
import { generateMarket, writeRecordsNdjson, writeSwapsCsv, writeSwapsNdjson } from '@swapfold/testing';
import { bundled } from '../../../test/support/bundle.ts';
import { openStore } from '../src/open-store.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const cli = await bundled('packages/cli/src/bin.ts');
const onlyUsdc = { quote_tokens: [{ ...presets.solana.quote_tokens[0] }] };
const market = generateMarket({ seed: 21, swaps: 2000, batchRows: 500 });
const batches = [...market.swaps()];
const swaps: readonly SwapInput[] = batches.flatMap((batch) => [...columnsToObjects(batch)]);

async function inStore<R>(db: string, ask: (dex: Swapfold) => Promise<R>, config = market.config): Promise<R> {
  const dex = await openStore(parseStoreUrl(db), config);
  try {
    return await ask(dex);
  } finally {
    await dex.close();
  }
}

/** A CSV file of these columns and rows. */
async function csv(name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): Promise<string> {
  await writeFile(path(name), [columns, ...rows].map((row) => `${row.join(',')}\n`).join(''));
  return path(name);
}

const columns = [
  'tx_hash',
  'swap_index',
  'block_time',
  'wallet',
  'token_in',
  'token_out',
  'token_amount_in',
  'token_amount_out',
];
const rowOf = (swap: SwapInput): unknown[] => columns.map((name) => swap[name as keyof SwapInput]);
/** The counts of a summary: `{ added: 9, duplicate: 1 }`. */
const countsOf = (stdout: string) =>
  Object.fromEntries(
    [...stdout.matchAll(/^ {2}(\w+) +([\d,]+)$/gm)].map(([, name, count]) => [
      name,
      Number(count!.replaceAll(',', '')),
    ]),
  );

describe('import', { concurrency: 2 }, () => {
  test('columns that hold no field are named once, with the field that may have been meant', async () => {
    const rows = swaps.slice(0, 40).map((swap) => [...rowOf(swap), 7, 'x']);
    const file = await csv('unused.csv', [...columns, 'block_slt', 'pool_address_of_the_swap'], rows);
    const { stdout, stderr, code } = await runCli([
      'import',
      'swaps',
      file,
      '--db',
      path('unused.db'),
      '--batch',
      '10',
    ]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(countsOf(stdout).added, 40);
    const said =
      'unused.csv has columns that are not used: "block_slt" (did you mean "block_slot"?), "pool_address_of_the_swap".\n';
    assert.equal(stderr.split(said).length, 2, stderr);

    const mapped = await runCli(['import', 'swaps', file, '--db', path('mapped.db'), '--map', 'token_in=token_out']);
    assert.match(mapped.stderr, /no column left for "token_in": --map reads its column "token_in" as "token_out"/);
  });

  for (const engine of ['sqlite', 'duckdb'] as const) {
    test(`${engine}: swaps of a CSV and a gzip NDJSON file go in, and query prints what the library answers`, async () => {
      const [first, second] = [path(`${engine}.csv`), path(`${engine}.ndjson.gz`)];
      writeSwapsCsv(batches.slice(0, 2), first);
      writeSwapsNdjson(batches.slice(2), path(`${engine}.ndjson`));
      await writeFile(second, gzipSync(await readFile(path(`${engine}.ndjson`))));
      const db = `${engine}:${path(`two-files-${engine}`)}`;
      const imported = await runCli(['import', 'swaps', first, second, '--db', db, '--batch', '300']);
      assert.equal(imported.code, 0, imported.stderr);
      assert.match(imported.stdout, /^Read 2,000 rows of 2 files in /);
      assert.deepEqual(countsOf(imported.stdout), { added: 2000, duplicate: 0, conflicting: 0, rejected: 0 });
      assert.match(
        imported.stdout,
        /\nRefreshed \d+ token, \d+ wallet and [\d,]+ position profiles as of 2025-01-01T00:00:00Z in /,
      );
      assert.match(
        imported.stderr,
        new RegExp(`^${engine}\\.csv: [\\d,]+ rows in [^]*^${engine}\\.ndjson\\.gz: `, 'm'),
      );

      const request = JSON.stringify({ filter: { 'metrics.7d.trade_count': { $gt: 3 } }, limit: 7 });
      const asked = await runCli(['query', 'wallets.search', '-', '--db', db], { input: request });
      assert.equal(asked.code, 0, asked.stderr);
      const expected = await inStore(db, (dex) => dex.call('wallets.search', JSON.parse(request)));
      assert.equal(asked.stdout, `${JSON.stringify(expected)}\n`);
      assert.equal(JSON.parse(asked.stdout).data.length, 7);
    });

    test(`${engine}: rebuild takes another configuration, which every other command refuses`, async () => {
      const db = `${engine}:${path(`rebuilt-${engine}`)}`;
      const config = path(`usdc-${engine}.json`);
      await writeFile(config, JSON.stringify(onlyUsdc));
      const tradesBefore = await inStore(db, async (dex) => {
        await dex.ingest(market.swaps());
        return (await dex.trades.list()).count;
      });
      const refused = await runCli(['query', 'trades.list', '--db', db, '--config', config]);
      assert.match(
        refused.stderr,
        /^error: The store was folded with .*"quote_tokens": removed .* swapfold rebuild --db/,
      );
      assert.equal(refused.code, 1);

      const rebuilt = await runCli(['rebuild', '--db', db, '--config', config]);
      assert.equal(rebuilt.code, 0, rebuilt.stderr);
      assert.match(rebuilt.stdout, /^Folded 2,000 swaps into \d+ token, \d+ wallet and [\d,]+ position profiles in /);
      // With SOL a token like others, a swap of it for USDC is a trade.
      const { count } = await inStore(db, (dex) => dex.trades.list(), onlyUsdc);
      assert.ok(count > tradesBefore, `${count} and before ${tradesBefore} trades`);
    });
  }

  test('--map names columns, rows that cannot be taken are counted, shown and written to --rejects', async () => {
    const names = columns.map((name) => ({ wallet: 'who', block_time: 'ts' })[name] ?? name);
    const rows = swaps.slice(0, 10).map(rowOf);
    rows[2]![columns.indexOf('token_amount_in')] = 'many';
    rows[5]![columns.indexOf('wallet')] = 'nobody!';
    rows[6]![columns.indexOf('block_time')] = new Date(swaps[6]!.block_time * 1000).toISOString();
    const file = await csv('mapped.csv', names, rows);
    const rejects = path('rejects.ndjson');
    const db = path('mapped.db');
    const maps = ['--map', 'who=wallet', '--map', 'ts=block_time'];
    const { code, stdout } = await runCli(['import', 'swaps', file, '--db', db, ...maps, '--rejects', rejects]);
    assert.equal(code, 0);
    assert.deepEqual(countsOf(stdout), { added: 8, duplicate: 0, conflicting: 0, rejected: 2 });
    assert.match(stdout, /Rejected:\n {2}.*mapped\.csv row 3: token_amount_in is not a number: "many"\n/);
    assert.match(stdout, /mapped\.csv row 6: wallet is not an address .*"nobody!"\n/);
    const written = (await readFile(rejects, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      written.map(({ row, field, file }) => ({ row, field, file })),
      [
        { row: 3, field: 'token_amount_in', file },
        { row: 6, field: 'wallet', file },
      ],
    );
    assert.match(written[0].reason, /is not a number/);
  });

  test('an import of which every row is rejected ends with 1', async () => {
    const file = await csv(
      'bad.csv',
      columns,
      [swaps[0]!, swaps[1]!].map((swap) => rowOf({ ...swap, wallet: '?' })),
    );
    const { code, stdout } = await runCli(['import', 'swaps', file, '--db', path('bad.db')]);
    assert.deepEqual(countsOf(stdout), { added: 0, duplicate: 0, conflicting: 0, rejected: 2 });
    assert.equal(code, 1);
  });

  test('a swap that is stored with another amount is a conflict, and stays as it is', async () => {
    const [one, other] = [swaps[0]!, { ...swaps[0]!, token_amount_in: 12.5 }];
    const file = await csv('conflict.csv', columns, [one, one, other].map(rowOf));
    const { code, stdout } = await runCli(['import', 'swaps', file, '--db', path('conflict.db')]);
    assert.equal(code, 0);
    assert.deepEqual(countsOf(stdout), { added: 1, duplicate: 1, conflicting: 1, rejected: 0 });
    assert.match(stdout, /Conflicting:\n {2}.*conflict\.csv row 3: /);
  });

  test('a file without transaction hashes needs --row-ids, with which its rows are stored once', async () => {
    const rows = swaps.slice(0, 20).map((swap) => rowOf(swap).slice(2));
    const file = await csv('anonymous.csv', columns.slice(2), rows);
    const refused = await runCli(['import', 'swaps', file, '--db', path('anonymous.db')]);
    assert.match(refused.stderr, /^error: anonymous\.csv has no column "tx_hash"\..*--row-ids/);
    assert.equal(refused.code, 2);
    const { code, stdout } = await runCli(['import', 'swaps', file, file, '--db', path('anonymous.db'), '--row-ids']);
    assert.equal(code, 0);
    assert.deepEqual(countsOf(stdout), { added: 20, duplicate: 20, conflicting: 0, rejected: 0 });
  });

  test('a file that cannot be read to its end stores what came before, and says so', async () => {
    const file = path('cut.ndjson.gz');
    const packed = gzipSync(
      swaps
        .slice(0, 1500)
        .map((swap) => JSON.stringify(swap))
        .join('\n'),
      { level: 0 },
    );
    const cut = packed.subarray(0, packed.length - 5000);
    const whole = gunzipSync(cut, { finishFlush: constants.Z_SYNC_FLUSH }).toString().split('\n').length - 1;
    await writeFile(file, cut);
    const { code, stderr } = await runCli(['import', 'swaps', file, '--db', path('cut.db'), '--batch', '100']);
    assert.match(stderr, /Stopped in .*cut\.ndjson\.gz\.[\s\S]+What came before is stored/);
    assert.match(stderr, /error: cut\.ndjson\.gz: the gzip stream is cut off after \d+ unpacked bytes\./);
    assert.equal(code, 2);
    const { count } = await inStore(path('cut.db'), (dex) => dex.swaps.list());
    assert.equal(count, whole);
  });

  test('tokens and wallets go in beside the swaps, with a reason for every row that does not', async () => {
    const db = path('registries.db');
    await inStore(db, (dex) => dex.ingest(batches[0]!));
    writeRecordsNdjson(market.tokens(), path('tokens.ndjson'));
    const tokens = await runCli(['import', 'tokens', path('tokens.ndjson'), '--db', db, '--no-refresh']);
    assert.equal(tokens.code, 0, tokens.stderr);
    assert.deepEqual(countsOf(tokens.stdout), { upserted: market.tokens().length, rejected: 0 });
    assert.doesNotMatch(tokens.stdout, /Refreshed/);

    const { wallet } = swaps[0]!;
    const file = await csv(
      'wallets.csv',
      ['account', 'name', 'labels'],
      [
        [wallet, 'Ada', 'kol;friend'],
        ['?', 'Nobody', ''],
      ],
    );
    const wallets = await runCli(['import', 'wallets', file, '--db', db, '--map', 'account=address']);
    assert.equal(wallets.code, 0, wallets.stderr);
    assert.match(wallets.stdout, /Rejected:\n {2}.*wallets\.csv row 2: address /);
    await inStore(db, async (dex) => {
      const { labels, metadata } = await dex.wallets.get({ wallet });
      assert.deepEqual(labels, ['friend', 'kol']);
      assert.equal((metadata as { name: string }).name, 'Ada');
      const { address, name } = market.tokens()[0]!;
      assert.equal(((await dex.tokens.get({ token: address })).metadata as { name: string }).name, name);
    });
  });

  test('--no-refresh leaves the profiles to refresh, which takes an instant to fold them for', async () => {
    const file = path('late.csv');
    writeSwapsCsv(batches, file);
    const db = path('late.db');
    const imported = await runCli(['import', 'swaps', file, '--db', db, '--no-refresh']);
    assert.doesNotMatch(imported.stdout, /Refreshed/);
    await assert.rejects(
      inStore(db, (dex) => dex.wallets.search()),
      { code: 'not-refreshed' },
    );
    const refreshed = await runCli(['refresh', '--db', db, '--as-of', '2024-12-20T00:00:00Z']);
    assert.equal(refreshed.code, 0, refreshed.stderr);
    assert.match(
      refreshed.stdout,
      /^Refreshed \d+ token, \d+ wallet and [\d,]+ position profiles as of 2024-12-20T00:00:00Z in /,
    );
    assert.ok((await inStore(db, (dex) => dex.wallets.search())).count > 0);
  });

  test('a --map of a column that the file does not have makes no store', async () => {
    const file = await csv('unmapped.csv', columns, [rowOf(swaps[0]!)]);
    const { code, stderr } = await runCli(['import', 'swaps', file, '--db', path('none.db'), '--map', 'who=wallet']);
    assert.equal(code, 2);
    assert.match(stderr, /who/);
    await assert.rejects(access(path('none.db')), { code: 'ENOENT' });
  });

  test('a packed file that is damaged in the middle is told with its name and place, and what came before stays', async () => {
    const whole = gzipSync([columns, ...swaps.map(rowOf)].map((row) => `${row.join(',')}\n`).join(''), { level: 1 });
    whole.fill(0xff, Math.floor(whole.length * 0.7), Math.floor(whole.length * 0.7) + 64);
    await writeFile(path('damaged.csv.gz'), whole);
    await writeFile(
      path('fine.csv'),
      [columns, ...swaps.slice(0, 500).map(rowOf)].map((row) => `${row.join(',')}\n`).join(''),
    );
    const args = [
      'import',
      'swaps',
      path('fine.csv'),
      path('damaged.csv.gz'),
      '--db',
      path('half.db'),
      '--batch',
      '100',
    ];
    const { code, stdout, stderr } = await runCli(args);
    assert.equal(code, 2);
    assert.match(stdout, /added +\d/);
    assert.match(
      stderr,
      /Stopped in .*damaged\.csv\.gz\.[\s\S]+What came before is stored; importing it again changes nothing\./,
    );
    assert.match(stderr, /error: damaged\.csv\.gz: the gzip stream is damaged \(.*\) after \d+ unpacked bytes\./);
    const count = await inStore(path('half.db'), (dex) => dex.swaps.list({ limit: 1 }).then((page) => page.count));
    assert.ok(count >= 500, String(count));
  });

  test('a damaged file after rows of which none can be stored leaves nothing, and says so', async () => {
    await writeFile(
      path('refused.csv'),
      `${columns.join()}\n${rowOf(swaps[0]!)
        .map(() => 'x')
        .join()}`,
    );
    await writeFile(
      path('broken.csv.gz'),
      Buffer.concat([gzipSync(`${columns.join()}\n`).subarray(0, 12), Buffer.alloc(99, 0xff)]),
    );
    const args = ['import', 'swaps', path('refused.csv'), path('broken.csv.gz'), '--db', path('nothing.db')];
    const { code, stderr } = await runCli(args);
    assert.equal(code, 2);
    assert.match(stderr, /Stopped in .*broken\.csv\.gz\./);
    assert.doesNotMatch(stderr, /is stored/);
  });

  test('--rejects never overwrites what the command uses, also with a SELECT over several files', async () => {
    const [one, two] = [path('fine.csv'), path('fine-too.csv')];
    await writeFile(two, await readFile(one));
    for (const taken of [one, two, path('kept.db')]) {
      const args = ['import', 'swaps', one, two, '--sql', 'select * from input', '--db', path('kept.db')];
      const { code, stderr } = await runCli([...args, '--rejects', taken]);
      assert.equal(code, 2);
      assert.match(stderr, /--rejects .* would overwrite a file that the import uses/);
    }
    assert.deepEqual(await readFile(two), await readFile(one));
  });
});

test('an import that is ended by a signal leaves no file behind where it read', async () => {
  const folder = path('scratch');
  await mkdir(folder);
  const child = spawn(process.execPath, [cli, 'import', 'swaps', '-', '--dry-run'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const row = `{"tx_hash":"h","swap_index":0,"block_time":1710665692,"wallet":"W","token_in":"A","token_out":"B","token_amount_in":1,"token_amount_out":2}\n`;
  child.stdin.on('error', () => undefined);
  // More than is looked at before the first file is written.
  for (let sent = 0; sent < 12 << 20; sent += row.length * 1000) child.stdin.write(row.repeat(1000));
  const deadline = Date.now() + 20_000;
  while ((await readdir(folder)).length === 0 && Date.now() < deadline) await setTimeout(20);
  assert.equal((await readdir(folder)).length, 1);
  child.kill('SIGTERM');
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGTERM');
  assert.deepEqual(await readdir(folder), []);
});

test('a program that waits for a signal once and reads files still ends by itself', async () => {
  const from = path('once.csv');
  await writeFile(
    from,
    'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out\nh,0,1,W,A,B,1,2\n',
  );
  const program = path('once.mjs');
  const files = new URL('../../files/src/index.ts', import.meta.url);
  const code = `process.once('SIGTERM', () => setTimeout(() => process.exit(7), 50));
    const { readSwapFile } = await import(${JSON.stringify(files.href)});
    for await (const _ of readSwapFile(${JSON.stringify(from)}));
    process.kill(process.pid, 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 5000));`;
  await writeFile(program, code);
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), program], { stdio: 'ignore' });
  const [ended] = await once(child, 'exit');
  assert.equal(ended, 7);
});
