import {
  type Batch,
  type BulkLoad,
  type ColumnName,
  columnsOf,
  type ParquetSwaps,
  stagedTable,
} from '@swapfold/core/engine';
import { fragment, quote, type SqlConnection } from '@swapfold/sql';
import { rowsOf, streamRows } from './connection.ts';
import {
  allRows,
  countMoments,
  distinctTexts,
  isDoubtful,
  isOddHash,
  parquetRows,
  selectParquet,
} from './parquet-source.ts';
import { definitionOf, typedColumns } from './tables.ts';

type StagedColumn = ColumnName<typeof stagedTable>;

/** Files that statements scan side by side: each scan holds memory of its own, and the plans of 300 scans take more than a gigabyte. */
const MOST_FILES = 16;

/** A file of fewer rows is copied, which costs less than one more scan in each statement. */
const FEW_ROWS = 50_000;

/** The swaps of a load before they have places: rows of a table, and those of Parquet files. */
export interface Staged
  extends Required<Pick<BulkLoad, 'stage' | 'stageParquet' | 'repeated' | 'overfull' | 'leaveOut'>> {
  /** A statement that selects those that were not left out. */
  rows(names: readonly StagedColumn[], where?: string, o?: { readonly withGone?: boolean }): string;
  /** Whether a row has a log index beside its slot, or a fraction of a second. */
  hasMoments(): boolean;
  /** Whether transactions share their second, slot and index; known once `repeated` was asked. */
  hasTies(): boolean;
  /** Conditions of runs of whole seconds, each of about so many swaps, oldest first. */
  chunks(size: number): Promise<string[]>;
}

