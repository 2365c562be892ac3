import assert from 'node:assert/strict';
import { access, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const fixture = (name: string): string => fileURLToPath(new URL(`../../files/test/presets/${name}`, import.meta.url));

const any = path('any.json');
await writeFile(
  any,
  JSON.stringify({ address_format: 'any', quote_tokens: [{ address: 'MintSol', symbol: 'SOL', kind: 'native' }] }),
);

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

describe('imports with presets', { concurrency: 2 }, () => {
  test('--dry-run shows the preset, its SELECT, first swaps and counts, needs no --db and writes nothing', async () => {
    await mkdir(path('dry'));
    const { code, stdout, stderr } = await runCli(
      ['import', 'swaps', fixture('flipside-solana.csv'), '--dry-run', '--config', any],
      { cwd: path('dry') },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^flipside-solana\.csv: preset flipside-solana\n/);
    assert.match(stdout, /\nselect\n/);
    assert.match(stdout, /\n {2}swapper as wallet,\n/);
    assert.match(stdout, /\n {2}place_at_end\(_log_id\) as swap_index,\n/);
    assert.match(stdout, /\nfrom input\n/);
    const shown = [...stdout.matchAll(/^ {2}(\{.*\})$/gm)].map(([, json]) => JSON.parse(json!));
    assert.deepEqual(
      shown.map(({ tx_hash, swap_index, token_amount_in }) => [tx_hash, swap_index, token_amount_in]),
      [
        ['TxOne', 12290, 1.25],
        ['TxThree', 16384, 48],
      ],
    );
    assert.match(
      stdout,
      /\nRead 3 rows\. Nothing was written\.\n {2}swaps {7}2\n {2}rejected {4}0\n {2}passed over 1\n/,
    );
    assert.match(stdout, /\nPassed over, because they are no swaps:\n {2}1: succeeded is "FALSE"\n$/);
    assert.deepEqual(await readdir(path('dry')), []);
  });

  test('a folder, a pattern and standard input are read, the presets named, and a zoneless time is said once', async () => {
    const folder = path('exports');
    await mkdir(`${folder}/2024`, { recursive: true });
    await copyFile(fixture('dune-solana-bots.csv'), `${folder}/2024/bots.csv`);
    await copyFile(fixture('dune-solana-bots.csv'), `${folder}/2024/more-bots.csv`);
    await writeFile(
      `${folder}/flipside.csv.gz`,
      gzipSync((await readFile(fixture('flipside-solana.csv'), 'utf8')).replaceAll('TxOne', 'TxFour')),
    );
    await writeFile(`${folder}/notes.md`, 'what this is');
    await writeFile(`${folder}/2024/about.json`, '{"name": "what this is", "source": "Dune"}');
    const db = path('all.db');
    const input = (await readFile(fixture('birdeye.json'), 'utf8')).replaceAll('TxOne', 'TxFive');
    const args = ['import', 'swaps', folder, path('exp*/flip*.gz'), '-', '--db', db, '--config', any, '--no-refresh'];
    const { code, stdout, stderr } = await runCli(args, { input });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Read 10 rows of 5 files in /);
    assert.match(stdout, /\nPreset: dune-solana-bots, flipside-solana, birdeye\.\n/);
    assert.match(
      stdout,
      /\nPassed over one file without the columns:\n {2}\S*about\.json: about\.json has no columns "wallet", .* It has: "name", "source"\..*\n/,
    );
    assert.match(
      stdout,
      /\n {2}added {7}4\n {2}duplicate {3}3\n {2}conflicting 0\n {2}rejected {4}0\n {2}passed over 3\n/,
    );
    assert.match(stderr, /^bots\.csv is read with the preset dune-solana-bots\.$/m);
    assert.match(stderr, /^standard input is read with the preset birdeye\.$/m);
    assert.equal(stderr.split('times without a zone: they are read as UTC').length, 2);

    const dry = await runCli(['import', 'swaps', fixture('flipside-solana.csv'), '--dry-run', '--db', db]);
    assert.match(dry.stdout, /\n {2}swaps {7}2\n {2}rejected {4}0\n/, 'by the configuration of the store');
    const dryFolder = await runCli(['import', 'swaps', folder, '--dry-run', '--db', db]);
    assert.match(dryFolder.stdout, /\nPassed over one file without the columns:\n {2}\S*about\.json: /);
  });

  test('a file without the columns stops an import that names it, and one of a folder in which no file has them', async () => {
    await mkdir(path('foreign'));
    for (const name of ['a', 'b']) await writeFile(path(`foreign/${name}.json`), '{"name": "what this is"}');
    const [a, b] = [path('foreign/a.json'), path('foreign/b.json')];
    for (const args of [
      [fixture('birdeye.json'), b],
      [path('foreign')],
      ['--dry-run', a],
      ['--dry-run', path('foreign')],
    ]) {
      const { code, stderr } = await runCli(['import', 'swaps', ...args, '--db', path('foreign.db'), '--config', any]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /^error: [ab]\.json has no columns "wallet", "token_in"/m);
    }
  });

  test('a file of a header alone, and one whose rows are all rejected, leave no store', async () => {
    const [header, ...rows] = (await readFile(fixture('dune-solana.csv'), 'utf8')).split('\n');
    await writeFile(path('header.csv'), `${header}\n`);
    await writeFile(path('rejected.csv'), [header, ...rows, ''].join('\n'));
    const empty = await runCli(['import', 'swaps', path('header.csv'), '--db', path('none.db')]);
    assert.equal(empty.code, 0, empty.stderr);
    assert.match(empty.stderr, /No store was made: there is nothing to store\./);
    const evm = path('evm.json');
    await writeFile(evm, JSON.stringify({ preset: 'ethereum' }));
    const rejects = path('rejects.ndjson');
    const args = [
      'import',
      'swaps',
      path('rejected.csv'),
      '--db',
      path('none.duckdb'),
      '--config',
      evm,
      '--rejects',
      rejects,
    ];
    const refused = await runCli(args);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /\n {2}rejected {4}2\n/);
    assert.match(refused.stderr, /The addresses are of format "solana", the configuration is for "evm"/);
    const own = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
    const row = (token: string) => `h,0,1710665692,0x${'a1'.repeat(20)},${token},0x${'c3'.repeat(20)},1,2`;
    await writeFile(path('own.csv'), `${own}\n${row(`0x${'b2'.repeat(20)}`)}\n`);
    const other = await runCli(['import', 'swaps', path('own.csv'), '--dry-run']);
    assert.match(other.stderr, /The addresses are of format "evm", the configuration is for "solana"/);
    await writeFile(path('own.csv'), `${own}\n${row('USDC')}\n`);
    const symbols = await runCli(['import', 'swaps', path('own.csv'), '--dry-run', '--config', evm]);
    assert.match(symbols.stderr, /named by their addresses\. If the file has symbols .*--sql/);
    assert.equal((await readFile(rejects, 'utf8')).trimEnd().split('\n').length, 2);
    for (const name of ['none.db', 'none.duckdb']) assert.equal(await isThere(path(name)), false, name);
  });

  test("a preset of one's own is a SELECT with a header; one of JSON is refused with what to do", async () => {
    const mine = path('mine.sql');
    const text = `-- name: mine
-- needs: id, n, at, who, a, b, x, y
select
  id as tx_hash,
  n as swap_index,
  "at" as block_time,
  who as wallet,
  a as token_in,
  b as token_out,
  units(x, 6) as token_amount_in,
  y as token_amount_out
from input
`;
    await writeFile(mine, text);
    await writeFile(path('mine.csv'), 'id,n,at,who,a,b,x,y\nh,0,2024-03-17 08:54:52Z,W,MintSol,B,1500000,2\n');
    const read = await runCli(['import', 'swaps', path('mine.csv'), '--dry-run', '--preset', mine, '--config', any]);
    assert.equal(read.code, 0, read.stderr);
    assert.match(
      read.stdout,
      /mine\.csv: preset mine\n[\s\S]*units\(x, 6\) as token_amount_in[\s\S]*"token_amount_in":1\.5,/,
    );
    await writeFile(mine, text.replace('  who as wallet,\n', ''));
    const refused = await runCli(['import', 'swaps', path('mine.csv'), '--dry-run', '--preset', mine]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /The preset .*mine\.sql: "wallet" is missing: every swap needs it\./);
    const json = await runCli(['import', 'swaps', path('mine.csv'), '--dry-run', '--preset', './mine.json']);
    assert.equal(json.code, 2);
    assert.match(json.stderr, /The preset \.\/mine\.json is JSON; a preset is a SELECT now\. .*--sql FILE\.sql/);
  });

  test('a constant that no SELECT reads is refused, with the one that may have been meant', async () => {
    const sql = "select *, getvariable('token') as token_out from input";
    for (const [own, said] of [
      [['--sql', sql, '--set', 'tokn=x'], /--set tokn: no SELECT reads getvariable\('tokn'\)\. Did you mean "token"\?/],
      [['--preset', 'etherscan-dex', '--set', 'quote_symbl=x'], /--set quote_symbl: .* Did you mean "quote_symbol"\?/],
    ] as const) {
      const { code, stderr } = await runCli(['import', 'swaps', fixture('dune-solana.csv'), '--dry-run', ...own]);
      assert.equal(code, 2);
      assert.match(stderr, said);
    }
  });

  test('the SELECT that --dry-run prints, given back with --sql, stores the same swaps', async () => {
    for (const name of ['flipside-solana.csv', 'birdeye.json', 'dune-solana-bots.csv', 'bitquery-solana.csv']) {
      const dry = await runCli(['import', 'swaps', fixture(name), '--dry-run', '--config', any]);
      const [, sql] = /^[^\n]*\n(select\n[\s\S]*?)\n\n/.exec(dry.stdout)!;
      const shown = (stdout: string): string[] => [...stdout.matchAll(/^ {2}\{.*\}$/gm)].map(([line]) => line);
      const again = await runCli(['import', 'swaps', fixture(name), '--dry-run', '--config', any, '--sql', sql!]);
      assert.equal(again.code, 0, again.stderr);
      assert.ok(shown(dry.stdout).length > 0, name);
      assert.deepEqual(shown(again.stdout), shown(dry.stdout), name);
    }
  });
});
