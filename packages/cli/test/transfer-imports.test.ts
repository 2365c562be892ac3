import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type RunOptions, runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const fixture = (name: string): string => fileURLToPath(new URL(`../../files/test/presets/${name}`, import.meta.url));

const WSOL = 'So11111111111111111111111111111111111111112';
const solana = path('solana.json');
const quote_tokens = [{ address: WSOL, symbol: 'SOL', kind: 'native' }];
await writeFile(solana, JSON.stringify({ address_format: 'any', chain: 'solana', quote_tokens }));
const ethereum = path('ethereum.json');
await writeFile(ethereum, '{ "preset": "ethereum" }');

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

interface Row {
  readonly tx_hash: string;
  readonly token: string;
  readonly token_amount: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly cost_usd: number | null;
  readonly includes_swaps: boolean;
}

async function run(args: readonly string[], options?: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, options);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function stored(db: string, request = '{"limit":100}'): Promise<readonly Row[]> {
  return (JSON.parse(await run(['query', 'transfers.list', request, '--db', db])) as { data: Row[] }).data;
}

interface Position {
  readonly holding: Readonly<Record<'balance' | 'away_amount' | 'away_cost' | 'realized_pnl' | 'cost_basis', number>>;
  readonly metadata: { readonly state: string };
}

async function position(db: string, wallet: string, token: string): Promise<Position> {
  const request = { wallet, token, options: { include_metadata: true, include_holding: true } };
  return JSON.parse(await run(['query', 'positions.get', JSON.stringify(request), '--db', db])) as Position;
}

/** What came to a wallet less what left it, by token. */
function netOf(rows: readonly Row[], wallet: string): Record<string, number> {
  const net: Record<string, number> = {};
  for (const { token, token_amount: amount, from, to } of rows)
    net[token] = (net[token] ?? 0) + (to === wallet ? amount : 0) - (from === wallet ? amount : 0);
  return net;
}

const evmAddress = (last: string): string => `0x${last.padStart(40, '0')}`;
const [usdc, weth, first] = ['a1', 'b1', 'f1'].map(evmAddress) as [string, string, string];

