// Generated from docs/guides/subscriptions.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
const subscription = dex.subscribe('prices');
await subscription.ready;
const prices = await dex.prices.latest({ tokens: ['So11111111111111111111111111111111111111112'] });
export {};
