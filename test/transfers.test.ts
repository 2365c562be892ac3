import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, Swapfold, type SwapInput, type TransferColumns, type TransferInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';

const DAY = 1_735_689_600;
const config = {
  address_format: 'any',
  quote_tokens: [
    { address: 'usd', symbol: 'USD', kind: 'stable' },
    { address: 'sol', symbol: 'SOL', kind: 'native', aliases: ['wsol'] },
  ],
} as const;

type Row = TransferInput;

const transfer = (row: Partial<Row>): Row => ({
  tx_hash: 'a',
  transfer_index: 0,
  block_time: DAY,
  token: 'x',
  token_amount: 5,
  from: 'ann',
  to: 'bob',
  ...row,
});

const swap = (row: Partial<SwapInput>): SwapInput => ({
  tx_hash: 's',
  swap_index: 0,
  block_time: DAY,
  wallet: 'ann',
  token_in: 'usd',
  token_amount_in: 10,
  token_out: 'x',
  token_amount_out: 5,
  ...row,
});

async function inStore<T>(run: (dex: Swapfold) => Promise<T>, storage = memory()): Promise<T> {
  const dex = await Swapfold.open({ storage, config });
  try {
    return await run(dex);
  } finally {
    await dex.close();
  }
}

/** What a store lists, short. */
async function listed(dex: Swapfold, ...names: readonly (keyof Row)[]): Promise<unknown[]> {
  const { data } = await dex.transfers.list({ limit: 100 });
  return data.map((row) => (names.length === 1 ? row[names[0] as 'kind'] : names.map((name) => row[name as 'kind'])));
}

test('a transfer is listed with all that it says', () =>
  inStore(async (dex) => {
    const whole = {
      ...transfer({ block_slot: 7, tx_index: 3, cost_usd: 0, kind: 'airdrop', includes_swaps: true }),
      block_time: DAY + 0.25,
    };
    const result = await dex.transfers.ingest([whole]);
    assert.deepEqual(result, {
      ...{ added: 1, duplicate: 0, conflicting: 0, rejected: 0 },
      ...{ rejects: [], conflicts: [], unknown_fields: [] },
    });
    const { tx_index: _, ...served } = { ...whole, block_time: DAY, token_symbol: null };
    assert.deepEqual(await dex.transfers.list({}), { count: 1, data: [served] });
    const bare = await dex.transfers.ingest([
      { tx_hash: 'b', block_time: DAY + 1, token: 'usd', token_amount: 1, to: 'ann' },
    ]);
    assert.equal(bare.added, 1);
    const { data } = await dex.transfers.list({ token: 'usd' });
    assert.deepEqual(
      data.map(({ transfer_index, ...row }) => [transfer_index >= 2 ** 52, row]),
      [
        [
          true,
          {
            ...{ tx_hash: 'b', block_time: DAY + 1, block_slot: null, token: 'usd', token_symbol: 'USD' },
            ...{ token_amount: 1, from: null, to: 'ann', cost_usd: null, kind: null, includes_swaps: false },
          },
        ],
      ],
    );
  }));

for (const [title, row, field, reason] of [
  ['without a hash', { tx_hash: '' }, 'tx_hash', /^is missing/],
  ['without a token', { token: '' }, 'token', /^is missing/],
  ['of an amount below 0', { token_amount: -1 }, 'token_amount', /^must be a number that is at most/],
  ['of an index that is no whole number', { transfer_index: 1.5 }, 'transfer_index', /^must be a whole number/],
  ['of a flag that is none', { includes_swaps: 1 as never }, 'includes_swaps', /^must be true or false, not 1$/],
  ['of a cost below 0', { cost_usd: -0.5 }, 'cost_usd', /^must be a number/],
  ['from nobody to nobody', { from: null, to: null }, 'from', /^is nobody, as "to" is/],
  ['from nobody to the zero address', { from: null, to: `0x${'0'.repeat(40)}` }, 'from', /^is nobody, as "to" is/],
  ['from what is no address', { from: 'a b' }, 'from', /^is not an address of format "any": "a b"$/],
  ['of no object', 7 as never, 'tx_hash', /^is missing: the row is 7, not an object$/],
] as const)
  test(`a row ${title} is rejected, the others are stored`, () =>
    inStore(async (dex) => {
      const rows = [transfer({ tx_hash: 'good' }), typeof row === 'number' ? row : transfer(row as Partial<Row>)];
      const { added, rejected, rejects } = await dex.transfers.ingest(rows);
      assert.deepEqual([added, rejected], [1, 1]);
      assert.deepEqual([rejects[0]!.row, rejects[0]!.field], [1, field]);
      assert.match(rejects[0]!.reason, reason);
    }));