for (const engine of ['db', 'duckdb']) {
  const named = (name: string): string => path(`${name}.${engine}`);

  describe(`imports of transfers into .${engine}`, { concurrency: 2 }, () => {
    test('an export of Etherscan is stored once, what moves nothing is counted, and Dune has the same transfers', async () => {
      const db = named('etherscan');
      const into = ['--db', db, '--config', ethereum];
      const stdout = await run(['import', 'transfers', fixture('transfers/etherscan.csv'), ...into]);
      assert.match(stdout, /^Preset: etherscan\.$/m);
      assert.match(
        stdout,
        /\n {2}added {7}2\n {2}duplicate {3}0\n {2}conflicting 0\n {2}rejected {4}0\n {2}passed over 1\n/,
      );
      assert.match(stdout, /\nPassed over, because they are no transfers:\n {2}1: an amount of 0,/);
      const again = await run(['import', 'transfers', fixture('transfers/etherscan.csv'), ...into]);
      assert.match(again, /\n {2}added {7}0\n {2}duplicate {3}2\n/);
      const dune = await run(['import', 'transfers', fixture('transfers/dune-evm.csv'), ...into]);
      assert.match(
        dune,
        /\n {2}added {7}0\n {2}duplicate {3}2\n {2}conflicting 0\n {2}rejected {4}1\n {2}passed over 2\n/,
      );
      assert.match(dune, /dune-evm\.csv row 4: token_amount is missing: Dune does not know the decimals of the token/);
      assert.match(dune, /\nPassed over, because they are of other chains than the store:\n {2}1: polygon\n/);
      const rows = await stored(db);
      assert.deepEqual(netOf(rows, first), { [usdc]: -1250.5, [weth]: 2.5 });
      assert.ok(rows.every(({ cost_usd, includes_swaps }) => cost_usd === null && includes_swaps));
    });

    test('an export of Solscan is stored, and with --value-arrivals at the cost that its values say', async () => {
      for (const [name, options, cost] of [
        ['plain', [], null],
        ['valued', ['--value-arrivals'], 231.25],
      ] as const) {
        const db = named(name);
        const into = ['--db', db, '--config', solana];
        await run(['import', 'transfers', fixture('transfers/solscan.csv'), ...options, ...into]);
        const rows = await stored(db);
        assert.deepEqual(netOf(rows, 'Trader1'), { MintWif: -73, [WSOL]: 1.25 });
        assert.equal(rows.find(({ tx_hash: hash }) => hash === 'TxOne')?.cost_usd, cost);
      }
    });

    test('one file of Cielo gives both imports their rows, and each counts the others', async () => {
      const db = named('cielo');
      const into = ['--db', db, '--config', solana];
      const swaps = await run(['import', 'swaps', fixture('cielo.json'), ...into]);
      assert.match(
        swaps,
        /\n {2}added {7}1\n[\s\S]*\nPassed over, because they are no swaps:\n {2}2: tx_type is "transfer"\n/,
      );
      const transfers = await run(['import', 'transfers', fixture('cielo.json'), ...into]);
      assert.match(
        transfers,
        /\n {2}added {7}1\n {2}duplicate {3}1\n[\s\S]*\nPassed over, because they are no transfers:\n {2}1: tx_type is "swap"\n {2}1: tx_type is "lp"\n/,
      );
      assert.deepEqual(netOf(await stored(db), 'Trader2'), { MintWif: 48 });
    });

    test('what left takes its lots along: their cost is away, and what is held is what is there', async () => {
      for (const [name, kinds] of [
        ['swaps-first', ['swaps', 'transfers']],
        ['transfers-first', ['transfers', 'swaps']],
      ] as const) {
        const into = ['--db', named(name), '--config', solana];
        for (const kind of kinds) await run(['import', kind, fixture('cielo.json'), ...into]);
        const { holding, metadata } = await position(named(name), 'Trader1', 'MintWif');
        // 120.5 bought for 231.25 USD, of which 48 went to another wallet.
        assert.equal(metadata.state, 'open');
        assert.deepEqual([holding.balance, holding.away_amount, holding.realized_pnl], [72.5, 48, 0]);
        assert.ok(Math.abs(holding.away_cost - (231.25 * 48) / 120.5) < 1e-9, String(holding.away_cost));
        assert.ok(Math.abs(holding.cost_basis - (231.25 * 72.5) / 120.5) < 1e-9, String(holding.cost_basis));
      }
    });

    test('an export that lists what swaps moved shows what a tax took, and moves nothing twice', async () => {
      const [token, dollars, pool] = ['e1', 'a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'c1'].map(evmAddress) as [
        ...[string, string, string],
      ];
      const [bought, sold] = ['1', '2'].map((digit) => `0x${digit.repeat(64)}`);
      const own = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
      const swaps = [
        `${bought},0,1710665692,${first},${dollars},${token},100,100`,
        `${sold},0,1710665792,${first},${token},${dollars},95,95`,
      ];
      await writeFile(path(`taxed-${engine}.csv`), [own, ...swaps, ''].join('\n'));
      const head = (await readFile(fixture('transfers/etherscan.csv'), 'utf8')).split('\n')[0]!;
      const line = (hash: string, time: number, from: string, to: string, amount: number, of: string): string =>
        `"${hash}","1","${time}","","${from}","${to}","${amount}","","${of}","",""`;
      const movements = [
        line(bought!, 1710665692, first, pool, 100, dollars),
        line(bought!, 1710665692, pool, first, 95, token),
        line(sold!, 1710665792, first, pool, 95, token),
        line(sold!, 1710665792, pool, first, 95, dollars),
      ];
      await writeFile(path(`moved-${engine}.csv`), [head, ...movements, ''].join('\n'));
      const into = ['--db', named('taxed'), '--config', ethereum];
      await run(['import', 'swaps', path(`taxed-${engine}.csv`), ...into]);
      const before = await position(named('taxed'), first, token);
      // Without the movements 95 of 100 were sold at what they cost.
      assert.deepEqual([before.holding.realized_pnl, before.metadata.state], [0, 'open']);
      await run(['import', 'transfers', path(`moved-${engine}.csv`), ...into]);
      const { holding, metadata } = await position(named('taxed'), first, token);
      assert.deepEqual([holding.realized_pnl, holding.balance, holding.away_amount], [-5, 0, 0]);
      assert.equal(metadata.state, 'closed');
    });

    test('transfers of standard input, columns of other names and a SELECT are stored as those of own columns', async () => {
      const rows = (names: string): string =>
        `${names}\nh,1710665692,MintWif,3,V,W,30\nh,1710665692,MintWif,3,V,W,30\n`;
      const own = 'tx_hash,block_time,token,token_amount,from,to,cost_usd';
      const theirs = 'hash,block_time,token,amount,from,to,paid';
      await writeFile(path(`theirs-${engine}.csv`), rows(theirs));
      const sql =
        'select hash as tx_hash, block_time, token, amount as token_amount, "from", "to", paid as cost_usd from input';
      const mapped = ['--map', 'hash=tx_hash', '--map', 'amount=token_amount', '--map', 'paid=cost_usd'];
      const all: (readonly Row[])[] = [];
      for (const [name, args, options] of [
        ['own', ['-'], { input: rows(own) }],
        ['map', [path(`theirs-${engine}.csv`), ...mapped], {}],
        ['sql', [path(`theirs-${engine}.csv`), '--sql', sql], {}],
      ] as const) {
        const db = named(name);
        await run(['import', 'transfers', ...args, '--db', db, '--config', solana], options);
        all.push(await stored(db));
      }
      const [given, ...others] = all;
      assert.equal(given!.length, 2, 'equal rows of one file are two transfers');
      assert.deepEqual(netOf(given!, 'W'), { MintWif: 6 });
      assert.equal(given![0]!.cost_usd, 30);
      for (const other of others) assert.deepEqual(other, given);
    });

    test('rows at fault are named with field, value and what would do, written to --rejects, and make no store alone', async () => {
      const file = path(`faults-${engine}.csv`);
      const rows = [
        'tx_hash,block_time,token,token_amount,from,to,includes_swaps',
        'h,1710665692,T,many,V,W,',
        'h,yesterday,T,1,V,W,',
        'h,1710665692,T,1,V,W,perhaps',
        'h,1710665692,T,1,,,',
        'h,1710665692,T,-1,V,W,',
      ];
      await writeFile(file, `${rows.join('\n')}\n`);
      const db = named('faults');
      const left = path(`left-${engine}.ndjson`);
      const { code, stdout } = await runCli([
        'import',
        'transfers',
        file,
        '--db',
        db,
        '--config',
        solana,
        '--rejects',
        left,
      ]);
      assert.equal(code, 1);
      assert.equal(await isThere(db), false);
      assert.match(stdout, /row 1: token_amount is not a number: "many"/);
      assert.match(stdout, /row 2: block_time is no time: give Unix seconds/);
      assert.match(stdout, /row 3: includes_swaps must be true or false, not "perhaps"/);
      const lines = (await readFile(left, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        lines.map(({ row, field }) => [row, field]),
        [
          [1, 'token_amount'],
          [2, 'block_time'],
          [3, 'includes_swaps'],
          [4, 'from'],
          [5, 'token_amount'],
        ],
      );
    });
  });
}

test('--dry-run shows the preset, its SELECT, the first transfers and counts, and writes nothing', async () => {
  const stdout = await run(['import', 'transfers', fixture('transfers/solscan.csv'), '--dry-run', '--config', solana]);
  assert.match(stdout, /^solscan\.csv: preset solscan\n/);
  assert.match(
    stdout,
    /\nselect\n[\s\S]*\n {2}units\("Amount", "Decimals"\) as token_amount,\n[\s\S]*\n {2}true as includes_swaps,\n/,
  );
  const shown = [...stdout.matchAll(/^ {2}(\{.*\})$/gm)].map(([, json]) => JSON.parse(json!) as Row);
  assert.deepEqual(
    shown.map(({ tx_hash, token_amount, from }) => [tx_hash, token_amount, from]),
    [
      ['TxOne', 120.5, 'Trader1'],
      ['TxTwo', 48, null],
      ['TxTwo', 1.25, 'Trader2'],
    ],
  );
  assert.match(
    stdout,
    /\nRead 5 rows\. Nothing was written\.\n {2}transfers {3}4\n {2}rejected {4}0\n {2}passed over 1\n/,
  );
});

test('a file of the other kind is refused with the command that takes it', async () => {
  for (const [kind, file, other] of [
    ['swaps', 'transfers/solscan.csv', 'transfers'],
    ['transfers', 'dune-solana.csv', 'swaps'],
  ] as const) {
    const { code, stderr } = await runCli(['import', kind, fixture(file), '--dry-run', '--config', solana]);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`has the columns of ${other}, .*: import it with swapfold import ${other}\\.`));
  }
  const { stderr } = await runCli([
    'import',
    'transfers',
    fixture('transfers/solscan.csv'),
    '--dry-run',
    '--preset',
    'helius',
  ]);
  assert.match(stderr, /The preset helius is of swaps: give it with swapfold import swaps, or one of transfers\./);
});

