import type { MetricExplanation, PositionProfile, Swapfold, TokenProfile, Trade, WalletProfile } from '@swapfold/core';
import { shortAddress } from '../text/address.ts';
import { explanationLines } from '../text/explanation.ts';
import { nativeSymbol } from '../text/native.ts';
import { anyTable } from './any-table.ts';
import { columnTitles, leaderLines } from './leader-table.ts';
import { positionLines } from './position-table.ts';
import { tokenListLines } from './token-table.ts';
import { tradeLines } from './trade-table.ts';

/** An answer as a table is made of it. */
interface Tabled {
  readonly answer: unknown;
  readonly rows: readonly object[];
  readonly request: unknown;
  readonly native: string | undefined;
}

/** Operations whose answers have tables of their own, those of the commands. */
const tables: Readonly<Record<string, (of: Tabled) => string[]>> = {
  'wallets.search': ({ rows, request, native }) => {
    const { window, name } = sortOf(request) ?? { window: firstWindow(rows), name: 'pnl' };
    const names = [...columnTitles];
    const shown = columnTitles.has(name) ? names : [[name, name] as const, ...names];
    const columns = shown.map(([metric, title]) => ({
      path: `metrics.${window}.${metric}`,
      title,
      window,
      name: metric,
    }));
    return [`metrics of ${window}`, ...leaderLines(rows as readonly WalletProfile[], columns, native)];
  },
  'tokens.search': ({ rows, request }) =>
    tokenListLines(rows as readonly TokenProfile[], sortOf(request)?.window ?? firstWindow(rows)),
  'positions.search': ({ rows, native }) =>
    positionLines(rows as readonly PositionProfile[], {
      native,
      nameOf: ({ token_address: token, metadata }) => metadata?.symbol ?? shortAddress(token),
    }),
  'trades.list': ({ rows }) => tradeLines(rows as readonly Trade[]),
  'wallets.explain': explained,
  'tokens.explain': explained,
  'positions.explain': explained,
};

function explained({ answer, native }: Tabled): string[] {
  return explanationLines(answer as MetricExplanation, native);
}

/** The answer of an operation in lines: as the command shows it that asks the same, else field by field. */
export function operationLines(dex: Pick<Swapfold, 'config'>, operation: string, of: Omit<Tabled, 'native'>): string[] {
  const table = isWhole(operation, of.rows) ? tables[operation] : undefined;
  return table?.({ ...of, native: nativeSymbol(dex.config) }) ?? anyTable(of.rows, process.stdout.columns);
}

/** Whether rows have the sections that the table of the operation shows: a request may leave them out. */
function isWhole(operation: string, rows: readonly object[]): boolean {
  const needed =
    operation === 'positions.search' ? 'holding' : /^(?:wallets|tokens)\.search$/.test(operation) ? 'metrics' : '';
  return needed === '' || rows.every((row) => needed in row && Object.keys((row as never)[needed]).length > 0);
}

/** The window and the metric that a request sorts by first. */
function sortOf(request: unknown): { readonly window: string; readonly name: string } | undefined {
  const [sort] = [(request as { readonly sort?: unknown } | null)?.sort].flat();
  const { field } = (sort ?? {}) as { readonly field?: unknown };
  const [, window, name] = /^metrics\.([^.]+)\.([^.]+)$/.exec(typeof field === 'string' ? field : '') ?? [];
  return window === undefined || name === undefined ? undefined : { window, name };
}

function firstWindow(rows: readonly object[]): string {
  const [first] = rows as readonly { readonly metrics?: object }[];
  return Object.keys(first?.metrics ?? {})[0] ?? '30d';
}
