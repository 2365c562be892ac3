import type { Swapfold } from '@swapfold/core';
import { findOperation } from '@swapfold/core/host';
import { bestPositions } from './wallet-positions.ts';

/** A request that the demo shows. */
export interface DemoRequest {
  readonly title: string;
  readonly url: string;
  readonly key: string;
  readonly body: string;
}

/** Requests worth trying on a served store: of a wallet, a token, and the best of all. */
export function demoRequests(
  dex: Swapfold,
  o: { readonly server: string; readonly key: string; readonly wallet: string; readonly token: string },
): readonly DemoRequest[] {
  const request = (title: string, operation: string, body: object): DemoRequest => ({
    title,
    url: `${o.server}/v1/${dex.config.chain}${findOperation(operation).path}`,
    key: o.key,
    body: JSON.stringify(body),
  });
  return [
    request('The price of the hottest token', 'prices.latest', { tokens: [o.token] }),
    request('Its last six hours', 'prices.candles', { token: o.token, interval: 3600, count: 6 }),
    request('Wallets that win more often than not, by realised profit less open losses', 'wallets.search', {
      filter: { 'metrics.7d.winrate': { $gt: 50 }, 'metrics.7d.trade_count': { $gte: 10 } },
      sort: { field: 'holding.floor_pnl', direction: 'desc' },
      options: { include_metadata: true, include_holding: true },
      limit: 3,
    }),
    request('What the leader holds', 'portfolios.get', { wallet: o.wallet }),
    request('The positions that earned the leader most', 'positions.search', bestPositions(o.wallet)),
  ];
}

/** The request as a line for a shell. */
export function curlLine({ url, key, body }: DemoRequest): string {
  return `curl -s ${url} -H 'X-Api-Key: ${key}' -H 'Content-Type: application/json' -d '${body}'`;
}

export interface DemoAnswer {
  readonly status: number;
  readonly millis: number;
  readonly body: string;
}

export async function send({ url, key, body }: DemoRequest): Promise<DemoAnswer> {
  const begun = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    body,
  });
  const text = await response.text();
  return { status: response.status, millis: performance.now() - begun, body: text };
}
