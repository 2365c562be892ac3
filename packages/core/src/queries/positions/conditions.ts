import { pairsOf } from '../../records/chain-order.ts';
import type { CompiledRule } from '../../refresh/labels.ts';
import { and, between, compare, everything, isIn, not, or, type Predicate } from '../../storage/predicate.ts';

/** A condition with the labels that it asks for in the words of the rules that give them: labels of positions are in no table. */
export function withRules(where: Predicate, rules: readonly CompiledRule[]): Predicate {
  return rewritten(where, (leaf) =>
    leaf.kind === 'has' ? or(...rules.filter(({ label }) => label === leaf.label).map((rule) => rule.where)) : leaf,
  );
}

/** The ids that stand for addresses in the table. */
const idColumns: Readonly<Record<string, string>> = { wallet_address: 'wallet', token_address: 'token' };

/** Wallets whose positions are looked up one wallet after the other: those of more are found sooner by going through all. */
const FEW = 100;

/** The addresses that a condition names with an index for them. */
export function addressesIn(where: Predicate): readonly string[] {
  const addresses: string[] = [];
  rewritten(where, (leaf) => {
    if (isOfAddress(leaf)) addresses.push(...(leaf.kind === 'in' ? (leaf.values as string[]) : [leaf.value as string]));
    return leaf;
  });
  return addresses;
}

/** A condition with ids in the place of addresses. Those that no swap has are of no position. */
export function withIds(where: Predicate, idOf: (address: string) => number | undefined): Predicate {
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

/** The conditions that must all hold. */
export function partsOf(where: Predicate): readonly Predicate[] {
  return where.kind === 'and' ? where.of.flatMap(partsOf) : [where];
}

/** Whether a condition names the wallets, or the tokens, of all positions for which it holds. */
export function namesEntities(where: Predicate): boolean {
  return partsOf(where).some(
    (part) => part.kind !== 'and' && part.kind !== 'or' && part.kind !== 'not' && isOfAddress(part),
  );
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
