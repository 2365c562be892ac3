import { SwapfoldError } from '@swapfold/core';
import type { ProfileKind } from '@swapfold/core/host';
import type { AskedStore } from '@swapfold/server';
import { type Condition, checkMetrics, clauseOf, pathOf } from './words.ts';

/** A search in words. */
export interface SearchWords {
  readonly where?: readonly Condition[];
  readonly sort?: { readonly field: string; readonly order: 'highest first' | 'lowest first' } | undefined;
  readonly filter?: unknown;
  readonly window: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** What a search has beside the words. */
export interface Search {
  readonly kind: ProfileKind;
  /** Clauses beside those of the words, by the arguments that they come from. */
  readonly clauses: Readonly<Record<string, object | undefined>>;
  /** What it is sorted by unless the words say so; `undefined` by relevance. */
  readonly sort: string | undefined;
  /** Fields of the request that have no words. */
  readonly body: object;
  /** The metrics that profiles are answered with. */
  readonly fields: readonly string[];
}

interface Found {
  readonly data: readonly Profile[];
}
interface Profile {
  readonly metrics?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A page of profiles, with some of their metrics. */
export async function searchInWords(store: AskedStore, words: SearchWords, search: Search): Promise<object> {
  const { kind, body, fields } = search;
  const { where = [], sort, filter, window, limit, cursor } = words;
  const of = { kind, store, window };
  checkMetrics(fields, 'fields', kind, store);
  const clauses: readonly (readonly [place: string, clause: unknown])[] = [
    ...where.map((condition, i) => [`where.${i}`, clauseOf(condition, `where.${i}`, of)] as const),
    ...Object.entries({ ...search.clauses, filter }).filter(([, clause]) => clause !== undefined),
  ];
  const by = sort?.field ?? search.sort;
  const direction = sort?.order === 'lowest first' ? 'asc' : 'desc';
  const request = {
    ...body,
    ...(clauses.length === 0 ? {} : { filter: { $and: clauses.map(([, clause]) => clause) } }),
    ...(by === undefined ? {} : { sort: { field: pathOf(by, 'sort.field', of), direction } }),
    limit,
    cursor,
  };
  const found = (await store.call(`${kind}.search`, request).catch((error: unknown) => {
    throw inWords(
      error,
      clauses.map(([place]) => place),
    );
  })) as Found;
  return { ...found, data: found.data.map((profile) => withMetrics(profile, fields)) };
}

/** How many trades a sum in USD leaves out: if all of them, the sum says 0 and is unknown. */
const TELLS_UNVALUED = 'unvalued_trade_count';

/** A profile with these metrics alone, and with how many of its trades have no value, if any. */
export function withMetrics<P extends Profile>(profile: P, fields: readonly string[]): P {
  if (profile.metrics === undefined) return profile;
  const metrics = Object.entries(profile.metrics).map(([window, values]) => [
    window,
    Object.fromEntries(
      Object.entries(values).filter(
        ([name, value]) => fields.includes(name) || (name === TELLS_UNVALUED && value !== 0),
      ),
    ),
  ]);
  return { ...profile, metrics: Object.fromEntries(metrics) };
}

/** An error of the filter that the words became, at the arguments that its clauses come from. */
function inWords(error: unknown, places: readonly string[]): unknown {
  if (!(error instanceof SwapfoldError)) return error;
  const placeOf = (path: string): string =>
    path.replace(/^filter\.\$and\.(\d+)(.*)/, (whole, i: string, below: string) => {
      const place = places[Number(i)] ?? whole;
      return place === 'filter' ? `filter${below}` : place;
    });
  const details = error.details.map(({ path, message }) => ({ path: placeOf(path), message }));
  return new SwapfoldError(error.code, error.message, { details, cause: error });
}
