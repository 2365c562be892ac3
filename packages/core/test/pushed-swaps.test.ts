import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import type { WritableStore } from '../src/api/operation.ts';
import { ingestSwaps } from '../src/api/operations/writes.ts';
import { swapField, swapFieldNames } from '../src/host.ts';
import { memory, Swapfold, type SwapInput } from '../src/index.ts';
import { rowSchema } from '../src/ingest/field-rules.ts';
import { fieldsOfSwaps } from '../src/records/swap-fields.ts';

const numbers = [
  ...[-1, 0, 1, 1.5, 255, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53],
  ...[1_230_940_799, 1_230_940_800, 1_735_689_600.25, 8_589_934_591, 8_589_934_592, 1e200, 1.1e200],
];
const texts = ['a', 'a'.repeat(128), 'a'.repeat(129), 'a'.repeat(256), 'a'.repeat(257)];

/** Of each field but addresses, whose texts a schema does not tell apart, a row with each of the values. */
function rowsOf(base: SwapInput): readonly SwapInput[] {
  return swapFieldNames.flatMap((name) => {
    const { type } = swapField(name);
    if (type === 'address') return [];
    const values = type === 'hash' || type === 'name' || type === 'identifier' ? texts : numbers;
    // Both amounts of a pool, or neither.
    const names = name.startsWith('pool_amount_') ? ['pool_amount_in', 'pool_amount_out'] : [name];
    return [...values, null].map((value) => ({ ...base, ...Object.fromEntries(names.map((one) => [one, value])) }));
  });
}

for (const [title, config, wallet, tokens] of [
  ['any', { address_format: 'any' }, 'ann', ['A', 'B']],
  ['solana', {}, 'A'.repeat(44), ['T'.repeat(44), 'U'.repeat(44)]],
  ['evm', { preset: 'ethereum' }, `0x${'a'.repeat(40)}`, [`0x${'b'.repeat(40)}`, `0x${'c'.repeat(40)}`]],
] as const)
  test(`addresses of format ${title}: the schema of a pushed swap takes what the checks of rows take`, async () => {
    const dex = await Swapfold.open({ storage: memory(), config });
    const rows = rowsOf({
      tx_hash: 'hash',
      swap_index: 0,
      block_time: 1_735_689_600,
      wallet,
      token_in: tokens[0],
      token_amount_in: 1,
      token_out: tokens[1],
      token_amount_out: 1,
    }).map((row, i) => (row.tx_hash === 'hash' ? { ...row, tx_hash: `hash${i}` } : row));
    const { rejects, conflicting } = await dex.ingest(rows);
    assert.ok(rows.length > 250 && conflicting === 0, String(rows.length));
    const reasons = new Map(rejects.map(({ row, field, reason }) => [row, `${field} ${reason}`]));
    const schema = rowSchema(fieldsOfSwaps, dex.config.address_format);
    for (const [i, row] of rows.entries())
      assert.equal(v.safeParse(schema, row).success, !reasons.has(i), `${JSON.stringify(row)}: ${reasons.get(i)}`);
    await dex.close();
  });

test('a push that is stored is answered so, also where the store closes before it is asked how new it is', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { address_format: 'any' } });
  const swap = { tx_hash: 'a', swap_index: 0, block_time: 1_735_689_600, wallet: 'w', token_in: 'x', token_out: 'y' };
  const store: WritableStore = {
    ...({ config: dex.config, ingest: dex.ingest.bind(dex) } as unknown as WritableStore),
    status: () => dex.close().then(() => dex.status()),
  };
  const sent = [{ ...swap, token_amount_in: 1, token_amount_out: 2 }];
  const { added, as_of } = (await ingestSwaps.write.run(store, sent, {})) as { added: number; as_of: number | null };
  assert.deepEqual([added, as_of], [1, null]);
});
