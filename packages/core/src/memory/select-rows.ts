import type { Batch, ColumnData } from '../records/columns.ts';
import { compilePredicate, type RowTest, valueSet } from '../storage/evaluate.ts';
import type { CompareOp, Predicate } from '../storage/predicate.ts';
import { inPieces, type Work } from '../work.ts';
import { DictionaryColumn, PooledColumn, TextColumn } from './column.ts';
import { columnOf, type Segment } from './segment.ts';

/** Rows of texts that are tested before others may have their turn: some tenths of a millisecond. */
const TEXTS = 2048;

/**
 * A condition on the rows of segments.
 *
 * It means what `compilePredicate` says, and asks it for all but comparisons of numbers: those run over a whole column without
 * a branch, since a guess that fails every other row costs more than the comparison. A text that repeats is tested once.
 */
export class Selection {
  readonly #where: Predicate;
  readonly #sets = new Map<Predicate, ReadonlySet<unknown>>();

  constructor(where: Predicate) {
    this.#where = where;
  }

  /** Those of the rows where the condition holds, in their order. They are not written over; where all hold, it may be the list itself. */
  rows(segment: Segment, from: Int32Array): Work<Int32Array> {
    return select({ segment, sets: this.#sets }, this.#where, from);
  }
}

/** The segment, and the values of the conditions that name several. */
interface Scope {
  readonly segment: Segment;
  readonly sets: Map<Predicate, ReadonlySet<unknown>>;
}

function* select(scope: Scope, predicate: Predicate, from: Int32Array): Work<Int32Array> {
  switch (predicate.kind) {
    case 'and':
      return yield* all(scope, predicate.of, from);
    case 'or':
      return yield* either(scope, predicate.of, from);
    case 'not': {
      const mark = new Uint8Array(scope.segment.length);
      yield* setMarks(mark, yield* select(scope, predicate.of, from));
      return yield* marked(from, mark, 0);
    }
    default:
      return yield* selectLeaf(scope, predicate, from);
  }
}

/** The comparisons of numbers first, together; of the other parts each goes over what is left. */
function* all(scope: Scope, parts: readonly Predicate[], from: Int32Array): Work<Int32Array> {
  const bounds: Bound[] = [];
  const others: Predicate[] = [];
  for (const part of parts) {
    const found = boundsOf(scope, part);
    if (found === undefined) others.push(part);
    else bounds.push(...found);
  }
  let rows = bounds.length === 0 ? from : yield* selectWithin(bounds, from);
  for (const part of others.sort(byCost(scope))) rows = yield* select(scope, part, rows);
  return rows;
}

/** Rows that an earlier part took are not asked of the later ones. */
function* either(scope: Scope, parts: readonly Predicate[], from: Int32Array): Work<Int32Array> {
  if (parts.length === 1) return yield* select(scope, parts[0]!, from);
  const mark = new Uint8Array(scope.segment.length);
  let left = from;
  for (const part of parts) {
    yield* setMarks(mark, yield* select(scope, part, left));
    left = yield* marked(left, mark, 0);
  }
  return yield* marked(from, mark, 1);
}

function* setMarks(mark: Uint8Array, rows: Int32Array): Work<void> {
  for (const row of rows) mark[row] = 1;
  yield;
}

function* marked(from: Int32Array, mark: Uint8Array, as: 0 | 1): Work<Int32Array> {
  const to = new Int32Array(from.length);
  let count = 0;
  for (let i = 0; i < from.length; i++) {
    to[count] = from[i]!;
    count += +(mark[from[i]!] === as);
  }
  yield;
  return to.subarray(0, count);
}

type Leaf = Exclude<Predicate, { readonly kind: 'and' | 'or' | 'not' }>;

function* selectLeaf(scope: Scope, leaf: Leaf, from: Int32Array): Work<Int32Array> {
  const bounds = boundsOf(scope, leaf);
  if (bounds !== undefined) return yield* selectWithin(bounds, from);
  const column = columnOf(scope.segment, leaf.column);
  if (column instanceof PooledColumn) {
    const { values, places } = column;
    const holds = testOf(scope, leaf, values);
    return yield* selectTested(from, (row) => holds(places[row]!));
  }
  if (!(column instanceof DictionaryColumn))
    return yield* selectTested(from, testOf(scope, leaf, column instanceof TextColumn ? column.values : column));
  const { codes, texts } = column;
  const holds = testOf(scope, leaf, texts);
  if (from.length < texts.length) return yield* selectTested(from, (row) => holds(codes[row]!));
  return yield* selectCodes(column, holds, from);
}

function testOf({ sets }: Scope, leaf: Leaf, values: ColumnData): RowTest {
  if (leaf.kind !== 'in' || leaf.values.length <= FEW) return compilePredicate(leaf, asBatch(leaf.column, values));
  let set = sets.get(leaf);
  if (set === undefined) {
    set = valueSet(leaf.values);
    sets.set(leaf, set);
  }
  return (row) => set.has(values[row]);
}

/** Values that are not worth a set of all segments. */
const FEW = 16;

/** Each text is tested once, not where it stands. */
function* selectCodes({ codes, texts }: DictionaryColumn, holds: RowTest, from: Int32Array): Work<Int32Array> {
  const mark = new Uint8Array(texts.length);
  for (let code = 0; code < mark.length; code++) {
    mark[code] = holds(code) ? 1 : 0;
    if (code % TEXTS === 0) yield;
  }
  const to = new Int32Array(from.length);
  let count = 0;
  for (let i = 0; i < from.length; i++) {
    to[count] = from[i]!;
    count += mark[codes[from[i]!]!]!;
  }
  yield;
  return to.subarray(0, count);
}

function asBatch(name: string, values: unknown): Pick<Batch, 'columns'> {
  return { columns: { [name]: values } } as Pick<Batch, 'columns'>;
}

function* selectTested(from: Int32Array, holds: RowTest): Work<Int32Array> {
  const to = new Int32Array(from.length);
  let count = 0;
  yield* inPieces(from, TEXTS, (piece) => {
    for (let i = 0; i < piece.length; i++) if (holds(piece[i]!)) to[count++] = piece[i]!;
  });
  return to.subarray(0, count);
}

/** `sign * value` is at least `least`; NaN, the null of numbers, never is. */
interface Bound {
  readonly values: Int32Array | Float64Array;
  /** Of a pooled column, by row. */
  readonly places: Uint16Array | undefined;
  readonly sign: 1 | -1;
  readonly least: number;
}

/** A comparison of numbers as bounds that hold together; `undefined` for any other predicate. */
function boundsOf(scope: Scope, part: Predicate): Bound[] | undefined {
  if (part.kind !== 'compare' || typeof part.value !== 'number') return undefined;
  const column = columnOf(scope.segment, part.column);
  if (column instanceof TextColumn || column instanceof DictionaryColumn) return undefined;
  const values = column instanceof PooledColumn ? column.values : column;
  const places = column instanceof PooledColumn ? column.places : undefined;
  const bound = part.value;
  const atLeast = (least: number): Bound => ({ values, places, sign: 1, least });
  const atMost = (most: number): Bound => ({ values, places, sign: -1, least: -most });
  const bounds: Record<CompareOp, () => Bound[]> = {
    eq: () => [atLeast(bound), atMost(bound)],
    gte: () => [atLeast(bound)],
    gt: () => [atLeast(nextAbove(bound))],
    lte: () => [atMost(bound)],
    lt: () => [atMost(-nextAbove(-bound))],
  };
  return bounds[part.op]();
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The least double greater than `value`; NaN above infinity. */
function nextAbove(value: number): number {
  double[0] = value + 0;
  bits[0]! += value >= 0 ? 1n : -1n;
  return double[0]!;
}

/** Rows of the sample that says which bound leaves the fewest. */
const SAMPLE = 256;

/** Without a branch: every row is written, and those that hold are counted. A row is read before one is written at its place or behind. */
function* selectWithin(bounds: readonly Bound[], from: Int32Array): Work<Int32Array> {
  const to = new Int32Array(from.length);
  let rows = from;
  for (const bound of rarestFirst(bounds, from)) {
    rows = to.subarray(0, writeWithin(bound, rows, to));
    yield;
  }
  return rows;
}

/** By how many they leave of some rows that lie evenly among all: of the columns of the later ones most is then not read. */
function rarestFirst(bounds: readonly Bound[], from: Int32Array): readonly Bound[] {
  if (bounds.length === 1 || from.length < 2 * SAMPLE) return bounds;
  const step = Math.floor(from.length / SAMPLE);
  const sample = Int32Array.from({ length: SAMPLE }, (_, i) => from[i * step]!);
  const to = new Int32Array(SAMPLE);
  const left = new Map(bounds.map((bound) => [bound, writeWithin(bound, sample, to)]));
  return [...bounds].sort((a, b) => left.get(a)! - left.get(b)!);
}

function writeWithin({ values, places, sign, least }: Bound, from: Int32Array, to: Int32Array): number {
  let count = 0;
  if (places !== undefined) {
    for (let i = 0; i < from.length; i++) {
      const row = from[i]!;
      to[count] = row;
      count += +(sign * values[places[row]!]! >= least);
    }
    return count;
  }
  for (let i = 0; i < from.length; i++) {
    const row = from[i]!;
    to[count] = row;
    count += +(sign * values[row]! >= least);
  }
  return count;
}

/** Numbers first, then texts that repeat, then texts, then groups: what is left over is less. */
function byCost(scope: Scope): (a: Predicate, b: Predicate) => number {
  const cost = (part: Predicate): number => {
    if (part.kind === 'and' || part.kind === 'or') return Math.max(...part.of.map(cost)) + 1;
    if (part.kind === 'not') return cost(part.of) + 1;
    const column = columnOf(scope.segment, part.column);
    return column instanceof TextColumn ? 9 : column instanceof DictionaryColumn ? 1 : 0;
  };
  return (a, b) => cost(a) - cost(b);
}
