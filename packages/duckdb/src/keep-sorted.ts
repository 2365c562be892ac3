import {
  type Dialect,
  type Fragment,
  fragment,
  type GrownTable,
  joinFragments,
  quote,
  type Session,
  type SortedTable,
} from '@swapfold/sql';
import { ROW_GROUP } from './open-instance.ts';

/** Bounds on the rows of a table that may lie as they came, after those that are sorted, and on what a write does about them. */
export interface Sorting {
  /** At most so many, if that is more than the share below. */
  readonly rows: number;
  /** At most this share of the table. */
  readonly share: number;
  /** A transaction that appends so many rows to a table is part of an import: the table waits for one that appends fewer to it, if any. */
  readonly bulk: number;
  /** About how many values a transaction sorts at most. */
  readonly slice: number;
}

/** A quarter of a million rows are scanned in about a millisecond, and two million values are written anew in 100 to 300. */
export const defaultSorting: Sorting = { rows: 250_000, share: 0.25, bulk: 50_000, slice: 2 ** 21 };

/** How each table lies: in the file, since it outlives the process. */
const state = 'sorting';

/** Makes what the sorter notes in, if it is missing: before transactions that would each make it. Drops a copy that nothing ever read. */
export const sortedState = `create table if not exists ${state} (name varchar, unsorted bigint, sorted_to varchar);
drop table if exists moves_by_wallet_seq`;

/** Rows of a slice of which one is looked at to find its end. */
const SAMPLE = 1024;

/** A place in the order of a table, by its first two columns at most; before all rows it is empty. */
type Place = readonly number[];

interface Lie {
  /** Rows that came out of order since the table was last sorted, or since it is being. */
  readonly unsorted: number;
  /** While the table is being sorted, up to where it is. */
  readonly to: Place | undefined;
}

const inOrder: Lie = { unsorted: 0, to: undefined };

/**
 * Keeps tables sorted: rows come in any order at the end, and once they are too many the table is sorted slice by slice. A slice is a range
 * of its order, which is taken out and appended again in order, in a transaction of its own after a write. So no write waits for a whole
 * table, and the rows of a range lie together again, which is all that leaving out row groups needs. In a transaction of their own the rows
 * of a slice begin a row group and go to the file at once: after rows of a block they would share one with them, and go through the log.
 */
export function createSorter({ rows, share, bulk, slice }: Sorting): NonNullable<Dialect['sorting']> {
  const tables = new Map<string, SortedTable>();
  /** How they lay when they last changed; in a transaction that was taken back, if it was that one. `sort` reads how they lie. */
  const noted = new Map<string, Lie>();
  let due: readonly string[] = [];

  async function isDue(session: Session, name: string, { unsorted, to }: Lie): Promise<boolean> {
    if (to !== undefined) return true;
    if (unsorted <= rows) return false;
    const [count] = await session.all(fragment(`select count(*) from ${quote(name)}`), ['long']);
    return unsorted > (count![0] as number) * share;
  }

  return {
    isDue: () => due.length > 0,

    async note(session, grown) {
      for (const table of grown) tables.set(table.name, table);
      if (tables.size === 0) return;
      for (const [name, lie] of await addUnsorted(session, grown)) noted.set(name, lie);
      const imported = new Set(grown.filter((table) => table.rows >= bulk).map(({ name }) => name));
      const found: string[] = [];
      for (const name of tables.keys())
        if (!imported.has(name) && (await isDue(session, name, noted.get(name)!))) found.push(name);
      due = found;
    },

    async sort(session, mayTouch) {
      const lies = await readState(session);
      let left = slice;
      for (const table of due.map((name) => tables.get(name)!)) {
        const { name, columns } = table;
        if (left <= 0 || !mayTouch(name)) continue;
        const { unsorted, to } = lies.get(name) ?? inOrder;
        const sorted = await sortSlice(session, table, to ?? [], Math.ceil(left / columns.length));
        left -= sorted.rows * columns.length;
        const lie = { unsorted: to === undefined ? 0 : unsorted, to: sorted.to };
        noted.set(name, lie);
        await session.run(
          fragment(
            `update ${state} set unsorted = ${lie.unsorted}, sorted_to = ${place(lie.to)} where name = ?`,
            text(name),
          ),
        );
      }
      due = [];
    },
  };
}

