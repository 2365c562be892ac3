import { NO_ID } from '../../records/columns.ts';
import type { Transfers } from './check.ts';

/** The columns in which two rows of one identity may differ, and the fields that conflicts name. */
const payload = {
  token: 'token',
  sender: 'from',
  recipient: 'to',
  token_amount: 'token_amount',
  cost_usd: 'cost_usd',
  kind: 'kind',
  includes_swaps: 'includes_swaps',
} as const;

const columns = Object.keys(payload) as readonly (keyof typeof payload)[];

/** What no chain says of a transfer. */
export const saidColumns = ['cost_usd', 'kind', 'includes_swaps'] as const;

/** Whether a row says nothing in a column. */
export const isUnsaid = ({ columns: c }: Transfers, column: (typeof saidColumns)[number], row: number): boolean =>
  column === 'cost_usd' ? Number.isNaN(c.cost_usd[row]) : c[column][row] === (column === 'kind' ? NO_ID : 0);

/** The first field in which two rows differ; `areEqual`: their contents are the same, whatever the last digits of their amounts. */
export function differingField({ columns: c }: Transfers, a: number, b: number, areEqual: boolean): string | undefined {
  const found = columns.find((name) => !(areEqual && name === 'token_amount') && !Object.is(c[name][a], c[name][b]));
  return found && payload[found];
}

/** The first field that two rows say differently, of those that no chain says. */
export function contradictedField(transfers: Transfers, a: number, b: number): string | undefined {
  const { columns: c } = transfers;
  return saidColumns.find(
    (name) => !isUnsaid(transfers, name, a) && !isUnsaid(transfers, name, b) && c[name][a] !== c[name][b],
  );
}