test('what moves nothing is passed over and counted', () =>
  inStore(async (dex) => {
    const wraps = [
      transfer({ token: 'wsol', from: `0x${'0'.repeat(40)}`, tx_hash: 'c' }),
      transfer({ token: 'sol', to: 'wsol', tx_hash: 'd' }),
      transfer({ token: 'sol', from: 'sol', tx_hash: 'e' }),
    ];
    const { added, passed_over } = await dex.transfers.ingest([transfer({ token_amount: 0 }), transfer({}), ...wraps]);
    assert.deepEqual([added, passed_over], [1, 4]);
    // From one wallet to another it is no wrap, nor where nothing is said of the other side.
    const others = [transfer({ token: 'wsol', tx_hash: 'f' }), transfer({ token: 'wsol', from: null, tx_hash: 'g' })];
    assert.equal((await dex.transfers.ingest(others)).added, 2);
  }));

test('fields that no transfer has are named, with the nearest', () =>
  inStore(async (dex) => {
    const rows = [{ ...transfer({}), cost_usd: null, cost_us: 5 }];
    const { added, unknown_fields } = await dex.transfers.ingest(rows);
    assert.equal(added, 1);
    assert.deepEqual(unknown_fields, [{ field: 'cost_us', rows: 1, nearest: 'cost_usd' }]);
  }));

test('a repeat changes nothing; of other values the first ones stay, another place is no other value', () =>
  inStore(async (dex) => {
    await dex.transfers.ingest([transfer({ kind: 'gift' })]);
    const again = await dex.transfers.ingest([transfer({ kind: 'gift', block_slot: 9 }), transfer({ kind: 'loan' })]);
    assert.deepEqual([again.added, again.duplicate, again.conflicting], [0, 1, 1]);
    assert.deepEqual(again.conflicts, [
      { row: 1, tx_hash: 'a', transfer_index: 0, reason: '"kind" differs from the row known under this identity' },
    ]);
    assert.deepEqual(await listed(dex, 'kind'), ['gift']);
    for (const other of [
      { token: 'y' },
      { from: 'cid' },
      { to: null },
      { token_amount: 6 },
      { cost_usd: 1 },
      { includes_swaps: true },
    ])
      assert.equal((await dex.transfers.ingest([transfer({ kind: 'gift', ...other })])).conflicting, 1);
  }));

for (const order of ['swaps first', 'transfers first'])
  test(`${order}: transfers stand where the swaps of their transaction stand`, () =>
    inStore(async (dex) => {
      const swaps = [swap({ tx_hash: 'a', block_time: DAY + 30, block_slot: 44 })];
      const rows = [transfer({ block_time: DAY + 99, block_slot: 12, tx_index: 4 }), transfer({ transfer_index: 1 })];
      if (order === 'swaps first') await dex.ingest(swaps);
      assert.equal((await dex.transfers.ingest(rows)).added, 2);
      if (order === 'transfers first') {
        const place = [DAY, 12];
        assert.deepEqual(await listed(dex, 'block_time', 'block_slot'), [place, place]);
        await dex.ingest(swaps);
      }
      const place = [DAY + 30, 44];
      assert.deepEqual(await listed(dex, 'block_time', 'block_slot'), [place, place]);
      assert.equal((await dex.transfers.ingest([transfer({ transfer_index: 2, block_time: DAY - 50 })])).added, 1);
      assert.deepEqual(await listed(dex, 'block_time', 'block_slot'), [place, place, place]);
      assert.equal((await dex.verify()).different, 0);
    }));

const row = (): Row => {
  const { transfer_index: _, ...rest } = transfer({});
  return rest;
};
const columnsOf = (rows: readonly Row[], file: string): TransferColumns => ({
  length: rows.length,
  columns: {
    tx_hash: rows.map(({ tx_hash }) => tx_hash),
    block_time: Float64Array.from(rows, ({ block_time }) => block_time),
    token: rows.map(({ token }) => token),
    token_amount: Float64Array.from(rows, ({ token_amount }) => token_amount),
    from: rows.map(({ from = null }) => from),
    to: rows.map(({ to = null }) => to),
  },
  file,
  numbers: 2,
});

test('rows without an index: the same row of two files is one transfer, twice in one file it is two', () =>
  inStore(async (dex) => {
    const two = await dex.transfers.ingest([columnsOf([row()], 'ann.csv'), columnsOf([row()], 'bob.csv')]);
    assert.deepEqual([two.added, two.duplicate], [1, 1]);
    // One call counts over its batches.
    const more = await dex.transfers.ingest([columnsOf([row()], 'cid.csv'), columnsOf([row()], 'cid.csv')]);
    assert.deepEqual([more.added, more.duplicate], [1, 1]);
    assert.deepEqual(await listed(dex, 'token_amount'), [5, 5]);
    const other = await dex.transfers.ingest([
      { ...row(), token_amount: 5 + 1e-12 },
      { ...row(), token_amount: 5.001 },
    ]);
    assert.deepEqual([other.added, other.duplicate, other.conflicting], [1, 1, 0]);
  }));