/** Sorts about so many rows of a table, those after a place: whole row groups. Gives how many there were, and the place after them if there are more. */
async function sortSlice(
  session: Session,
  { name, order }: SortedTable,
  from: Place,
  most: number,
): Promise<{ readonly rows: number; readonly to: Place | undefined }> {
  const by = order.slice(0, 2);
  const places = by.map(quote).join(', ');
  /** The place of a row in an order of all that come after `from`. */
  async function placeAt(row: number, rows: string): Promise<Place | undefined> {
    const statement = fragment(`select ${places} from ${rows} limit 1 offset ${row}`);
    const found = await session.all(
      statement,
      by.map(() => 'long'),
    );
    return found[0]!.length === 0 ? undefined : found.map((column) => column[0] as number);
  }
  const run = (statement: string): Promise<void> => session.run(fragment(statement));
  const rest = after(by, from);
  const step = Math.max(1, Math.floor(most / SAMPLE));
  const end = await placeAt(
    Math.floor(most / step),
    `${quote(name)} where ${rest} and rowid % ${step} = 0 order by ${places}`,
  );
  const until = (to: Place | undefined): string => (to === undefined ? rest : `${rest} and not (${after(by, to)})`);
  const slice = quote(`${name}_slice`);
  await run(
    `create temp table ${slice} as from ${quote(name)} where ${until(end)} order by ${order.map(quote).join(', ')}`,
  );
  const [[count]] = (await session.all(fragment(`select count(*) from ${slice}`), ['long'])) as [Float64Array];
  const whole = Math.floor(count! / ROW_GROUP) * ROW_GROUP;
  const to = end === undefined || whole === 0 ? end : await placeAt(whole - 1, slice);
  await run(`delete from ${quote(name)} where ${until(to)}`);
  await run(`insert into ${quote(name)} from ${slice} where ${until(to)}`);
  await run(`drop table ${slice}`);
  return { rows: count!, to };
}

/** The condition that a row comes after a place. Its first part leaves out row groups. */
function after([first, second]: readonly string[], [a, b]: Place): string {
  if (a === undefined) return 'true';
  if (second === undefined) return `${quote(first!)} > ${a}`;
  return `${quote(first!)} >= ${a} and (${quote(first!)} > ${a} or ${quote(second)} > ${b})`;
}

const columns = 'name, unsorted, sorted_to';

const text = (value: string) => ({ kind: 'value', type: 'text', value }) as const;

const place = (to: Place | undefined): string => (to === undefined ? 'null' : `'${JSON.stringify(to)}'`);

const readState = (session: Session): Promise<Map<string, Lie>> =>
  liesOf(session, fragment(`select ${columns} from ${state}`));

async function liesOf(session: Session, statement: Fragment): Promise<Map<string, Lie>> {
  const [names, counts, places] = await session.all(statement, ['text', 'long', 'text']);
  const lieAt = (i: number): Lie => {
    const to = places![i] as string | null;
    return { unsorted: counts![i] as number, to: to === null ? undefined : (JSON.parse(to) as Place) };
  };
  return new Map((names as string[]).map((name, i) => [name, lieAt(i)]));
}

/** Adds what came out of order to the state of these tables, and gives it. A transaction beside this one has the state of others. */
async function addUnsorted(session: Session, grown: readonly GrownTable[]): Promise<Map<string, Lie>> {
  if (grown.length === 0) return new Map();
  const rowsOf = (tables: readonly GrownTable[]): Fragment =>
    joinFragments(
      tables.map(({ name, unsorted, isAnew }) => fragment(`(?, ${unsorted}, ${isAnew})`, text(name))),
      ', ',
    );
  const update = [
    fragment(
      `update ${state} set unsorted = if(is_anew, 0, unsorted) + added, sorted_to = if(is_anew, null, sorted_to) from (values `,
    ),
    rowsOf(grown),
    fragment(`) grown(grown, added, is_anew) where name = grown returning ${columns}`),
  ];
  const lies = await liesOf(session, joinFragments(update, ''));
  const added = grown.filter(({ name }) => !lies.has(name));
  if (added.length === 0) return lies;
  const rows = [
    fragment(`insert into ${state} select name, unsorted, null from (values `),
    rowsOf(added),
    fragment(') new(name, unsorted, is_anew)'),
  ];
  await session.run(joinFragments(rows, ''));
  for (const { name, unsorted } of added) lies.set(name, { unsorted, to: undefined });
  return lies;
}
