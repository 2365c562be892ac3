import type { RegisteredToken, SymbolId, TokenAnswer, TokenRegions } from '../cache/regions.ts';
import { knownSupply } from '../ledger/value.ts';
import { newestSymbols } from '../market-data/latest-prints.ts';
import { numbers } from '../records/arithmetic.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { tokenRegistryTable } from '../records/tables.ts';
import { isIn } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';

/** An answer about a token, which holds until the token is traded again, or `until` an as-of time. */
export interface FoundAnswer<T> {
  readonly value: T;
  readonly until?: number;
}

export interface TokenQuestion<T> {
  readonly region: keyof TokenRegions;
  /** The answers for tokens of which none is cached; tokens without one are absent. */
  readonly ask: (context: QueryContext, tokens: Int32Array) => Promise<ReadonlyMap<number, FoundAnswer<T>>>;
}

/** Answers about tokens, those that have one: the cached ones, and what the engine says of the others. */
export async function perToken<T extends object>(
  context: QueryContext,
  { region, ask }: TokenQuestion<T>,
  tokens: Int32Array,
): Promise<ReadonlyMap<number, T>> {
  const { cache, asOf } = context;
  const answers = new Map<number, T>();
  const unknown: number[] = [];
  for (const token of tokens) {
    const cached = cache.get(region, token) as TokenAnswer<T> | undefined;
    if (cached === undefined || asOf < cached.from || asOf > cached.until) unknown.push(token);
    else if (cached.value !== null) answers.set(token, cached.value);
  }
  if (unknown.length === 0) return answers;
  const found = await ask(context, Int32Array.from(unknown));
  for (const token of unknown) {
    const { value = null, until = Number.POSITIVE_INFINITY } = found.get(token) ?? {};
    if (value !== null) answers.set(token, value);
    cache.put(region, token, { from: asOf, until, value } as TokenAnswer<never>);
  }
  return answers;
}

const unregistered: RegisteredToken = { symbol: null, supply: Number.NaN };

/** Symbols and supplies of tokens, from the registry. */
export async function registeredTokens(
  context: QueryContext,
  tokens: Iterable<number>,
): Promise<(token: number) => RegisteredToken> {
  const known = await perToken(context, registeredToken, Int32Array.from(new Set(tokens)));
  return (token) => known.get(token) ?? unregistered;
}

const registeredToken: TokenQuestion<RegisteredToken> = {
  region: 'registered',
  async ask(context, tokens) {
    const { columns, length } = await context.reader.read({
      table: tokenRegistryTable,
      columns: ['id', 'symbol', 'total_supply', 'circulating_supply'],
      where: isIn('id', tokens),
    });
    const supplyOf = (row: number): number =>
      knownSupply(numbers, columns.circulating_supply[row]!, columns.total_supply[row]!);
    const rows = Array.from({ length }, (_, row) => ({ symbol: columns.symbol[row]!, supply: supplyOf(row) }));
    return new Map(rows.map((value, row) => [columns.id[row]!, { value }]));
  },
};

/** A column of tokens, and the symbols that their rows give them. */
interface NamedTokens {
  readonly tokens: Int32Array;
  readonly symbols: Int32Array;
}

/** Symbols for tokens that a row names none of: the registry's, else the configured quote token's, else `null`. */
export async function readSymbols(
  context: QueryContext,
  columns: readonly NamedTokens[],
): Promise<(token: number) => string | null> {
  const unnamed = columns.flatMap(({ tokens, symbols }) => [...tokens.filter((_, row) => symbols[row] === NO_ID)]);
  const registered = await registeredTokens(context, unnamed);
  return (token) =>
    registered(token).symbol ?? context.config.quote_tokens[context.roles.rankOf(token)]?.symbol ?? null;
}

/** Symbols of tokens: the registry's, else the symbol in the newest swap that names one, else `null`. */
export async function swapSymbols(
  context: QueryContext,
  tokens: Int32Array,
): Promise<(token: number) => string | null> {
  const registered = await registeredTokens(context, tokens);
  const unnamed = tokens.filter((token) => registered(token).symbol === null);
  const named = await perToken(context, swapSymbol, unnamed);
  const ids = Array.from(named.values(), ({ id }) => id);
  await context.dictionary.load(context.reader, ids);
  return (token) => {
    const symbol = named.get(token);
    return registered(token).symbol ?? (symbol === undefined ? null : context.dictionary.textOf(symbol.id));
  };
}

const swapSymbol: TokenQuestion<SymbolId> = {
  region: 'symbols',
  async ask({ reader, asOf }, tokens) {
    const named = await newestSymbols(reader, tokens, { until: lastSeqAt(asOf) });
    return new Map(Array.from(named, ([token, id]) => [token, { value: { id } }]));
  },
};
