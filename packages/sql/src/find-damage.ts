import {
  type Batch,
  type ColumnType,
  type Damage,
  type DamageReport,
  type Table,
  WHOLE_FILE,
} from '@swapfold/core/engine';
import { yielder } from '@swapfold/core/host';
import type { Dialect, ReadDialect } from './dialect.ts';
import { CHECKSUM, rowChecksums, withChecksumColumn } from './row-checksums.ts';
import { compileScan, typesOf } from './select.ts';
import type { Session } from './session.ts';

/** Findings that a report holds. */
const LISTED = 20;

/**
 * Has the engine check its own structures, and compares each row with its checksum.
 *
 * - `stored`: the columns of the store's tables. Tables that an older Swapfold made have no checksums: the report names them.
 * - Errors: `store-damaged` where a row cannot be read.
 */
export async function findDamage(
  session: Session,
  dialect: Dialect,
  tables: readonly Table[],
  stored: ReadonlyMap<string, readonly string[]>,
): Promise<DamageReport> {
  const found: Damage[] = [];
  let count = 0;
  let rows = 0;
  function note(damage: Damage): void {
    if (count++ < LISTED) found.push(damage);
  }
  for (const statement of dialect.integrityChecks([...stored.keys()])) {
    const [messages] = (await session.all(statement, ['text'])) as [(string | null)[]];
    for (const message of messages) note({ table: WHOLE_FILE, row: String(message), stored: null, expected: null });
  }
  const unchecked: string[] = [];
  const pause = yielder();
  for (const table of dialect.hasRowChecksums ? tables.filter(({ rederived }) => !rederived) : []) {
    const columns = stored.get(table.name);
    if (columns === undefined) continue;
    if (!columns.includes(CHECKSUM)) {
      unchecked.push(table.name);
      continue;
    }
    for await (const batch of batchesOf(session, dialect, table)) {
      rows += batch.length;
      const kept = batch.columns[CHECKSUM] as Int32Array;
      const sums = await pause.run(rowChecksums(table, batch));
      for (let i = 0; i < batch.length; i++)
        if (kept[i] !== sums[i])
          note({ table: table.name, row: keyOf(table, batch, i), stored: kept[i]!, expected: sums[i]! });
    }
  }
  return { rows, count, found, unchecked };
}

async function* batchesOf(session: Session, dialect: ReadDialect, table: Table): AsyncGenerator<Batch> {
  const checked = withChecksumColumn(table);
  const names = Object.keys(checked.columns);
  const types: readonly ColumnType[] = typesOf(checked, names);
  for await (const data of session.pieces(compileScan({ table: checked, columns: names }, dialect), types)) {
    const columns = Object.fromEntries(names.map((name, i) => [name, data[i]!]));
    yield { length: data[0]!.length, columns } as unknown as Batch;
  }
}

function keyOf(table: Table, batch: Batch, row: number): string {
  return table.key.map((name) => `${name}=${batch.columns[name]?.[row]}`).join(', ');
}
