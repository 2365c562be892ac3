import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { columnsToObjects, memory, Swapfold, type SwapInput } from '@swapfold/core';
import { swapFieldNames } from '@swapfold/core/host';
import { isWhole } from '../../../test/support/whole.ts';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import { createRandom } from '../../testing/src/conformance/random.ts';
import { readSwapFile } from '../src/read-swap-file.ts';

const SEED = 2024;
const TABLES = isWhole ? 200 : 5;
const path = await temporaryFolder(after);
const random = createRandom(SEED);
const below = (n: number): number => Math.floor(random() * n);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;

type Row = Record<string, string | number | null>;

const words = [
  '猫',
  'a,b',
  'say "hi"',
  ' spaced ',
  "o'clock",
  'semi;colon',
  'tab\there',
  'two\nlines',
  '404',
  'true',
  '{x',
  '\\n',
  '$$',
];

function randomRow(i: number): Row {
  const amount = (): number => pick([below(1e6), random() * 1e-6, random() * 1e12, below(1000) / 8]);
  const maybe = <T>(value: T): T | null => (random() < 0.3 ? null : value);
  return {
    tx_hash: `h${i}`,
    swap_index: below(5),
    block_time: 1_700_000_000 + below(1_000_000),
    wallet: pick(['W1', 'W2', '0xAb', 'w w']),
    token_in: pick(['A', 'B', 'C']),
    token_out: pick(['D', 'E']),
    token_amount_in: amount(),
    token_amount_out: amount(),
    token_symbol_in: maybe(pick(words)),
    token_symbol_out: maybe(pick(words)),
    protocol: maybe(pick(['x', 'y z'])),
    block_slot: maybe(below(1e9)),
    usd_amount_in: maybe(amount()),
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(below(left.length), 1)[0]!);
}

function csvOf(rows: readonly Row[], columns: readonly string[]): string {
  const delimiter = pick([',', ';', '\t']);
  const end = pick(['\n', '\r\n']);
  const quoteAll = random() < 0.5;
  const field = (value: Row[string]): string => {
    const text = value === null ? pick(['', '<nil>', '\\N']) : String(value);
    const needs = value !== null && (quoteAll || /[,;\t"\n\r]/.test(text));
    return needs ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    columns.join(delimiter),
    ...rows.map((row) => columns.map((name) => field(row[name]!)).join(delimiter)),
  ];
  return lines.join(end) + pick(['', end]);
}

function jsonOf(row: Row, columns: readonly string[]): Row {
  const entries = columns.map(
    (name) => [name, typeof row[name] === 'number' && random() < 0.3 ? String(row[name]) : row[name]!] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== null || random() < 0.5));
}

/** The file of rows in each format. */
async function filesOf(table: number, rows: readonly Row[]): Promise<Record<string, string>> {
  const names = swapFieldNames.filter((name) => rows[0]![name] !== undefined);
  const files: Record<string, string> = {};
  const write = (name: string, content: string | Uint8Array): void => {
    files[name] = path(`${table}-${name}`);
    writeFileSync(files[name], content);
  };
  write('rows.csv', csvOf(rows, shuffled(names)));
  write('rows.csv.gz', gzipSync(csvOf(rows, shuffled(names))));
  const columns = shuffled(names);
  const lines = rows.map((row) => JSON.stringify(jsonOf(row, columns))).join('\n');
  write('rows.ndjson', lines);
  write(
    'rows.json',
    JSON.stringify(
      rows.map((row) => jsonOf(row, columns)),
      null,
      below(3),
    ),
  );
  write('nested.json', JSON.stringify({ page: 1, data: { found: rows.map((row) => jsonOf(row, columns)) } }));
  files['rows.parquet'] = path(`${table}-rows.parquet`);
  const connection = await (await DuckDBInstance.create()).connect();
  const plain = path(`${table}-plain.ndjson`);
  writeFileSync(plain, rows.map((row) => JSON.stringify(row)).join('\n'));
  const types = names.map((name) => {
    const isText = rows.some((row) => typeof row[name] === 'string');
    return `'${name}': '${isText ? 'VARCHAR' : pick(['swap_index', 'block_time', 'block_slot'].includes(name) ? ['BIGINT', 'DOUBLE', 'VARCHAR'] : ['DOUBLE', 'VARCHAR'])}'`;
  });
  await connection.run(
    `copy (select ${shuffled(names).join(', ')} from read_json('${plain}', columns = {${types.join(', ')}}, format = 'newline_delimited')) to '${files['rows.parquet']}' (format parquet, compression ${pick(['zstd', 'snappy', 'uncompressed'])})`,
  );
  connection.closeSync();
  return files;
}

/** What the store of a file answers. */
async function storeOf(file: string): Promise<{ swaps: SwapInput[]; answers: string }> {
  const dex = await Swapfold.open({ storage: memory(), config: { address_format: 'any' } });
  const swaps: SwapInput[] = [];
  try {
    for await (const { batch, rejects } of readSwapFile(file, { batchRows: 1 + below(50) })) {
      assert.deepEqual(rejects, [], file);
      swaps.push(...columnsToObjects(batch));
      await dex.ingest(batch);
    }
    await dex.refresh({ asOf: 1_800_000_000 });
    const [found, wallets] = [await dex.swaps.list({ limit: 100 }), await dex.wallets.search({ limit: 100 })];
    return {
      swaps,
      answers: JSON.stringify([found, wallets], (key, value) => (key === 'synced_at' ? undefined : value)),
    };
  } finally {
    await dex.close();
  }
}

test(`${TABLES} random tables (seed ${SEED}) end in the same store from CSV, NDJSON, JSON documents and Parquet`, async () => {
  for (let table = 0; table < TABLES; table++) {
    const rows = Array.from({ length: 1 + below(90) }, (_, i) => randomRow(i));
    let first: string | undefined;
    for (const [name, file] of Object.entries(await filesOf(table, rows))) {
      const { swaps, answers } = await storeOf(file);
      const expected = rows.map((row) => ({
        ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      }));
      const found = swaps.map((swap) =>
        Object.fromEntries(
          Object.keys(rows[0]!)
            .map((key) => [key, swap[key as keyof SwapInput]])
            .filter(([, value]) => value != null),
        ),
      );
      assert.deepEqual(found, expected, `table ${table}, ${name}`);
      first ??= answers;
      assert.equal(answers, first, `table ${table}, ${name}`);
    }
  }
});