export async function createStaged(sql: SqlConnection): Promise<Staged> {
  const run = (statement: string): Promise<void> => sql.run(fragment(statement));
  await run(`create table staged ${definitionOf(stagedTable)}`);
  const files: ParquetSwaps[] = [];
  let stagedRows = 0;
  let hasGone = false;
  let hasMoments = false;
  let hasTies = true;

  const idsTable = (file: number, kind: string): string => `ids_${file}_${kind}`;

  /** The staged rows, as they are without those that were left out. */
  function rowsStaged(names: readonly StagedColumn[], where = 'true', { withGone = false } = {}): string {
    const leavesOut = hasGone && !withGone;
    const all = leavesOut && !names.includes('row') ? [...names, 'row' as const] : names;
    const typed = typedColumns(stagedTable).filter(({ name }) => (all as readonly string[]).includes(name));
    const sources = files.map((file, i) => selectParquet(file, typed, (kind) => idsTable(i, kind)));
    if (stagedRows > 0) sources.push(`select ${typed.map(({ name }) => quote(name)).join(', ')} from staged`);
    const gone = leavesOut ? ' and "row" not in (select "row" from gone)' : '';
    return `select ${names.map(quote).join(', ')} from (${sources.join(' union all ')}) where ${where}${gone}`;
  }

  /** The rows of a file that exchange a token for itself under another name. */
  async function wrapsOf(file: ParquetSwaps): Promise<Float64Array> {
    const typed = typedColumns(stagedTable).filter(({ name }) => ['row', 'token_in', 'token_out'].includes(name));
    const [given, received] = (['token_in', 'token_out'] as const).map((name) =>
      quote(file.fields.find((field) => field.name === name)!.column),
    );
    const [rows, from, to] = await sql.all(
      fragment(
        `select s."row", f.${given}, f.${received} from (${selectParquet(file, typed, (kind) => idsTable(files.length, kind))}) s join ${allRows(file)} f on f.file_row_number + ${file.firstRow} = s."row" where s.token_in = s.token_out`,
      ),
      ['long', 'text', 'text'],
    );
    return (rows as Float64Array).filter((_, i) => file.isWrap((from as string[])[i]!, (to as string[])[i]!));
  }

  /** Puts the rows of a file into the table of those that were given, so that the file is not scanned again. */
  async function copyRows(file: ParquetSwaps, rows: number): Promise<void> {
    const typed = typedColumns(stagedTable);
    const names = typed.map(({ name }) => quote(name)).join(', ');
    await run(`insert into staged (${names}) ${selectParquet(file, typed, (kind) => idsTable(files.length, kind))}`);
    stagedRows += rows;
  }

  async function leaveOut(rows: Float64Array): Promise<void> {
    await run('create table if not exists gone ("row" bigint)');
    await sql.append({ name: 'gone', columns: [['row', 'long']] }, { length: rows.length, columns: { row: rows } });
    hasGone = true;
  }

  return {
    rows: rowsStaged,
    hasMoments: () => hasMoments,
    hasTies: () => hasTies,

    async stage(swaps) {
      stagedRows += swaps.length;
      hasMoments ||= swaps.columns.moment.some((moment) => moment > 0);
      await sql.append({ name: 'staged', columns: Object.entries(stagedTable.columns) }, swaps as unknown as Batch);
    },

    async stageParquet(file, idsOf) {
      const doubtful = await rowsOf(
        sql,
        `select (count(*) filter (where ${isDoubtful(file)}))::bigint, (select count(*) from ${allRows(file)})::bigint, (count(*) filter (where ${isOddHash(file)}))::bigint, ${countMoments(file)}::bigint from ${parquetRows(file)}`,
        ['long', 'long', 'long', 'long'],
      ).catch(() => undefined);
      const [count, rows, oddHashes, moments] = (doubtful?.[0] ?? [1, 0, 0, 0]) as [number, number, number, number];
      if (count !== 0) return undefined;
      for (const kind of new Set(file.fields.flatMap(({ holds }) => (holds.kind === 'text' ? [holds.of] : [])))) {
        const [texts] = await sql.all(fragment(distinctTexts(file, kind)!), ['text']);
        // Readers of files make `0x...` of `\\x...`.
        if ((texts as string[]).some((text) => text.includes('\\'))) return undefined;
        const ids = await idsOf(kind, texts as string[]);
        if (ids === undefined) return undefined;
        const name = idsTable(files.length, kind);
        await run(`drop table if exists ${name}`);
        const columns = { text: 'text', id: 'id' } as const;
        await run(`create table ${name} (text varchar, id integer)`);
        await sql.append({ name, columns: Object.entries(columns) }, {
          length: ids.length,
          columns: { text: texts!, id: ids },
        } as unknown as Batch);
      }
      const passedOver = await wrapsOf(file);
      if (rows < FEW_ROWS || files.length >= MOST_FILES) await copyRows(file, rows);
      else files.push(file);
      hasMoments ||= moments !== 0;
      if (passedOver.length > 0) await leaveOut(passedOver);
      return { rows, passedOver: passedOver.length, oddHashes };
    },

    async *repeated() {
      const narrow = rowsStaged(['tx_hash', 'swap_index', 'block_time', 'block_slot', 'tx_index']);
      const counts = await rowsOf(
        sql,
        `select count(*)::bigint, count(distinct hash(tx_hash, swap_index))::bigint, count(distinct hash(tx_hash))::bigint, count(distinct hash(tx_hash, block_time, block_slot, tx_index))::bigint, count(distinct hash(block_time, block_slot, tx_index))::bigint from (${narrow})`,
        ['long', 'long', 'long', 'long', 'long'],
      );
      const [rows, swaps, hashes, transactions, places] = counts[0] as number[];
      hasTies = places !== transactions;
      if (rows === swaps && hashes === transactions) return;
      const names = columnsOf(stagedTable);
      await run(
        `create or replace table repeated as select tx_hash from (select tx_hash, block_time, block_slot, tx_index, count(*) as swaps, count(distinct swap_index) as indexes from (${narrow}) group by all) group by tx_hash having count(*) > 1 or sum(swaps) > sum(indexes)`,
      );
      yield* streamRows(
        sql,
        stagedTable,
        names,
        `select * from (${rowsStaged(names)}) where tx_hash in (from repeated) order by tx_hash, "row"`,
      );
      await run('drop table repeated');
    },

    async overfull(most) {
      const times = rowsStaged(['block_time']);
      const full = `select block_time from (${times}) group by block_time having count(*) > ${most}`;
      const [row, block_time] = await sql.all(
        fragment(
          `select "row", block_time from (select "row", block_time, row_number() over (partition by block_time order by "row") as place from (${rowsStaged(['row', 'block_time'])}) where block_time in (${full})) where place > ${most} order by "row"`,
        ),
        ['long', 'long'],
      );
      return { length: row!.length, columns: { row, block_time } } as unknown as Batch<
        typeof stagedTable,
        'row' | 'block_time'
      >;
    },

    leaveOut,

    async chunks(size) {
      const times = rowsStaged(['block_time']);
      const [[rows]] = (await rowsOf(sql, `select count(*)::bigint from (${times})`, ['long'])) as [[number]];
      const parts = Math.max(1, Math.round(rows / size));
      if (parts === 1) return ['true'];
      const shares = Array.from({ length: parts - 1 }, (_, i) => (i + 1) / parts).join(', ');
      const [found] = await sql.all(
        fragment(
          `select distinct unnest(quantile_disc(block_time, [${shares}]))::bigint as cut from (${times}) order by cut`,
        ),
        ['long'],
      );
      const cuts = [...(found as Float64Array)];
      return [...cuts, undefined].map((to, i) =>
        [i > 0 ? `block_time > ${cuts[i - 1]}` : 'true', to === undefined ? 'true' : `block_time <= ${to}`].join(
          ' and ',
        ),
      );
    },
  };
}
