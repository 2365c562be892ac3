import type { Swapfold } from '@swapfold/core';
import { cases } from './whole.ts';

/** Pools of which swaps and candles are asked. */
const POOLS = cases(20, 6);

/** Wallets and tokens whose positions are searched by what is computed, and of which the best position is got. */
const POSITIONS_OF = cases(5, 2);

/**
 * Everything a store answers, as one text: lists to their end, prices, candles, histories, portfolios and profiles of every token,
 * wallet and position.
 * `portfolios` bounds those of which the portfolio is asked, `pages` how far each list is followed.
 */
export async function allAnswers(
  dex: Swapfold,
  { portfolios = Number.POSITIVE_INFINITY, pages = Number.POSITIVE_INFINITY } = {},
): Promise<string> {
  const lines: string[] = [];
  const tokens = new Set<string>();
  const wallets = new Set<string>();
  const pools = new Set<string>();
  for (const list of [dex.swaps.list, dex.trades.list]) {
    let cursor: string | undefined;
    let followed = 0;
    do {
      const page = await list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      lines.push(JSON.stringify(page));
      for (const row of page.data) {
        wallets.add(row.wallet);
        if ('token_in' in row) tokens.add(row.token_in).add(row.token_out);
        if ('pool' in row && row.pool !== null) pools.add(row.pool);
      }
      cursor = page.cursor;
    } while (cursor !== undefined && ++followed < pages);
  }
  const asked = [...tokens].sort();
  for (let i = 0; i < asked.length; i += 1000) {
    lines.push(JSON.stringify(await dex.prices.latest({ tokens: asked.slice(i, i + 1000) })));
    lines.push(JSON.stringify(await dex.prices.stats({ tokens: asked.slice(i, i + 1000) })));
  }
  for (const token of asked)
    for (const interval of [60, 3600])
      lines.push(JSON.stringify(await dex.prices.candles({ token, interval, count: 5000 })));
  for (const pool of [...pools].sort().slice(0, POOLS)) {
    lines.push(JSON.stringify(await dex.swaps.list({ pool, limit: 100 })));
    lines.push(JSON.stringify(await dex.prices.candles({ pool, interval: 60, count: 5000 })));
  }
  for (const wallet of [...wallets].sort().slice(0, portfolios))
    lines.push(JSON.stringify(await dex.portfolios.get({ wallet })));
  for (const search of [dex.tokens.search, dex.wallets.search, dex.positions.search]) {
    const most = search === dex.positions.search ? pages : Number.POSITIVE_INFINITY;
    let cursor: string | undefined;
    let followed = 0;
    do {
      const page: { cursor?: string } = await search({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      lines.push(profileText(page));
      cursor = page.cursor;
    } while (cursor !== undefined && ++followed < most);
  }
  const holders = [...wallets].sort().slice(0, POSITIONS_OF);
  const held = asked.slice(0, POSITIONS_OF);
  for (const filter of [
    ...holders.map((wallet_address) => ({ wallet_address })),
    ...held.map((token_address) => ({ token_address })),
  ])
    lines.push(...(await positionAnswers(dex, filter)));
  lines.push(...(await recordAnswers(dex, holders)), ...(await launchAnswers(dex, held)));
  return lines.join('\n');
}

/** Wallets by their record, what it is made of, and what following them would have made. */
async function recordAnswers(dex: Swapfold, wallets: readonly string[]): Promise<readonly string[]> {
  const options = {
    include_lifetime: true,
    include_holding: true,
    include_launch: true,
    include_metrics: ['30d'],
  } as const;
  const byFloor = await dex.wallets.search({ sort: { field: 'holding.floor_pnl' }, options, limit: 10 });
  const sinking = { 'holding.sunk_count': { $gt: 0 }, 'lifetime.trade_count': { $gte: 2 } } as const;
  const lines = [profileText(byFloor), profileText(await dex.wallets.search({ filter: sinking, limit: 10 }))];
  for (const wallet of wallets) {
    lines.push(profileText(await dex.wallets.explain({ wallet, metric: 'holding.floor_pnl', limit: 5 })));
    lines.push(JSON.stringify(await dex.wallets.simulate({ wallet, size: 100, delay: 5, limit: 5 })));
  }
  return lines;
}

/** Launches of tokens, and who bought first. */
async function launchAnswers(dex: Swapfold, tokens: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const token of tokens) {
    lines.push(profileText(await dex.tokens.get({ token, options: { include_launch: true } })));
    lines.push(JSON.stringify({ ...(await dex.tokens.buyers({ token, limit: 10 })), cursor: undefined }));
  }
  return lines;
}

/** Positions by what no table has of them: a result that a price moves, and metrics that are folded from trades; and one of them alone. */
async function positionAnswers(
  dex: Swapfold,
  filter: { readonly wallet_address: string } | { readonly token_address: string },
): Promise<readonly string[]> {
  const options = {
    include_labels: true,
    include_metadata: true,
    include_holding: true,
    include_metrics: ['30d', '1d'],
  } as const;
  const byMark = await dex.positions.search({ filter, sort: { field: 'holding.unrealized_pnl' }, limit: 10 });
  const byFold = await dex.positions.search({ filter, sort: { field: 'metrics.30d.largest_win' }, options, limit: 10 });
  const lines = [profileText(byMark), profileText(byFold)];
  const best = byFold.data[0];
  if (best === undefined) return lines;
  const { wallet_address: wallet, token_address: token } = best;
  return [...lines, profileText(await dex.positions.get({ wallet, token, options }))];
}

/** An answer without what differs from store to store. */
function profileText(answer: object): string {
  return JSON.stringify({ ...answer, cursor: undefined }).replace(/"synced_at":"[^"]*"/g, '');
}
