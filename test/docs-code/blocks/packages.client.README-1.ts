// Generated from packages/client/README.md by test/generate-docs/blocks.ts.
import { createClient } from '@swapfold/client';

const client = createClient({ url: 'https://dex.example', chain: 'solana', key: 'a-long-random-key' });

const [price] = await client.prices.latest({ tokens: ['So11111111111111111111111111111111111111112'] });

for await (const wallet of client.items('wallets.search', { filter: { 'metrics.7d.pnl': { $gt: 1000 } } }))
  console.log(wallet.wallet_address);

for await (const { data } of client.subscribe('trades', { tokens: ['So11111111111111111111111111111111111111112'] }))
  for (const trade of data) console.log(trade.direction, trade.usd_amount);
export {};
