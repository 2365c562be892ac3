import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { SwapColumns } from '@swapfold/core';
import type { PlainFile } from './batches.ts';
import { connect, rowsOf, scratchFile, sqlName, sqlPath, sqlText } from './duck.ts';
import { convertedBatches } from './parts.ts';
import { fieldsOfKind, type RowKind } from './row-kinds.ts';
import { GIVEN, LEFT_OUT, MADE, ZONELESS } from './typed.ts';

/** A column of a sorted file: the place of a row among those of all parts. */
const PLACE = 'swapfold_place';

/** A part that is converted, and how many rows the parts before it have. */
export interface PlacedPart {
  readonly part: PlainFile;
  readonly before: number;
}

/** How batches are made of rows. */
export interface BatchForm {
  readonly kind: RowKind;
  readonly rowIds: boolean;
  readonly batchRows: number;
  /** Ends the sorting with an error of DuckDB. */
  readonly signal?: AbortSignal | undefined;
}

/** The rows of parts in the order of their times. `numbers` of the batches are places among the rows of all parts. */
export interface SortedParts {
  readonly batches: () => AsyncGenerator<SwapColumns>;
  readonly drop: () => Promise<void>;
}

/** The whole second of a row: within it, rows stay in the order in which they were read. */
const SECOND = 'floor(block_time)';

/**
 * The rows of parts in the order of their seconds, each second in that of the parts; `undefined` if no batch of them begins before one that
 * comes before it. DuckDB sorts them, on disk if they do not fit in its memory.
 */
export async function sortParts(parts: readonly PlacedPart[], form: BatchForm): Promise<SortedParts | undefined> {
  const connection = await connect();
  const stop = (): void => connection.interrupt();
  form.signal?.addEventListener('abort', stop);
  try {
    if (form.signal?.aborted) return undefined;
    await createRows(connection, parts);
    return (await goesBack(connection, form.batchRows)) ? await sorted(connection, parts, form) : undefined;
  } finally {
    form.signal?.removeEventListener('abort', stop);
    connection.closeSync();
  }
}

/** Makes a view of the rows of all parts that are not left out: `part` and `nth` are their place. */
async function createRows(connection: DuckDBConnection, parts: readonly PlacedPart[]): Promise<void> {
  const places = parts.map(({ part, before }) => `(${sqlText(part.parquet)}, ${before})`);
  await connection.run(`create temp table swapfold_parts as from (values ${places.join(', ')}) parts(path, part)`);
  const files = parts.map(({ part }) => sqlPath(part.parquet));
  await connection.run(`create temp view swapfold_rows as
select * exclude (path, filename, file_row_number, ${LEFT_OUT}, ${GIVEN}, ${ZONELESS}, ${MADE}), file_row_number as nth
from read_parquet([${files.join(', ')}], union_by_name = true, filename = true, file_row_number = true)
join swapfold_parts on path = filename where ${LEFT_OUT} is null`);
}

async function goesBack(connection: DuckDBConnection, batchRows: number): Promise<boolean> {
  const [[found]] = (await rowsOf(
    connection,
    `with batches as (select part, nth // ${batchRows} as batch, min(${SECOND}) as low, max(${SECOND}) as high from swapfold_rows group by all)
select coalesce(bool_or(low < before), false) from (select low, max(high) over (order by part, batch rows between unbounded preceding and 1 preceding) as before from batches)`,
  )) as [[boolean]];
  return found;
}

/**
 * Rows of one transaction that give it several times contradict each other, and the first one read counts: all of them take the place in time
 * of that one.
 */
async function sorted(
  connection: DuckDBConnection,
  parts: readonly PlacedPart[],
  { kind, rowIds, batchRows }: BatchForm,
): Promise<SortedParts> {
  const parquet = scratchFile('parquet');
  const fields = [...new Set(parts.flatMap(({ part }) => Object.keys(part.columns)))];
  const transaction = `hash(regexp_replace(lower(tx_hash), '^0x', ''))`;
  const hasHash = fields.includes('tx_hash');
  const [first, join] = hasHash
    ? [`coalesce(first_second, ${SECOND})`, `left join swapfold_torn on transaction = ${transaction}`]
    : [SECOND, ''];
  try {
    if (hasHash)
      await connection.run(
        `create temp table swapfold_torn as select ${transaction} as transaction, arg_min(${SECOND}, part + nth) as first_second from swapfold_rows where tx_hash is not null group by 1 having min(${SECOND}) <> max(${SECOND})`,
      );
    await connection.run(
      `copy (select ${fields.map(sqlName).join(', ')}, part + nth as ${PLACE} from swapfold_rows ${join} order by ${first}, ${PLACE}) to ${sqlText(parquet)} (format parquet, compression lz4_raw)`,
    );
    const [[rows]] = (await rowsOf(connection, `select count(*)::integer from read_parquet(${sqlText(parquet)})`)) as [
      [number],
    ];
    const columns = Object.fromEntries(fields.map((name) => [name, name]));
    const given = { kind, rowIds, fields: fieldsOfKind(kind, rowIds) };
    return {
      batches: () =>
        convertedBatches({
          plain: { parquet, rows, columns, file: 'rows' },
          gone: [],
          batchRows,
          given,
          numbered: PLACE,
        }),
      drop: () => rm(parquet, { force: true }),
    };
  } catch (error) {
    await rm(parquet, { force: true });
    throw error;
  }
}
