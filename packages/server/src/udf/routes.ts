import type { Swapfold } from '@swapfold/core';
import { MAX_TIME, tokenAddress } from '@swapfold/core/host';
import type { Admission } from '../admission.ts';
import { answerText } from '../answer-text.ts';
import { pack } from '../compress.ts';
import type { Exchange } from '../exchange.ts';
import { type Asked, askedBy } from '../plugged.ts';
import type { Route } from '../route.ts';
import { history } from './history.ts';
import { marks } from './marks.ts';
import { Query } from './query.ts';
import { barsOf, resolutions, secondsOf } from './resolution.ts';
import { findSymbol, foundSymbol, MAX_FOUND, searchSymbols, symbolInfo } from './symbols.ts';

/** What a path below `/udf` answers. `operation` is what a key has to allow, besides what the answer asks for itself. */
interface UdfRoute {
  readonly path: string;
  readonly operation?: string;
  readonly answer: (store: Asked, query: Query) => object | Promise<object> | number;
}

/** The search of the library asks for 30. */
const DEFAULT_FOUND = 30;
/** More bars than any chart asks for. */
const MAX_COUNTBACK = 1_000_000;

const table: readonly UdfRoute[] = [
  {
    path: '/udf/config',
    answer: () => ({
      supports_search: true,
      supports_group_request: false,
      supports_marks: true,
      supports_timescale_marks: false,
      supports_time: true,
      supported_resolutions: resolutions,
    }),
  },
  { path: '/udf/time', answer: () => Math.floor(Date.now() / 1000) },
  {
    path: '/udf/symbols',
    operation: 'tokens.search',
    answer: async (store, query) => symbolInfo(await findSymbol(store, query.text('symbol')), store.config),
  },
  {
    path: '/udf/search',
    operation: 'tokens.search',
    async answer(store, query) {
      const limit = query.findWhole('limit', 1, Number.MAX_SAFE_INTEGER) ?? DEFAULT_FOUND;
      const found = await searchSymbols(store, query.find('query'), Math.min(limit, MAX_FOUND));
      return found.map((token) => foundSymbol(token, store.config));
    },
  },
  {
    path: '/udf/history',
    operation: 'prices.candles',
    async answer(store, query) {
      const countback = query.findWhole('countback', 1, MAX_COUNTBACK);
      const interval = secondsOf(query.text('resolution'));
      const request = { interval, ...timesOf(query, countback === undefined), countback };
      return history(store, { ...request, token: await tokenOf(store, query) });
    },
  },
  {
    path: '/udf/marks',
    operation: 'positions.search',
    async answer(store, query) {
      const bars = barsOf(query.text('resolution'));
      return marks(store, { bars, ...timesOf(query, true), token: await tokenOf(store, query) });
    },
  },
];

/** The routes of the charting library. What they answer comes from operations, which the key of the caller has to allow. */
export function createUdfRoutes(dex: Swapfold, admission: Admission): readonly Route[] {
  return table.map(({ path, operation, answer }) => ({
    path,
    methods: ['GET', 'HEAD'],
    errorForm: (body) => ({ s: 'error', errmsg: body.error, ...body }),
    async answer(exchange: Exchange) {
      admission.admit(exchange, operation);
      const answered = await answer(askedBy(exchange, { dex, admission }), new Query(exchange));
      return pack(exchange, await answerText(answered, exchange.share));
    },
  }));
}

/** The range that the library names; times before 1970 and after the last that a store holds are those. */
function timesOf(query: Query, isFromNeeded: boolean): { from: number; to: number } {
  const instant = (name: string): number =>
    Math.min(MAX_TIME, Math.max(0, query.whole(name, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)));
  return { from: isFromNeeded ? instant('from') : 0, to: instant('to') };
}

/** The address of the token that `symbol` names. The library sends the ticker, which is the address. */
async function tokenOf(store: Asked, query: Query): Promise<string> {
  const { address_format: format } = store.config;
  const symbol = query.text('symbol');
  const address = format === 'any' ? undefined : tokenAddress(store.config)(symbol);
  return address ?? (await findSymbol(store, symbol)).token_address;
}
