// Generated from docs/reference/configuration.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
import { newShare } from '@swapfold/core/host';

const share = newShare(); // one for each party, kept between its calls
await dex.call('wallets.search', { query: { text: 'bonk', fuzzy: true } }, { share });
export {};
