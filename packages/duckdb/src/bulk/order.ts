import { columnsOf, FILE_ROWS, MICROSECONDS, type RowFile, stagedTable } from '@swapfold/core/engine';
import { fragment, quote, type SqlConnection } from '@swapfold/sql';
import { rowsOf } from './connection.ts';
import type { Staged } from './staged.ts';

/** What all swaps of a transaction share. */
const transaction = ['tx_hash', 'block_time', 'block_slot', 'tx_index'] as const;

/** What puts transactions in order before their hashes, of rows that `ordered` selects. */
const keys = ['block_time', 'coalesce(block_slot, 0)', 'coalesce(tx_index, 0)', 'log_place', 'fraction', 'place'];

/** Chain order of staged swaps, whose transactions have what is the smallest of all their rows. */
export interface StagedOrder {
  /** A statement that selects staged swaps in chain order, with `moment` and `file_place` as the table of transactions has them. */
  swaps(where: string): string;
  /** How many swaps hashes alone put in order: see `countUnordered`. */
  countUnordered(quotes: readonly number[]): Promise<number>;
}

/** `files`: the files whose order is kept, by their first rows. */
export async function createOrder(
  sql: SqlConnection,
  staged: Staged,
  files: readonly RowFile[] | undefined,
): Promise<StagedOrder> {
  if (files !== undefined) await placeFiles(sql, staged, files);
  const names = columnsOf(stagedTable).filter((name) => name !== 'moment');

  /** The rows that were not left out, with the keys of their transactions. */
  function ordered(columns: readonly (typeof names)[number][], where: string): string {
    if (!staged.hasMoments() && files === undefined)
      return `select *, 0 as log_place, 0 as fraction, 0 as place from (${staged.rows(columns, where)})`;
    const all = [...new Set([...columns, ...transaction])];
    const place = `if(is_falling, (file + 1) * ${FILE_ROWS} - 1 - ("row" - "start"), file * ${FILE_ROWS} + 1 + ("row" - "start"))`;
    const given = staged.rows([...transaction, 'moment', 'row'], where, { withGone: true });
    const [from, least] =
      files === undefined ? [`(${given})`, '0'] : [`(${given}) asof join files on "row" >= "start"`, `min(${place})`];
    const first = `select ${transaction.map((name) => `${name} as first_${name}`).join(', ')}, coalesce(min(nullif(moment // ${MICROSECONDS}, 0)), 0) as log_place, min(moment % ${MICROSECONDS}) as fraction, ${least} as place from ${from} group by ${transaction.join(', ')}`;
    const isOf = transaction.map((name) => `first_${name} is not distinct from ${name}`).join(' and ');
    return `select * exclude (${transaction.map((name) => `first_${name}`).join(', ')}) from (${staged.rows(all, where)}) join (${first}) on ${isOf}`;
  }

  return {
    swaps(where) {
      const moment = `case when fraction > 0 then -(log_place * ${MICROSECONDS} + fraction) else nullif(log_place, 0) end::bigint as moment`;
      return `select ${names.map(quote).join(', ')}, ${moment}, nullif(place, 0)::bigint as file_place from (${ordered(names, where)}) order by ${keys.join(', ')}, tx_hash, swap_index`;
    },

    async countUnordered(quotes) {
      const isQuote = (token: string): string =>
        quotes.length === 0 ? 'false' : `${token} in (${quotes.map(String).join(', ')})`;
      const tokenOf = (side: string, other: string): string =>
        `select "row", tx_hash, ${keys.map((key, i) => `${key} as key_${i}`).join(', ')}, ${side} as token from rows where not ${isQuote(side)} or ${isQuote(other)}`;
      const group = [...keys.map((_, i) => `key_${i}`), 'token'].join(', ');
      const [[count]] = (await rowsOf(
        sql,
        `with rows as materialized (${ordered(['row', ...transaction, 'token_in', 'token_out'], 'true')}),
legs as materialized (${tokenOf('token_in', 'token_out')} union all ${tokenOf('token_out', 'token_in')}),
tied as (select ${group} from legs group by ${group} having min(tx_hash) <> max(tx_hash))
select count(distinct "row")::bigint from legs semi join tied using (${group})`,
        ['long'],
      )) as [[number]];
      return count;
    },
  };
}

/** A table of the files: the first row of each, its number, and whether its second distinct time is before its first one. */
async function placeFiles(sql: SqlConnection, staged: Staged, files: readonly RowFile[]): Promise<void> {
  const run = (statement: string): Promise<void> => sql.run(fragment(statement));
  await run('create table given_files ("start" bigint, file bigint)');
  await sql.append(
    {
      name: 'given_files',
      columns: [
        ['start', 'long'],
        ['file', 'long'],
      ],
    },
    {
      length: files.length,
      columns: {
        start: Float64Array.from(files, ({ from }) => from),
        file: Float64Array.from(files, ({ file }) => file),
      },
    },
  );
  await run(`create table files as
with times as (select "row", "start", block_time * ${MICROSECONDS} + moment % ${MICROSECONDS} as "time"
  from (${staged.rows(['row', 'block_time', 'moment'], 'true', { withGone: true })}) asof join given_files on "row" >= "start"),
first as (select "start", arg_min("time", "row") as first_time from times group by "start"),
directions as (select "start", arg_min("time", "row") < any_value(first_time) as is_falling
  from times join first using ("start") where "time" <> first_time group by "start")
select "start", file, coalesce(is_falling, false) as is_falling from given_files left join directions using ("start")`);
}
