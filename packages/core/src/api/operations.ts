import { SwapfoldError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import type { Operation, RunnableOperation, WriteOperation } from './operation.ts';
import { walletsSimulate } from './operations/copy.ts';
import {
  portfoliosGet,
  swapsList,
  tokensHistory,
  tradesList,
  transfersList,
  walletsHistory,
} from './operations/lists.ts';
import { pricesCandles, pricesHistory, pricesLatest, pricesStats } from './operations/prices.ts';
import { positionsGet, positionsSearch, profilesExplain, profilesGet, profilesSearch } from './operations/profiles.ts';
import {
  ingestPrices,
  ingestRefresh,
  ingestRollback,
  ingestSwaps,
  ingestTokens,
  ingestTransfers,
  ingestWallets,
} from './operations/writes.ts';

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
  walletsSimulate,
  positionsSearch,
  positionsGet,
  profilesExplain('positions'),
  swapsList,
  tradesList,
  transfersList,
  pricesLatest,
  pricesStats,
  pricesCandles,
  pricesHistory,
  portfoliosGet,
  ingestSwaps,
  ingestTransfers,
  ingestTokens,
  ingestWallets,
  ingestPrices,
  ingestRollback,
  ingestRefresh,
] as const satisfies readonly (RunnableOperation | WriteOperation)[];

/** A question of the table, with the types of its request and answer. */
export type ListedOperation = Exclude<(typeof table)[number], WriteOperation>;

/** The operations of the interface, in its order: questions, and what writes. */
export const operations: readonly Operation[] = table;

const asked: readonly RunnableOperation[] = table.filter((one): one is ListedOperation => !('write' in one));

/** The operations that ask. */
export const questions: readonly Operation[] = asked;

/** Names, paths, and what may be left of a path when its beginning is cut off; where two share one, the first operation has it. */
const byName: ReadonlyMap<string, RunnableOperation> = new Map(
  [...asked].reverse().flatMap((known) => {
    const parts = known.path.slice(1).split('/');
    const suffixes = parts.map((_, i) => parts.slice(i).join('/'));
    return [known.name, ...suffixes].map((name) => [name, known] as const);
  }),
);

/** As `findOperation`, with what runs it. */
export function findRunnable(name: string): RunnableOperation {
  const found = byName.get(String(name).replace(/^\//, ''));
  if (found !== undefined) return found;
  const names = questions.map((candidate) => candidate.name);
  throw new SwapfoldError(
    'not-found',
    `There is no operation "${name}".${didYouMean(String(name), names)} Operations: ${names.join(', ')}.`,
  );
}

/** The question of that name, or path. Errors: `not-found`, with the nearest name. */
export const findOperation = (name: string): Operation => findRunnable(name);
