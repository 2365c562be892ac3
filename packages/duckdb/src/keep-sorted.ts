import { type Dialect, fragment, quote, type Session } from '@swapfold/sql';

/** Bounds on the rows of a table that may lie as they came, after those that are sorted. */
export interface Sorting {
  /** At most so many, if that is more than the share below. */
  readonly rows: number;
  /** At most this share of the table. */
  readonly share: number;
  /** A transaction that appends so many rows to a table is part of an import: the table waits for one that appends fewer to it, if any. */
  readonly bulk: number;
}

/** A quarter of a million rows are scanned in about a millisecond. */
export const defaultSorting: Sorting = { rows: 250_000, share: 0.25, bulk: 50_000 };

/** How many rows of each table lie unsorted: in the file, since it outlives the process. */
const state = 'sorted_tables';

/**
 * Keeps tables sorted: rows come in any order at the end, and once they are too many the table is written anew in its order, inside
 * the transaction that appended the last of them. Old blocks of the file are used again after the next checkpoint.
 */
export function createSorter({ rows, share, bulk }: Sorting): NonNullable<Dialect['sorting']> {
  const orders = new Map<string, readonly string[]>();

  async function isOutOfOrder(session: Session, name: string, unsorted: number): Promise<boolean> {
    if (unsorted <= rows) return false;
    const [count] = await session.all(fragment(`select count(*) from ${quote(name)}`), ['long']);
    return unsorted > (count![0] as number) * share;
  }

  return {
    async sort(session, grown, { isAside, mayTouch }) {
      for (const { name, order } of grown) orders.set(name, order);
      if (orders.size === 0) return;
      const unsorted = await readState(session);
      for (const { name, isAnew, unsorted: added } of grown)
        unsorted.set(name, (isAnew ? 0 : (unsorted.get(name) ?? 0)) + added);
      // Only of these tables: a transaction beside this one has the state of others.
      const changed = new Set(grown.map(({ name }) => name));
      const imported = new Set(grown.filter((table) => table.rows >= bulk && !isAside).map(({ name }) => name));
      for (const [name, order] of orders) {
        if (!mayTouch(name) || imported.has(name) || !(await isOutOfOrder(session, name, unsorted.get(name) ?? 0)))
          continue;
        const columns = order.map(quote).join(', ');
        await session.run(
          fragment(`create or replace table ${quote(name)} as select * from ${quote(name)} order by ${columns}`),
        );
        unsorted.set(name, 0);
        changed.add(name);
      }
      if (changed.size > 0)
        await writeState(session, new Map([...changed].map((name) => [name, unsorted.get(name) ?? 0])));
    },
  };
}

/** Makes what the sorter notes in, if it is missing: before transactions that would each make it. */
export const sortedState = `create table if not exists ${state} (name varchar, unsorted bigint)`;

async function readState(session: Session): Promise<Map<string, number>> {
  const [names, counts] = await session.all(fragment(`select name, unsorted from ${state}`), ['text', 'long']);
  return new Map((names as string[]).map((name, i) => [name, counts![i] as number]));
}

async function writeState(session: Session, unsorted: ReadonlyMap<string, number>): Promise<void> {
  const names = Array.from(unsorted.keys(), (value) => ({ kind: 'value', type: 'text', value }) as const);
  await session.run(fragment(`delete from ${state} where name in (${names.map(() => '?').join(', ')})`, ...names));
  const rows = [...unsorted].flatMap(([name, count]) => [
    { kind: 'value', type: 'text', value: name } as const,
    { kind: 'value', type: 'long', value: count } as const,
  ]);
  const places = Array.from(unsorted, () => '(?, ?)').join(', ');
  await session.run(fragment(`insert into ${state} values ${places}`, ...rows));
}
