import { SwapfoldError } from '../../errors.ts';
import { foldedColumn } from '../../filter/words.ts';
import type { Page } from '../../memory/column-table.ts';
import type { ProfileShape } from '../../profiles/shape.ts';
import { pairsOf } from '../../records/chain-order.ts';
import { type Batch, inOrderOf, NO_ID } from '../../records/columns.ts';
import type { CompiledRule } from '../../refresh/labels.ts';
import { batchRows, type ProfileRows, storedRows } from '../../search/rows.ts';
import {
  and,
  between,
  compare,
  conjunctsOf,
  everything,
  isIn,
  not,
  or,
  type Predicate,
  predicateColumns,
} from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import { MOST_CANDIDATES } from './bounds.ts';
import type { Completer } from './complete.ts';

/**
 * The stored positions of the state that the context reads, with the columns that are computed. A search that reads these in its filter or
 * order takes the positions for which the rest of the filter holds into memory.
 *
 * - Errors: `invalid-filter` if these are too many.
 */
export function positionRows(context: QueryContext, completer: Completer): ProfileRows {
  const { reader, yielder } = context;
  const shape = context.shapes.positions;
  const engine = storedRows(reader, shape.table);
  /** Rows in memory for which `where` holds wherever `rest` does. */
  async function candidates(wanted: readonly string[], where: Predicate) {
    const completion = completer.completionOf([...wanted, ...predicateColumns(where)]);
    const isDecided = (part: Predicate): boolean => isStored(shape, predicateColumns(part));
    const parts = conjunctsOf(where);
    const decided = and(...parts.filter(isDecided));
    const count = await reader.count(shape.table, decided);
    const most = MOST_CANDIDATES[completion.isFolded ? 'folded' : 'priced'];
    if (count > most) throw tooMany(count, most, computedPath(shape, [...predicateColumns(where), ...wanted]));
    const stored = await engine.read(completion.stored, decided);
    const whole = await completer.complete(stored, completion);
    return { rows: batchRows(shape.whole, whole, yielder), rest: and(...parts.filter((part) => !isDecided(part))) };
  }
  return {
    async read(columns, where) {
      const { rows, rest } = await candidates(columns, await byIds(context, where));
      return rows.read(columns, rest);
    },
    async page(scan) {
      const where = await byIds(context, scan.where);
      const ordered = scan.order.map(({ column }) => column);
      const completion = completer.completionOf([...scan.columns, ...ordered]);
      const complete = async ({ count, hasMore }: Page, stored: Batch): Promise<Page> => {
        return { count, rows: await completer.complete(stored, completion), hasMore };
      };
      if (isStored(shape, [...predicateColumns(where), ...ordered])) {
        const page = await engine.page({ ...scan, where, columns: completion.stored });
        return complete(page, page.rows);
      }
      const { rows, rest } = await candidates(['id', ...ordered], where);
      const page = await rows.page({ ...scan, where: rest, columns: ['id'], sufficient: ['id'] });
      const ids = page.rows.columns.id as Float64Array;
      const stored = await engine.read(completion.stored, isIn('id', ids));
      return complete(page, inOrderOf(ids, stored, stored.columns.id as Float64Array));
    },
  };
}

export function isStored({ table }: ProfileShape, columns: Iterable<string>): boolean {
  return [...columns].every((column) => column in table.columns);
}

async function byIds({ dictionary, reader }: QueryContext, where: Predicate): Promise<Predicate> {
  const addresses = [...new Set(addressesIn(where))];
  if (addresses.length === 0) return where;
  const ids = await dictionary.find(reader, addresses);
  const idOf = new Map(addresses.map((address, i) => [address, ids[i] === NO_ID ? undefined : ids[i]]));
  return withIds(where, (address) => idOf.get(address));
}

/** The path of the first of some columns that no table has. */
function computedPath(shape: ProfileShape, columns: readonly string[]): string {
  const column = columns.find((one) => !isStored(shape, [one]))!;
  return shape.fields.find(({ path }) => foldedColumn(path) === column)?.path ?? column;
}

function tooMany(count: number, most: number, path: string): SwapfoldError {
  const message = `"${path}" is computed when it is asked for, and the conditions on stored fields leave ${count} positions; at most ${most} may be left. Name wallets or tokens, or add conditions on stored fields, such as "metadata.state": "open".`;
  return new SwapfoldError('invalid-filter', message, { details: [{ path: 'filter', message }] });
}

/** A condition with the labels that it asks for in the words of the rules that give them: labels of positions are in no table. */
export function withRules(where: Predicate, rules: readonly CompiledRule[]): Predicate {
  return rewritten(where, (leaf) =>
    leaf.kind === 'has' ? or(...rules.filter(({ label }) => label === leaf.label).map((rule) => rule.where)) : leaf,
  );
}

/** The ids that stand for addresses in the table. */
const idColumns: Readonly<Record<string, string>> = { wallet_address: 'wallet', token_address: 'token' };

/** The most wallets whose positions are looked up one wallet after the other: for more, going through all positions is faster. */
const FEW = 100;

/** The addresses that a condition names with an index for them. */
function addressesIn(where: Predicate): readonly string[] {
  const addresses: string[] = [];
  rewritten(where, (leaf) => {
    if (isOfAddress(leaf)) addresses.push(...(leaf.kind === 'in' ? (leaf.values as string[]) : [leaf.value as string]));
    return leaf;
  });
  return addresses;
}

/** A condition with ids in the place of addresses. Those that no swap has are of no position. */
function withIds(where: Predicate, idOf: (address: string) => number | undefined): Predicate {
  return rewritten(where, (leaf) => {
    if (!isOfAddress(leaf)) return leaf;
    const values = leaf.kind === 'in' ? (leaf.values as string[]) : [leaf.value as string];
    const ids = values.flatMap((address) => idOf(address) ?? []);
    const column = idColumns[leaf.column]!;
    // The positions of a wallet lie together.
    if (column === 'wallet' && ids.length <= FEW) return or(...ids.map((wallet) => between('id', ...pairsOf(wallet))));
    return ids.length === 1 ? compare(column, 'eq', ids[0]!) : isIn(column, ids);
  });
}

type Leaf = Exclude<Predicate, { readonly kind: 'and' | 'or' | 'not' }>;
type OfAddress = Extract<Leaf, { readonly kind: 'compare' | 'in' }>;

function isOfAddress(leaf: Leaf): leaf is OfAddress {
  return (leaf.kind === 'in' || (leaf.kind === 'compare' && leaf.op === 'eq')) && leaf.column in idColumns;
}

function rewritten(where: Predicate, leafOf: (leaf: Leaf) => Predicate): Predicate {
  switch (where.kind) {
    case 'and':
      return where.of.length === 0 ? everything : and(...where.of.map((part) => rewritten(part, leafOf)));
    case 'or':
      return or(...where.of.map((part) => rewritten(part, leafOf)));
    case 'not':
      return not(rewritten(where.of, leafOf));
    default:
      return leafOf(where);
  }
}
