import { type EntityPrints, firstAfter, noPrints } from '../bag/entity.ts';
import { windowSpecs } from '../bag/windows.ts';
import { NO_SWAP } from '../ingest/changes.ts';
import { latestPrints, type Print } from '../market-data/latest-prints.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { legsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, between, isIn, not } from '../storage/predicate.ts';
import type { EntityScan } from './trades.ts';

/** Seconds before the longest window in which its prints are read too: the last print before it is among them, of a token that trades often. */
const MARGIN = 86_400;

/** Prints of tokens in the longest window before the as-of time and the last one before it, by token; some may have more before it. */
export async function readPrints(
  reader: Reader,
  { ids, asOf, stored, cached }: Omit<EntityScan, 'kind'>,
): Promise<ReadonlyMap<number, EntityPrints>> {
  const start = asOf - windowSpecs.tokens[0]!.seconds;
  const found = new Map<number, EntityPrints>();
  const continued: number[] = [];
  const unknown: number[] = [];
  let since = NO_SWAP;
  for (const token of ids) {
    const prints = stored === undefined ? undefined : cached?.printsOf(token);
    const changed = stored?.since(token) ?? 0;
    if (prints === undefined || prints.time[0]! >= changed || isWorn(prints, start)) {
      unknown.push(token);
      continue;
    }
    prints.length = firstAfter(prints.time, prints.length, changed - 1);
    found.set(token, prints);
    if (changed === NO_SWAP) continue;
    const { legs } = stored!.news;
    if (legs?.has(token)) addNewPrints(prints, legs.prints(token));
    else {
      continued.push(token);
      since = Math.min(since, changed);
    }
  }
  await addPrints(reader, Int32Array.from(unknown), Math.max(0, start + 1 - MARGIN), asOf, found);
  const older = unknown.filter((token) => (found.get(token)?.time[0] ?? Number.POSITIVE_INFINITY) > start);
  if (older.length > 0)
    for (const [token, print] of await latestPrints(reader, Int32Array.from(older), { until: lastSeqAt(start) }))
      found.set(token, withFirst(print, found.get(token) ?? noPrints));
  if (continued.length > 0) await addPrints(reader, Int32Array.from(continued), since, asOf, found);
  if (stored !== undefined)
    for (const [token, prints] of found) if (stored.since(token) < NO_SWAP) cached?.putPrints(token, prints);
  return found;
}

/** Prints that come after those that are there. */
function addNewPrints(prints: EntityPrints, added: readonly Print[]): void {
  makeRoom(prints, added.length);
  for (const { seq, price } of added) {
    prints.time[prints.length] = timeOf(seq);
    prints.price[prints.length++] = price;
  }
}

function withFirst(first: Print, prints: EntityPrints): EntityPrints {
  const { length } = prints;
  const time = new Float64Array(length + 1);
  const price = new Float64Array(length + 1);
  time[0] = timeOf(first.seq);
  price[0] = first.price;
  time.set(prints.time.subarray(0, length), 1);
  price.set(prints.price.subarray(0, length), 1);
  return { length: length + 1, time, price };
}

function isWorn(prints: EntityPrints, start: number): boolean {
  const before = firstAfter(prints.time, prints.length, start);
  return before > 1000 && before * 2 > prints.length;
}

/** Adds the prints of tokens in the seconds from `from` to `to` behind those that are there. */
async function addPrints(
  reader: Reader,
  tokens: Int32Array,
  from: number,
  to: number,
  found: Map<number, EntityPrints>,
): Promise<void> {
  const rows = reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'price'],
    where: and(
      isIn('token', tokens),
      between('seq', firstSeqAt(from), lastSeqAt(to)),
      not({ kind: 'missing', column: 'price' }),
    ),
    order: [
      { column: 'token', direction: 'asc' },
      { column: 'seq', direction: 'asc' },
    ],
  });
  const lastBefore = new Map<number, number>();
  for await (const { columns: c, length } of rows) {
    for (let i = 0; i < length; ) {
      const token = c.token[i]!;
      const prints = found.get(token) ?? { ...noPrints };
      found.set(token, prints);
      // Tokens that are read together go back as far as the furthest of them.
      const known = lastBefore.get(token) ?? (prints.length === 0 ? -1 : prints.time[prints.length - 1]!);
      lastBefore.set(token, known);
      let end = i;
      while (end < length && c.token[end] === token) end++;
      makeRoom(prints, end - i);
      for (; i < end; i++) {
        const time = timeOf(c.seq[i]!);
        if (time <= known) continue;
        prints.time[prints.length] = time;
        prints.price[prints.length++] = c.price[i]!;
      }
    }
  }
}

function makeRoom(prints: EntityPrints, more: number): void {
  const needed = prints.length + more;
  if (needed <= prints.time.length) return;
  const capacity = Math.max(needed, Math.ceil(prints.time.length * 1.5));
  const time = new Float64Array(capacity);
  const price = new Float64Array(capacity);
  time.set(prints.time.subarray(0, prints.length));
  price.set(prints.price.subarray(0, prints.length));
  prints.time = time;
  prints.price = price;
}
