/**
 * What codecs make of the columns of a store on ClickHouse, measured on chDB (`npm run test:clickhouse` installs it):
 * `node --import tsx bench/codecs.ts 300000` for so many swaps (default 100,000). Each table is written once a codec, in its own order
 * and merged into one part, and its columns are read five times; what is printed are bytes a row and milliseconds beside LZ4, the default.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clickhouse } from '@swapfold/clickhouse';
import { Swapfold } from '@swapfold/core';
import { columnsOf, type Table } from '@swapfold/core/engine';
import { quote } from '@swapfold/sql';
import { generateMarket } from '@swapfold/testing';
import { type ChdbClient, openChdb } from '../packages/clickhouse/test/support/chdb.ts';
import { shapesOf } from '../packages/core/src/profiles/shape.ts';
import { fixedTables } from '../packages/core/src/records/tables.ts';
import { quantile } from './timing.ts';

const DATABASE = 'codecs';
const ROUNDS = 5;

/** Codecs that suit a type, by what ClickHouse calls the type of a column that is never null. */
const candidates: Readonly<Record<string, readonly string[]>> = {
  Int32: ['LZ4', 'ZSTD(1)', 'Delta, LZ4', 'Delta, ZSTD(1)', 'T64, LZ4', 'T64, ZSTD(1)'],
  Int64: ['LZ4', 'ZSTD(1)', 'Delta, LZ4', 'Delta, ZSTD(1)', 'DoubleDelta, LZ4', 'DoubleDelta, ZSTD(1)'],
  Float64: ['LZ4', 'ZSTD(1)', 'Gorilla, LZ4', 'Gorilla, ZSTD(1)', 'FPC, LZ4', 'FPC, ZSTD(1)'],
  String: ['LZ4', 'ZSTD(1)', 'ZSTD(3)', 'LowCardinality'],
};

interface Measured {
  readonly bytes: ReadonlyMap<string, number>;
  readonly milliseconds: number;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

const swaps = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'swapfold-codecs-'));
const client = openChdb(folder);
try {
  const market = generateMarket({ seed: 5, swaps, batchRows: 250_000 });
  const dex = await Swapfold.open({
    storage: clickhouse({ server: client, database: DATABASE }),
    config: market.config,
  });
  for (const batch of market.swaps()) await dex.ingest(batch);
  await dex.refresh();
  const shapes = shapesOf(dex.metrics);
  await dex.close();
  for (const table of [...(fixedTables as readonly Table[]), shapes.tokens.table, shapes.wallets.table])
    await measureTable(client, table);
} finally {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measureTable(chdb: ChdbClient, table: Table): Promise<void> {
  const [{ name: physical } = { name: '' }] = await rows<{ name: string }>(
    chdb,
    `select name from system.tables where database = '${DATABASE}' and match(name, '^${table.name}_[0-9]+_[0-9]+$') order by name desc`,
  );
  const [{ n } = { n: 0 }] = await rows<{ n: number }>(chdb, `select count() as n from ${DATABASE}.${quote(physical)}`);
  if (Number(n) < 1000) return;
  const columns = (
    await rows<Column>(
      chdb,
      `select name, type from system.columns where database = '${DATABASE}' and table = '${physical}'`,
    )
  ).filter(({ name }) => columnsOf(table).includes(name));
  for (const [plain, codecs] of Object.entries(candidates)) {
    const ofType = columns.filter(({ type }) => type === plain || type === `Nullable(${plain})`);
    if (ofType.length === 0) continue;
    const found = new Map<string, Measured>();
    for (const codec of codecs) found.set(codec, await measure(chdb, { table, physical, columns, ofType, codec }));
    const lz4 = found.get('LZ4')!;
    const total = (of: Measured): number => [...of.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    console.log(`\n${table.name}, ${ofType.length} columns of ${plain}, ${Number(n).toLocaleString('en-US')} rows`);
    console.table(
      codecs.map((codec) => {
        const of = found.get(codec)!;
        return {
          codec,
          'bytes a row': (total(of) / Number(n)).toFixed(2),
          'size beside LZ4': (total(of) / total(lz4)).toFixed(2),
          'time beside LZ4': (of.milliseconds / lz4.milliseconds).toFixed(2),
        };
      }),
    );
    if (ofType.length > 30) continue;
    for (const { name } of ofType) {
      const cells = codecs.map((codec) => `${codec} ${(found.get(codec)!.bytes.get(name)! / Number(n)).toFixed(2)}`);
      console.log(`  ${name}: ${cells.join(' | ')}`);
    }
  }
}

/** The bytes of each column and the time to read all of a type, of a table whose columns of this type have a codec. */
async function measure(
  chdb: ChdbClient,
  given: { table: Table; physical: string; columns: readonly Column[]; ofType: readonly Column[]; codec: string },
): Promise<Measured> {
  const { table, physical, columns, ofType, codec } = given;
  const copy = `${DATABASE}."measured"`;
  const declared = columns.map(({ name, type }) => {
    if (!ofType.some((column) => column.name === name)) return `${quote(name)} ${type}`;
    return codec === 'LowCardinality'
      ? `${quote(name)} LowCardinality(${type})`
      : `${quote(name)} ${type} codec(${codec})`;
  });
  const names = columns.map(({ name }) => quote(name)).join(', ');
  const key = table.key.map(quote).join(', ');
  await chdb.command({ query: `drop table if exists ${copy} sync` });
  await chdb.command({
    query: `create table ${copy} (${declared.join(', ')}) engine = MergeTree order by (${key}) settings min_bytes_for_wide_part = 0, allow_nullable_key = 1`,
    clickhouse_settings: { allow_suspicious_codecs: 1, allow_suspicious_low_cardinality_types: 1 },
  });
  await chdb.command({ query: `insert into ${copy} select ${names} from ${DATABASE}.${quote(physical)}` });
  await chdb.command({ query: `optimize table ${copy} final` });
  const sizes = await rows<{ column: string; bytes: string }>(
    chdb,
    `select column, sum(column_data_compressed_bytes) as bytes from system.parts_columns where active and database = '${DATABASE}' and table = 'measured' group by column`,
  );
  const bytes = new Map(sizes.map(({ column, bytes: n }) => [column, Number(n)]));
  const read = `select ${ofType.map(({ name }) => quote(name)).join(', ')} from ${copy} format Null`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await chdb.command({ query: read });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return {
    bytes: new Map(ofType.map(({ name }) => [name, bytes.get(name) ?? 0])),
    milliseconds: quantile(times, 0.5),
  };
}

async function rows<T>(chdb: ChdbClient, query: string): Promise<T[]> {
  return (await chdb.query({ query, format: 'JSONEachRow' })).json<T>();
}
