// Generated from docs/guides/subscriptions.md by test/generate-docs/blocks.ts.
import { memory, Swapfold } from '@swapfold/core';

const dex = await Swapfold.open({ storage: memory() });
const trades = dex.subscribe('trades', { tokens: ['So11111111111111111111111111111111111111112'] });

for await (const { data, retracted, cursor } of trades) {
  for (const trade of data) console.log(trade.direction, trade.usd_amount);
}
export {};
