import type { Swapfold } from '@swapfold/core';

/**
 * Everything a store answers, as one text: lists to their end, prices, candles, histories, portfolios and profiles of every token and wallet.
 * `portfolios` bounds those of which the portfolio is asked, `pages` how far each list is followed.
 */
export async function allAnswers(
  dex: Swapfold,
  { portfolios = Number.POSITIVE_INFINITY, pages = Number.POSITIVE_INFINITY } = {},
): Promise<string> {
  const lines: string[] = [];
  const tokens = new Set<string>();
  const wallets = new Set<string>();
  for (const list of [dex.swaps.list, dex.trades.list]) {
    let cursor: string | undefined;
    let followed = 0;
    do {
      const page = await list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      lines.push(JSON.stringify(page));
      for (const row of page.data) {
        wallets.add(row.wallet);
        if ('token_in' in row) tokens.add(row.token_in).add(row.token_out);
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
  for (const wallet of [...wallets].sort().slice(0, portfolios))
    lines.push(JSON.stringify(await dex.portfolios.get({ wallet })));
  for (const search of [dex.tokens.search, dex.wallets.search]) {
    let cursor: string | undefined;
    do {
      const page: { cursor?: string } = await search({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      lines.push(JSON.stringify({ ...page, cursor: undefined }).replace(/"synced_at":"[^"]*"/g, ''));
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  return lines.join('\n');
}
