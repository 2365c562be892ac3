import { SECOND } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { isMarking, isSuspect, markingStandings, SELF, suspectStandings } from '../records/standing.ts';
import { legsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn, not, type Predicate } from '../storage/predicate.ts';

export interface Print {
  readonly seq: number;
  readonly price: number;
  readonly isSuspect: boolean;
  /** Whether it may be a mark. */
  readonly isMarking: boolean;
}

/** Legs of swaps that are not of a token for itself. */
export const isExchanged: Predicate = not(compare('standing', 'eq', SELF));

/** Legs that have a price. */
export const isPrint: Predicate = not({ kind: 'missing', column: 'price' });

/** Legs that are no suspect print. */
export const isClean: Predicate = not(isIn('standing', suspectStandings));

const conditions: Readonly<Record<Prints | 'marking', Predicate>> = {
  all: isPrint,
  clean: and(isPrint, isClean),
  marking: and(isPrint, isIn('standing', markingStandings)),
};

/** Prints that are not suspect: prices are judged by them alone. */
export const isCleanPrint: Predicate = and(isPrint, isClean);

/** The last print of each token up to a seq; tokens without one are absent. */
export async function latestPrints(
  reader: Reader,
  tokens: Int32Array,
  { from, until, prints = 'all' }: PrintRange,
): Promise<ReadonlyMap<number, Print>> {
  if (tokens.length === 0) return new Map();
  const rows = await reader.latest({
    table: legsTable,
    columns: ['token', 'seq', 'price', 'standing'],
    key: 'token',
    keys: tokens,
    by: 'seq',
    until,
    where: from === undefined ? conditions[prints] : and(compare('seq', 'gte', from), conditions[prints]),
  });
  const { token, seq, price, standing } = rows.columns;
  return new Map(
    Array.from(token, (id, i) => [
      id,
      {
        seq: seq[i]!,
        price: price[i]!,
        isSuspect: isSuspect(standing[i]!),
        isMarking: isMarking(standing[i]!),
      },
    ]),
  );
}

/** As `latestPrints`, for tokens of which most had a print in the last hour. */
export async function recentPrints(
  reader: Reader,
  tokens: Int32Array,
  range: Omit<PrintRange, 'from'>,
): Promise<ReadonlyMap<number, Print>> {
  return recentFirst(tokens, range.until, (some, from) => latestPrints(reader, some, { ...range, from }));
}

/** An hour of `seq`. */
const RECENT = 3600 * SECOND;

/**
 * What is found of tokens in the last hour, and of the others before it. Every second leg is one of a quote token, and an engine without
 * indexes reads all of them for the newest.
 */
async function recentFirst<T>(
  tokens: Int32Array,
  until: number,
  find: (tokens: Int32Array, from?: number) => Promise<ReadonlyMap<number, T>>,
): Promise<ReadonlyMap<number, T>> {
  const recent = await find(tokens, until - RECENT);
  const others = tokens.filter((token) => !recent.has(token));
  return others.length === 0 ? recent : new Map([...recent, ...(await find(others))]);
}

/** Which prints: all, or those that are not suspect. */
export type Prints = 'all' | 'clean';

interface PrintRange {
  /** The least seq. Default: of all prints. */
  readonly from?: number | undefined;
  readonly until: number;
  /** Default `all`. `marking`: those that are not suspect, and have a voice. */
  readonly prints?: Prints | 'marking';
}

/** The id of the symbol that the newest swap up to a seq gives each token; tokens that no swap names are absent. */
export async function newestSymbols(
  reader: Reader,
  tokens: Int32Array,
  { from, until }: Pick<PrintRange, 'from' | 'until'>,
): Promise<ReadonlyMap<number, number>> {
  const isNamed = not(isIn('symbol', [NO_ID]));
  const { columns } = await reader.latest({
    table: legsTable,
    columns: ['token', 'symbol'],
    key: 'token',
    keys: tokens,
    by: 'seq',
    until,
    where: from === undefined ? isNamed : and(compare('seq', 'gte', from), isNamed),
  });
  return new Map(Array.from(columns.token, (token, i) => [token, columns.symbol[i]!]));
}

/** As `newestSymbols`, for tokens of which most were traded in the last hour. */
export async function recentSymbols(
  reader: Reader,
  tokens: Int32Array,
  until: number,
): Promise<ReadonlyMap<number, number>> {
  return recentFirst(tokens, until, (some, from) => newestSymbols(reader, some, { from, until }));
}
