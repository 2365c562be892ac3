import { SwapfoldError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import type { Operation, RunnableOperation } from './operation.ts';
import { portfoliosGet, swapsList, tokensHistory, tradesList, walletsHistory } from './operations/lists.ts';
import { pricesCandles, pricesHistory, pricesLatest, pricesStats } from './operations/prices.ts';
import { positionsGet, positionsSearch, profilesExplain, profilesGet, profilesSearch } from './operations/profiles.ts';

/** A new operation is a declaration in the folder beside, and a row here. */
const table = [
  profilesSearch('tokens'),
  profilesGet('tokens'),
  profilesExplain('tokens'),
  tokensHistory,
  profilesSearch('wallets'),
  profilesGet('wallets'),
  profilesExplain('wallets'),
  walletsHistory,
  positionsSearch,
  positionsGet,
  profilesExplain('positions'),
  swapsList,
  tradesList,
  pricesLatest,
  pricesStats,
  pricesCandles,
  pricesHistory,
  portfoliosGet,
] as const satisfies readonly RunnableOperation[];

/** An operation of the table, with the types of its request and answer. */
export type ListedOperation = (typeof table)[number];

/** The operations of the interface, in its order. */
export const operations: readonly Operation[] = table;

/** Names, paths, and what may be left of a path when its beginning is cut off; where two share one, the first operation has it. */
const byName: ReadonlyMap<string, RunnableOperation> = new Map(
  [...(table as readonly RunnableOperation[])].reverse().flatMap((known) => {
    const parts = known.path.split('/');
    const suffixes = parts.map((_, i) => parts.slice(i).join('/'));
    return [known.name, ...suffixes].map((name) => [name, known] as const);
  }),
);

/** As `findOperation`, with what runs it. */
export function findRunnable(name: string): RunnableOperation {
  const found = byName.get(name);
  if (found !== undefined) return found;
  const names = operations.map((candidate) => candidate.name);
  throw new SwapfoldError(
    'not-found',
    `There is no operation "${name}".${didYouMean(String(name), names)} Operations: ${names.join(', ')}.`,
  );
}

/** The operation of that name, or path. Errors: `not-found`, with the nearest name. */
export const findOperation = (name: string): Operation => findRunnable(name);
