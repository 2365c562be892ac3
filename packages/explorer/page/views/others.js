// @ts-check
/** What is not shown first, in one piece: it comes at once, and is small. */
export { Compare } from './compare.js';
export { Docs } from './docs.js';
export { Explain } from './explain.js';
export { Live } from './live.js';
export { Position } from './position.js';
export { Token } from './token.js';
export { Wallet } from './wallet.js';
export { Watchlist } from './watchlist.js';
