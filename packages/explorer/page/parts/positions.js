// @ts-check
/** @import { ColumnName, Kinds, MoneyUnit, Request as Body, Window } from '../../types/page.ts' */
import { usePages } from '../answers.js';
import { server } from '../api.js';
import { html } from '../lib.js';
import { More } from './choices.js';
import { inUnit, optionsFor, pathOf, profileColumns } from './columns.js';
import { Failure, Request } from './request.js';
import { Table } from './table.js';

/** @type {(unit: MoneyUnit, isLaunch: boolean) => readonly ColumnName<'positions'>[]} */
const columnsOf = (unit, isLaunch) => [
  inUnit('pnl', unit),
  inUnit('roi', unit),
  unit === 'native' ? 'holding.realized_pnl_native' : 'holding.realized_pnl',
  unit === 'native' ? 'holding.unrealized_pnl_native' : 'holding.unrealized_pnl',
  'holding.balance',
  'holding.value',
  'holding.avg_entry_price',
  'metadata.state',
  ...(isLaunch ? [/** @type {const} */ ('metadata.roles')] : []),
  'metadata.last_trade_at',
];

/**
 * @typedef {object} PositionsProps
 * @property {string} title
 * @property {Kinds['positions']['filter']} filter
 * @property {Window<'positions'>} window
 * @property {MoneyUnit} unit
 * @property {string} file
 * @property {ColumnName<'positions'>} [sort]
 * @property {readonly string[]} [skip]
 * @property {boolean} [isLaunch] Whether they say what the wallets were at the launch.
 */

/**
 * Positions that a filter finds, those first whose `sort` is largest; `skip` is what all of them share.
 * @param {PositionsProps} props
 */
export function Positions({ title, filter, window, unit, file, sort = 'pnl', skip, isLaunch = false }) {
  const kind = server.model.kinds.positions;
  const columns = columnsOf(unit, isLaunch);
  /** @type {Body<'positions.search'>} */
  const body = {
    filter,
    sort: { field: pathOf(sort, kind, window), direction: 'desc' },
    options: { ...optionsFor(kind, columns, window), ...(isLaunch ? { include_launch: true } : {}) },
    limit: 10,
  };
  const pages = usePages('positions.search', body);
  return html`<section aria-label=${title}>
    <${Failure} error=${pages.error} again=${pages.again} />
    <${Table} caption=${`${title}, the best first`} file=${file} columns=${profileColumns(kind, columns, window, { skip })} rows=${pages.rows} isLoading=${pages.isLoading} empty=${pages.error === undefined ? 'There are none. Choose another state or window.' : ''} />
    <${More} pages=${pages} noun="positions" />
    <${Request} operation="positions.search" body=${body} />
  </section>`;
}
