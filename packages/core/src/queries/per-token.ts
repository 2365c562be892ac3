import type { RegisteredToken, TokenAnswer, TokenRegions } from '../cache/regions.ts';
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
    const supplyOf = (row: number): number => {
      const circulating = columns.circulating_supply[row]!;
      return Number.isNaN(circulating) ? columns.total_supply[row]! : circulating;
    };
    const rows = Array.from({ length }, (_, row) => ({ symbol: columns.symbol[row]!, supply: supplyOf(row) }));
    return new Map(rows.map((value, row) => [columns.id[row]!, { value }]));
  },
};
