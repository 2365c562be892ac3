// Generated from docs/guides/subscriptions.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
declare const subscription: { readonly cursor: string };
const later = dex.subscribe('prices', {}, { after: subscription.cursor });
export {};
