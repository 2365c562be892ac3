import type { Page, Swapfold } from '@swapfold/core';
import { formatTime, profileWindows } from '@swapfold/core/host';
import type { Comparison } from './compare.ts';
import type { OracleAnswer, OraclePosition } from './oracle.ts';

/** A position as it is served. */
export interface ServedPosition {
  readonly updated_at: string | null;
  readonly position_address: string;
  readonly wallet_address: string;
  readonly token_address: string;
  readonly labels: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly holding: Readonly<Record<string, unknown>>;
  readonly metrics: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** All sections, and every metric of every window. */
export const everything = {
  include_labels: true,
  include_metadata: true,
  include_holding: true,
  include_metrics: [...profileWindows.positions],
};

/** Every field of every position as searches answer, and now and then as single questions do. */
export async function comparePositions(dex: Swapfold, oracle: OracleAnswer, to: Comparison): Promise<void> {
  const expected = oracle.positions ?? {};
  const served = await everyPosition(dex);
  to.exact(
    'positions',
    served
      .map((one) => one.position_address)
      .sort()
      .join(),
    Object.keys(expected).sort().join(),
  );
  for (const [i, one] of served.entries()) {
    const position = expected[one.position_address];
    if (position === undefined) continue;
    comparePosition(to, one, position);
    if (i % 50 > 0) continue;
    const request = { wallet: one.wallet_address, token: one.token_address, options: everything };
    to.exact(`${one.position_address} alone`, JSON.stringify(await dex.positions.get(request)), JSON.stringify(one));
  }
}

/** All stored positions, page by page. */
export async function everyPosition(dex: Swapfold, request: object = {}): Promise<readonly ServedPosition[]> {
  const all: ServedPosition[] = [];
  let cursor: string | undefined;
  do {
    const body = { options: everything, ...request, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page: Page<unknown> = await dex.positions.search(body);
    all.push(...(page.data as readonly ServedPosition[]));
    cursor = page.cursor;
    if (cursor === undefined && page.count !== all.length)
      throw new Error(`${page.count} counted, ${all.length} served.`);
  } while (cursor !== undefined);
  return all;
}

const timeOrNull = (time: unknown): string | null => (time === null ? null : formatTime(time as number));

/** Every field of one position. */
export function comparePosition(to: Comparison, actual: ServedPosition, expected: OraclePosition): void {
  const { metadata, holding, holding_scales, metrics, scales } = expected;
  const at = `${actual.wallet_address} ${actual.token_address}`;
  to.exact(`${at} wallet`, actual.wallet_address, expected.wallet_address);
  to.exact(`${at} token`, actual.token_address, expected.token_address);
  to.exact(`${at} updated_at`, actual.updated_at, timeOrNull(expected.updated_at));
  to.exact(`${at} labels`, actual.labels.join(), [...expected.labels].sort().join());
  for (const name of ['symbol', 'state']) to.exact(`${at} ${name}`, actual.metadata[name], metadata[name]);
  for (const name of ['first_trade_at', 'last_trade_at', 'opened_at', 'closed_at'])
    to.exact(`${at} ${name}`, actual.metadata[name], timeOrNull(metadata[name] ?? null));
  const { opened_at, closed_at } = metadata;
  const held = opened_at == null || closed_at == null ? null : Number(closed_at) - Number(opened_at);
  to.exact(`${at} held`, actual.metadata.held, held);
  to.exact(`${at} holding`, Object.keys(actual.holding).sort().join(), Object.keys(holding).sort().join());
  for (const [name, value] of Object.entries(holding)) {
    if (name.endsWith('_count') || name === 'price_age') to.exact(`${at} ${name}`, actual.holding[name], value);
    else to.number(`${at} ${name}`, actual.holding[name], value, Number(holding_scales[name] ?? 0));
  }
  for (const window of profileWindows.positions) {
    const served = actual.metrics[window] ?? {};
    const names = Object.keys(metrics[window]!).filter((name) => !name.endsWith('__raw'));
    to.exact(`${at} ${window}`, Object.keys(served).sort().join(), names.sort().join());
    for (const name of names) {
      const [value, scale] = [metrics[window]![name], Number(scales[window]![name] ?? 0)];
      const raw = metrics[window]![`${name}__raw`];
      const where = `${at} ${window} ${name}`;
      if (raw !== undefined) to.rounded(where, served[name], raw, scale);
      else if (isCount(name)) to.exact(where, served[name], value);
      else to.number(where, served[name], value, scale);
    }
  }
}

function isCount(name: string): boolean {
  return /_count$|^max_consecutive_/.test(name) && !name.startsWith('avg_daily');
}
