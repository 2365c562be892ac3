import { usePages } from '../answers.js';
import { server } from '../api.js';
import { html } from '../lib.js';
import { More } from './choices.js';
import { optionsFor, pathOf, profileColumns } from './columns.js';
import { Failure, Request } from './request.js';
import { Table } from './table.js';

const columns = [
  'metadata.state',
  'pnl',
  'pnl_native',
  'roi',
  'holding.balance',
  'holding.value',
  'holding.realized_pnl',
  'holding.realized_pnl_native',
  'holding.unrealized_pnl',
  'holding.avg_entry_price',
  'metadata.last_trade_at',
];

/** Positions that a filter finds, the most profitable first. */
export function Positions({ title, filter, window, file, sort = 'pnl' }) {
  const kind = server.model.kinds.positions;
  const body = {
    filter,
    sort: { field: pathOf(sort, kind, window), direction: 'desc' },
    options: optionsFor(kind, columns, window),
    limit: 10,
  };
  const pages = usePages('positions.search', body);
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    <${Failure} error=${pages.error} again=${pages.again} />
    <${Table} caption=${title} file=${file} columns=${profileColumns(kind, columns, window)} rows=${pages.rows} isLoading=${pages.isLoading} empty="No positions." />
    <${More} pages=${pages} noun="positions" />
    <${Request} operation="positions.search" body=${body} />
  </section>`;
}
