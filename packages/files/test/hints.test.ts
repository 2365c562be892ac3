import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { parseConfig } from '@swapfold/core/host';
import fc from 'fast-check';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import { importFiles } from '../src/index.ts';
import { rowKinds } from '../src/row-kinds.ts';

const path = await temporaryFolder(after);
const config = parseConfig({ address_format: 'any' });

const good: Readonly<Record<string, string>> = {
  tx_hash: 'h',
  block_time: '1700000000',
  wallet: 'W',
  token_in: 'S',
  token_out: 'T',
  token_amount_in: '1',
  token_amount_out: '5',
};

type Rows = readonly (readonly string[])[];

function file(name: string, header: readonly string[], rows: Rows): string {
  writeFileSync(path(name), `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`);
  return path(name);
}

const columnsOf = (columns: Readonly<Record<string, readonly string[]>>, rows: number): [string[], Rows] => [
  Object.keys(columns),
  Array.from({ length: rows }, (_, row) => Object.values(columns).map((values) => values[row]!)),
];

/** What a dry run says: its error, or the hints at unused columns. */
async function said(given: string, map: Readonly<Record<string, string>> = {}) {
  const importing = importFiles({ config }, given, { map });
  const unused: string[] = [];
  try {
    for await (const step of importing) if (step.kind === 'file') unused.push(...step.unused);
    return { error: '', unused, rejects: (await importing).rejects };
  } catch (error) {
    return { error: (error as Error).message, unused, rejects: [] };
  }
}

/** The file's column by the field that a message proposes it for. */
function proposals(error: string): [field: string, column: string][] {
  const several = [...error.matchAll(/"(\w+)" \(did you mean its "(\w+)"\?\)/g)].map(([, f, c]) => [f!, c!] as const);
  const [, field] = /has no column "(\w+)"/.exec(error) ?? [];
  const [, column] = / Did you mean "(\w+)"\?/.exec(error) ?? [];
  return [...several, ...(field !== undefined && column !== undefined ? [[field, column] as const] : [])].map(
    ([f, c]) => [f, c],
  );
}

const cases: readonly [what: string, field: string, column: string, values: readonly string[], isMeant: boolean][] = [
  ['a time of a block', 'block_time', 'blocktime', ['1700000000', '1700000060'], true],
  ['milliseconds', 'block_time', 'block_tme', ['1700000000000'], true],
  ['a written time', 'block_time', 'blocktime', ['2024-01-05 00:00:00'], true],
  ['a name for a time', 'block_time', 'block_name', ['alpha'], false],
  ['the number of a block for its time', 'block_time', 'block_item', ['19000000'], false],
  ['a day that its month does not have', 'block_time', 'blocktime', ['2024-02-30 00:00:00'], false],
  ['a wallet', 'wallet', 'walet', ['W1', 'W2'], true],
  ['a number for a wallet', 'wallet', 'wallets', ['12'], false],
  ['a text with a space for a wallet', 'wallet', 'wallets', ['the first'], false],
  ['a wallet that one row lacks', 'wallet', 'wallets', ['W1', ''], false],
  ['an amount', 'token_amount_in', 'token_amountin', ['1.5'], true],
  ['a negative amount', 'token_amount_in', 'token_amountin', ['-1.5'], false],
  ['an address for an amount', 'token_amount_in', 'token_mint_in', ['So11'], false],
];

for (const [what, field, column, values, isMeant] of cases)
  test(`${what} is ${isMeant ? '' : 'not '}proposed for ${field}`, async () => {
    const { [field]: _, ...others } = good;
    const all = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, values.map(() => value)]));
    const [header, rows] = columnsOf({ ...all, [column]: values }, values.length);
    const { error } = await said(file('case.csv', header, rows));
    assert.match(error, new RegExp(`^case\\.csv has no column "${field}"`));
    assert.equal(error.includes('Did you mean'), isMeant, error);
    writeFileSync(
      path('case.ndjson'),
      rows.map((row) => `${JSON.stringify(Object.fromEntries(row.map((value, i) => [header[i]!, value])))}\n`).join(''),
    );
    assert.equal((await said(path('case.ndjson'))).error.includes('Did you mean'), isMeant, 'of JSON');
  });

test('an unused column is hinted at as a field only if its values could be those of the field', async () => {
  const columns = Object.fromEntries(Object.entries(good).map(([name, value]) => [name, [value]]));
  const slot = async (value: string) => {
    const [header, rows] = columnsOf({ ...columns, block_slt: [value] }, 1);
    return (await said(file('unused.csv', header, rows))).unused;
  };
  assert.deepEqual(await slot('12'), ['"block_slt" (did you mean "block_slot"?)']);
  assert.deepEqual(await slot('1.5'), ['"block_slt"']);
  assert.deepEqual(await slot('raydium'), ['"block_slt"']);
});

test('the rows of a column that is proposed for a field are not rejected for that field', async () => {
  const value = fc.constantFrom(
    ...['', 'W', 'a b', '0', '12', '1.5', '-1', '1e300', '1e999', 'nan', 'true', 'null', '1700000000', '1700000000000'],
    ...[
      '2024-01-05T00:00:00Z',
      '2024-13-05 00:00:00',
      '2024-02-30 00:00:00',
      '0x00',
      '1_000',
      '19000000',
      'x'.repeat(200),
    ],
  );
  const field = fc.constantFrom(...Object.keys(good));
  // A name with one character fewer, or more.
  const slip = fc.tuple(field, fc.nat(20), fc.boolean()).map(([name, at, isMore]) => {
    const place = at % name.length;
    return isMore ? `${name.slice(0, place)}x${name.slice(place)}` : name.slice(0, place) + name.slice(place + 1);
  });
  const others = Object.keys(rowKinds.swaps.fields);
  const column = slip.filter((name) => !others.includes(name));
  const values = fc.oneof(
    fc.array(value, { minLength: 3, maxLength: 3 }),
    value.map((one) => [one, one, one]),
  );
  let proposed = 0;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(column, values, { minKeys: 1, maxKeys: 6 }), field, async (columns, kept) => {
      const [header, rows] = columnsOf({ [kept]: Array(3).fill(good[kept]), ...columns }, 3);
      for (const [name, theirs] of proposals((await said(file('any.csv', header, rows))).error)) {
        proposed++;
        const all = Object.fromEntries(Object.entries(good).map(([one, text]) => [one, Array(3).fill(text)]));
        const { [name]: _, ...rest } = all;
        const [mapped, cells] = columnsOf({ ...rest, [theirs]: columns[theirs]! }, 3);
        const { error, rejects } = await said(file('mapped.csv', mapped, cells), { [theirs]: name });
        assert.equal(error, '');
        assert.deepEqual(
          rejects.filter((reject) => reject.field === name),
          [],
        );
      }
    }),
    { seed: 20_240_105, numRuns: 60 },
  );
  assert.ok(proposed >= 20, `${proposed} proposals`);
});