test('--balances ignore stores no balance of a feed, and takes no other word', async () => {
  const own = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
  const file = path('zeros.csv');
  await writeFile(file, `${own},pre_token_balance_out,post_token_balance_out\nh,0,1710665692,W,A,B,1,2,0,0\n`);
  const sql = 'select * from input';
  for (const [name, args] of [
    ['columns.db', [file]],
    ['select.db', [file, '--sql', sql]],
  ] as const) {
    const into = ['--db', path(name), '--config', solana];
    await run(['import', 'swaps', ...args, '--balances', 'ignore', ...into]);
    const { data } = JSON.parse(await run(['query', 'swaps.list', '{"limit":1}', '--db', path(name)]));
    assert.deepEqual([data[0].pre_token_balance_out, data[0].post_token_balance_out], [null, null]);
  }
  const { code, stderr } = await runCli(['import', 'swaps', file, '--balances', 'zero', '--db', path('no.db')]);
  assert.equal(code, 2);
  assert.match(stderr, /--balances <how>.*'zero' is invalid\. Allowed choices are ignore/);
});

test('balances that deny those before them are warned of with what to do, and not where they are ignored', async () => {
  const names = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
  const zeros = Array.from({ length: 8 }, (_, i) => `h${i},0,${1710665692 + i},W,${WSOL},MintWif,1,10,0,10`);
  const file = path('denied.csv');
  await writeFile(file, [`${names},pre_token_balance_out,post_token_balance_out`, ...zeros, ''].join('\n'));
  for (const [name, args, isWarned] of [
    ['denied.db', [], true],
    ['ignored.db', ['--balances', 'ignore'], false],
  ] as const) {
    const { code, stderr } = await runCli(['import', 'swaps', file, ...args, '--db', path(name), '--config', solana]);
    assert.equal(code, 0, stderr);
    // Before all but the first one the balance is 0, and after the one before it was 10.
    const warning =
      /^Warning: of 87\.5% of the trades the balance before denies .*\n.* --balances ignore into a new store\.\n.* swapfold import transfers FILE/m;
    assert.equal(warning.test(stderr), isWarned, stderr);
  }
});
