import { KeptNumbers, type KeptTexts, KeptWords } from '../profiles/kept-column.ts';
import type { KeptRows } from '../profiles/kept-rows.ts';
import type { Batch } from '../records/columns.ts';
import { compilePredicate, type RowTest } from '../storage/evaluate.ts';
import type { CompareOp, Predicate } from '../storage/predicate.ts';

/**
 * The kept rows where `predicate` holds, ascending.
 *
 * It means what `compilePredicate` says, and asks it for all but comparisons of numbers: those run over a whole column without
 * a branch, since a guess that fails every other row costs more than the comparison. A text that repeats is tested once.
 */
export function selectRows(kept: KeptRows, predicate: Predicate): Int32Array {
  return select(kept, predicate, kept.all);
}

function select(kept: KeptRows, predicate: Predicate, from: Int32Array): Int32Array {
  switch (predicate.kind) {
    case 'and':
      return [...predicate.of].sort(byCost(kept)).reduce((rows, part) => select(kept, part, rows), from);
    case 'or':
      return either(kept, predicate.of, from);
    case 'not':
      return marked(from, markOf(kept, select(kept, predicate.of, from)), 0);
    default:
      return selectLeaf(kept, predicate, from);
  }
}

/** Rows that an earlier part took are not asked of the later ones. */
function either(kept: KeptRows, parts: readonly Predicate[], from: Int32Array): Int32Array {
  if (parts.length === 1) return select(kept, parts[0]!, from);
  const mark = new Uint8Array(kept.length);
  let left = from;
  for (const part of parts) {
    for (const row of select(kept, part, left)) mark[row] = 1;
    left = marked(left, mark, 0);
  }
  return marked(from, mark, 1);
}

function markOf(kept: KeptRows, rows: Int32Array): Uint8Array {
  const mark = new Uint8Array(kept.length);
  for (const row of rows) mark[row] = 1;
  return mark;
}

function marked(from: Int32Array, mark: Uint8Array, as: 0 | 1): Int32Array {
  const to = new Int32Array(from.length);
  let count = 0;
  for (let i = 0; i < from.length; i++) {
    to[count] = from[i]!;
    count += +(mark[from[i]!] === as);
  }
  return to.subarray(0, count);
}

type Leaf = Exclude<Predicate, { readonly kind: 'and' | 'or' | 'not' }>;

function selectLeaf(kept: KeptRows, leaf: Leaf, from: Int32Array): Int32Array {
  const column = kept.column(leaf.column);
  if (column instanceof KeptWords) {
    const holds = compilePredicate(leaf, asBatch(leaf.column, column.texts));
    const mark = Uint8Array.from(column.texts, (_, code) => (holds(code) ? 1 : 0));
    return selectCodes(column.codes, mark, from);
  }
  const { values } = column as KeptNumbers | KeptTexts;
  const holds = compilePredicate(leaf, asBatch(leaf.column, values));
  if (leaf.kind === 'compare' && !Array.isArray(values))
    return selectNumbers(values, leaf.op, Number(leaf.value), from);
  const addresses = leaf.column === kept.address ? addressesOf(leaf) : undefined;
  return selectTested(addresses === undefined ? from : rowsAt(kept, addresses, from), holds);
}

/** The addresses of which a leaf asks for one, `undefined` where it asks otherwise. */
function addressesOf(leaf: Leaf): readonly unknown[] | undefined {
  if (leaf.kind === 'in') return Array.from(leaf.values as ArrayLike<unknown>);
  return leaf.kind === 'compare' && leaf.op === 'eq' ? [leaf.value] : undefined;
}

/** Those of the rows `from` that have one of the addresses. */
function rowsAt(kept: KeptRows, addresses: readonly unknown[], from: Int32Array): Int32Array {
  const found = new Set<number>();
  for (const address of addresses) {
    const row = kept.rowOf(address as string);
    if (row !== undefined) found.add(row);
  }
  const rows = Int32Array.from(found).sort();
  return from.length === kept.length ? rows : marked(rows, markOf(kept, from), 1);
}

function asBatch(name: string, values: unknown): Pick<Batch, 'columns'> {
  return { columns: { [name]: values } } as Pick<Batch, 'columns'>;
}

function selectTested(from: Int32Array, holds: RowTest): Int32Array {
  const to = new Int32Array(from.length);
  let count = 0;
  for (let i = 0; i < from.length; i++) if (holds(from[i]!)) to[count++] = from[i]!;
  return to.subarray(0, count);
}

function selectCodes(codes: Int32Array, mark: Uint8Array, from: Int32Array): Int32Array {
  const to = new Int32Array(from.length);
  let count = 0;
  for (let i = 0; i < from.length; i++) {
    to[count] = from[i]!;
    count += mark[codes[from[i]!]!]!;
  }
  return to.subarray(0, count);
}

/** NaN, the null of numbers, fails every comparison by itself. */
function selectNumbers(values: Int32Array | Float64Array, op: CompareOp, bound: number, from: Int32Array): Int32Array {
  const to = new Int32Array(from.length);
  let count = 0;
  const length = from.length;
  switch (op) {
    case 'eq':
      for (let i = 0; i < length; i++) {
        to[count] = from[i]!;
        count += +(values[from[i]!]! === bound);
      }
      break;
    case 'lt':
      for (let i = 0; i < length; i++) {
        to[count] = from[i]!;
        count += +(values[from[i]!]! < bound);
      }
      break;
    case 'lte':
      for (let i = 0; i < length; i++) {
        to[count] = from[i]!;
        count += +(values[from[i]!]! <= bound);
      }
      break;
    case 'gt':
      for (let i = 0; i < length; i++) {
        to[count] = from[i]!;
        count += +(values[from[i]!]! > bound);
      }
      break;
    case 'gte':
      for (let i = 0; i < length; i++) {
        to[count] = from[i]!;
        count += +(values[from[i]!]! >= bound);
      }
      break;
  }
  return to.subarray(0, count);
}

/** Numbers first, then texts that repeat, then texts, then groups: what is left over is less. */
function byCost(kept: KeptRows): (a: Predicate, b: Predicate) => number {
  const cost = (part: Predicate): number => {
    if (part.kind === 'and' || part.kind === 'or') return Math.max(...part.of.map(cost)) + 1;
    if (part.kind === 'not') return cost(part.of) + 1;
    const column = kept.column(part.column);
    if (addressesOf(part) !== undefined && part.column === kept.address) return -1;
    return column instanceof KeptNumbers ? 0 : column instanceof KeptWords ? 1 : 9;
  };
  return (a, b) => cost(a) - cost(b);
}
