// @ts-check
/** @import { AskedPages, ColumnName, Kind, KindName, Profile } from '../../types/page.ts' */
/** @import { ApiError } from '../api.js' */
/** @import { Search } from '../views/leaderboard.js' */
import { answerOf, useAnswer, usePages } from '../answers.js';
import { brief } from '../format.js';
import { firstPreset } from '../presets.js';
import { innerWordOf } from '../words.js';
import { FLOOR, isWithin, mostOf, pathOf, withoutUnit } from './columns.js';

/** A first view with fewer profiles than this shows all that there are. */
const FEW = 10;

/**
 * What a search finds. Three things are asked for otherwise than the address has them, and `note` says so: the first view of a store in which few
 * match its filter shows all, what the server would sort too many positions by in the native token is sorted by in USD, and what it would complete
 * too many wallets for is sorted by `FLOOR`, which needs no bound.
 * @template {KindName} Name
 * @param {Kind<Name>} kind
 * @param {Search<Name>} search
 * @param {boolean} isGiven Whether the reader has chosen the filter.
 */
export function useFound(kind, search, isGiven) {
  /** @type {`${Name}.search`} */
  const operation = `${kind.kind}.search`;
  const { sort, unit, window, direction } = search;
  const path = sort && pathOf(/** @type {ColumnName<Name>} */ (sort), kind, window);
  const isBounded = path !== undefined && mostOf(kind, path) !== undefined;
  /** @type {any} */
  const counting = isBounded ? { filter: search.body.filter, options: {}, limit: 1 } : undefined;
  const counted = useAnswer(operation, counting, { isFixed: true });
  const known = answerOf(counted)?.count;
  const isCounting = isBounded && known === undefined && (counted.isLoading || counted.error === undefined);
  const isTooMany = isBounded && known !== undefined && !isWithin(kind, path, known);
  // The same in USD, if the server sorts any number by it, or the usual.
  const inUsd = /** @type {ColumnName<Name>} */ (sort && withoutUnit(sort, unit));
  const isFree = inUsd && mostOf(kind, pathOf(inUsd, kind, window)) === undefined;
  const usual = isTooMany ? (isFree ? inUsd : /** @type {ColumnName<Name>} */ ('pnl')) : sort;
  /** @type {any} */
  const body = isTooMany
    ? { ...search.body, sort: { field: pathOf(/** @type {ColumnName<Name>} */ (usual), kind, window), direction } }
    : search.body;
  const first = usePages(operation, isCounting ? undefined : body);
  const isRefused =
    kind.kind === 'wallets' &&
    /^(holding|lifetime)\./.test(sort ?? '') &&
    /** @type {Partial<ApiError> | undefined} */ (first.error)?.code === 'invalid-filter';
  /** @type {any} */
  const byFloor = isRefused ? { ...body, sort: { field: FLOOR, direction: 'desc' } } : undefined;
  const second = usePages(operation, byFloor);
  const found = isRefused ? second : first;
  const pages = /** @type {AskedPages<`${Name}.search`, Profile<Name>>} */ ({
    ...found,
    isLoading: found.isLoading || isCounting,
  });
  const isFew = !isGiven && search.filter !== undefined && /** @type {number} */ (pages.count) < FEW;
  const { filter: _, ...unfiltered } = byFloor ?? body;
  const all = /** @type {AskedPages<`${Name}.search`, Profile<Name>>} */ (
    usePages(operation, isFew ? unfiltered : undefined)
  );
  const shown = { pages, body: byFloor ?? body, filter: search.filter, sort: isRefused ? FLOOR : usual };
  if (isFew && all.count !== undefined) {
    const title = firstPreset(kind)?.title ?? 'the filter';
    const note = `Fewer than ten ${kind.kind} match ${title}: all of this store are shown.`;
    return { ...shown, pages: all, body: unfiltered, filter: undefined, note: all.count > 0 ? note : undefined };
  }
  if (isRefused && pages.error === undefined)
    return {
      ...shown,
      note: `Sorted by ${innerWordOf(FLOOR)}: too many wallets are left to sort by ${innerWordOf(sort ?? '')} this way. A condition leaves fewer.`,
    };
  const note = isTooMany
    ? `Sorted by ${innerWordOf(/** @type {string} */ (usual))} in USD: the server sorts at most ${brief('count', mostOf(kind, /** @type {string} */ (path)))} positions by ${innerWordOf(/** @type {string} */ (sort))}. A condition leaves fewer.`
    : undefined;
  return { ...shown, note };
}