for (const order of ['files first', 'node first'])
  test(`${order}: of equal rows with given and with made indexes the larger number counts`, () =>
    inStore(async (dex) => {
      const files = [row(), row(), { ...row(), cost_usd: 3 }];
      const node = [
        transfer({ transfer_index: 8 }),
        transfer({ transfer_index: 4 }),
        transfer({ transfer_index: 5, to: 'cid' }),
      ];
      const counts = [];
      for (const rows of order === 'files first' ? [files, node, files, node] : [node, files, node, files]) {
        const { added, duplicate, conflicting } = await dex.transfers.ingest(rows);
        counts.push([added, duplicate, conflicting]);
      }
      assert.deepEqual(counts.slice(2), [
        [0, 3, 0],
        [0, 3, 0],
      ]);
      const { data } = await dex.transfers.list({});
      const found = data.map((one) => [
        one.transfer_index >= 2 ** 52 ? 'made' : one.transfer_index,
        one.to,
        one.cost_usd,
      ]);
      assert.deepEqual(found, [
        ['made', 'bob', 3],
        [8, 'bob', null],
        [5, 'cid', null],
        [4, 'bob', null],
      ]);
      assert.equal((await dex.verify()).different, 0);
    }));

for (const isFirst of [true, false])
  test(`what a row with a made index alone says goes over to the given one that comes ${isFirst ? 'before' : 'behind'} it`, () =>
    inStore(async (dex) => {
      const made = [{ ...row(), cost_usd: 3, kind: 'buy' }];
      const given = [transfer({ kind: 'gift' })];
      const results = [];
      for (const rows of isFirst ? [given, made] : [made, given]) results.push(await dex.transfers.ingest(rows));
      assert.deepEqual(await listed(dex, 'transfer_index', 'cost_usd', 'kind'), [[0, 3, isFirst ? 'gift' : 'buy']]);
      assert.match(results[1]!.conflicts[0]!.reason, /^"kind" differs/);
      assert.deepEqual([results[1]!.added, results[1]!.conflicting], [0, 1]);
    }));

for (const engine of Object.keys(engines))
  test(`${engine}: pages run from the newest on, each transfer once, of a wallet from both sides, of a token, of both`, () =>
    withFolder((folder) =>
      inStore(async (dex) => {
        const rows = Array.from({ length: 60 }, (_, i) =>
          transfer({
            tx_hash: `t${i % 20}`,
            transfer_index: Math.floor(i / 20),
            block_time: DAY + (i % 4),
            block_slot: i % 3 === 0 ? null : (i % 20) % 5,
            tx_index: i % 2 === 0 ? null : (i % 20) % 3,
            token: i % 5 === 0 ? 'y' : 'x',
            from: ['ann', 'bob', 'cid', null][i % 4]!,
            to: ['bob', 'cid', 'ann'][i % 3]!,
          }),
        );
        for (const part of [rows.slice(20), rows.slice(0, 20)]) await dex.transfers.ingest(part);
        const all = (await dex.transfers.list({ limit: 100 })).data;
        assert.equal(all.length, 60);
        const placed = all.map(({ block_time, block_slot }) => [block_time, block_slot ?? -1]);
        assert.deepEqual(
          placed,
          [...placed].sort((a, b) => b[0]! - a[0]! || b[1]! - a[1]!),
        );
        for (const [request, holds] of [
          [{}, () => true],
          [{ wallet: 'ann' }, (one) => one.from === 'ann' || one.to === 'ann'],
          [{ token: 'y' }, (one) => one.token === 'y'],
          [{ wallet: 'bob', token: 'x' }, (one) => one.token === 'x' && (one.from === 'bob' || one.to === 'bob')],
          [{ wallet: 'nobody' }, () => false],
        ] as readonly (readonly [object, (one: (typeof all)[number]) => boolean])[]) {
          const expected = all.filter(holds);
          const found = [];
          for await (const page of dex.pages('transfers.list', { ...request, limit: 7 })) {
            assert.equal(page.count, expected.length);
            found.push(...page.data);
          }
          assert.deepEqual(found, expected, JSON.stringify(request));
        }
        const early = await dex.at(DAY + 1).transfers.list({ limit: 100 });
        assert.deepEqual(
          early.data,
          all.filter(({ block_time }) => block_time <= DAY + 1),
        );
      }, engines[engine]!(folder)),
    ));
