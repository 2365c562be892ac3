// Generated from docs/guides/search.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
declare const wallet: string;
for await (const { data, count } of dex.pages('wallets.search', { filter: { 'metrics.7d.pnl': { $gt: 1000 } } }))
  console.log(data.length, count);

for await (const trade of dex.items('trades.list', { wallet, limit: 100 })) console.log(trade.token, trade.usd_amount);
export {};
