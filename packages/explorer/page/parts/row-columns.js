// @ts-check
/** @import { Column, KindName, Profile, Window } from '../../types/page.ts' */
/** @import { PriceStats, TokenPoint, WalletPoint } from '@swapfold/client' */
import { useAnswer } from '../answers.js';
import { gain } from '../format.js';
import { rangeOf, useInstant } from '../instant.js';
import { html, useRef } from '../lib.js';
import { idsOf } from './columns.js';
import { None, toneOf } from './number.js';
import { RowSpark } from './spark.js';

/**
 * @typedef {object} SparkLine
 * @property {string} title
 * @property {keyof WalletPoint | keyof TokenPoint} series
 * @property {'wallet' | 'token'} id
 */

/** @type {Partial<Record<KindName, SparkLine>>} */
const sparks = {
  wallets: { title: 'Profit over time', series: 'realized_pnl', id: 'wallet' },
  tokens: { title: 'Price over time', series: 'price', id: 'token' },
};

/**
 * The instant at which the lines of rows end: that of the row which came first. It stays while the list changes, so that a refresh of the store
 * asks for no line again.
 * @template {KindName} Name
 * @param {Name} kindName
 * @param {Window<Name>} window
 * @param {Profile<Name> | undefined} row
 */
export function useSparkInstant(kindName, window, row) {
  /** @type {{ current: { of?: string, row?: Profile<Name> } }} */
  const kept = useRef({});
  const of = `${kindName} ${window}`;
  if (kept.current.of !== of) kept.current = { of };
  if (row !== undefined && kindName in sparks) kept.current.row ??= row;
  const first = kept.current.row;
  const known = sparks[kindName];
  const id = first && known && { [known.id]: idsOf[kindName](first)[0] };
  return useInstant(kindName, id ?? {}, window, first && { updated_at: first.updated_at });
}

/**
 * A column of lines; they come after the table, row by row. No line before the instant is known at which they end.
 * @template {KindName} Name
 * @param {Name} kindName
 * @param {Window<Name>} window
 * @param {number | undefined} instant
 * @returns {readonly Column<Profile<Name>>[]}
 */
export function sparkColumn(kindName, window, instant) {
  const known = sparks[kindName];
  if (known === undefined) return [];
  const { title, series, id } = known;
  return [
    {
      name: 'spark',
      title,
      isWide: true,
      cell: (profile) =>
        html`<${RowSpark} operation=${`${kindName}.history`} series=${series} body=${instant && { [id]: idsOf[kindName](profile)[0], ...rangeOf(window, instant), metrics: [series] }} />`,
    },
  ];
}

/** @type {readonly (readonly [title: string, name: '5m' | '1h' | '6h' | '1d'])[]} */
const changes = [
  ['5m', '5m'],
  ['1h', '1h'],
  ['6h', '6h'],
  ['24h', '1d'],
];

/**
 * How the prices of the tokens of a list have changed, asked for at once.
 * @param {KindName} kindName
 * @param {readonly Profile[]} rows
 * @returns {ReadonlyMap<string, PriceStats> | undefined}
 */
export function useChanges(kindName, rows) {
  const tokens =
    kindName === 'tokens' ? rows.map((row) => String(/** @type {Profile<'tokens'>} */ (row).token_address)) : [];
  const { answer } = useAnswer('prices.stats', tokens.length === 0 ? undefined : { tokens: tokens.slice(0, 1000) });
  return tokens.length === 0 ? undefined : new Map(answer?.map((stats) => [stats.token, stats]));
}

/**
 * Columns, and behind that of the price how it has changed. The server sorts by none of these.
 * @template Row
 * @param {readonly Column<Row>[]} columns
 * @param {ReadonlyMap<string, PriceStats> | undefined} stats
 * @returns {readonly Column<Row>[]}
 */
export function withChanges(columns, stats) {
  const at = columns.findIndex(({ name }) => name === 'market.price');
  if (stats === undefined || at < 0) return columns;
  return [...columns.slice(0, at + 1), .../** @type {any} */ (changeColumns(stats)), ...columns.slice(at + 1)];
}

/**
 * @param {ReadonlyMap<string, PriceStats>} stats
 * @returns {readonly Column<Profile<'tokens'>>[]}
 */
const changeColumns = (stats) =>
  changes.map(([title, name]) => {
    /** @type {(profile: Profile<'tokens'>) => number | null | undefined} */
    const value = (profile) => stats.get(profile.token_address)?.[`usd_price_change_${name}`];
    return {
      name: `change_${name}`,
      title,
      csv: `usd_price_change_${name}`,
      group: 'Now',
      meaning: `usd_price_change_${name}: how the price has changed in the last ${title}.`,
      value,
      cell: (profile) => {
        const change = value(profile);
        if (change === undefined) return '';
        if (change === null) return html`<${None} why="There was no price then." />`;
        return html`<span class=${`number ${toneOf(change)}`} title=${String(change)}>${gain('percent', change)}</span>`;
      },
    };
  });
