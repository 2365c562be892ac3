import type { Tool } from './tool.ts';
import { explainNumber } from './tools/explain.ts';
import { findTokens, findWallets } from './tools/find.ts';
import { candles, portfolio, trades } from './tools/market.ts';
import { topTraders, walletPositions } from './tools/positions.ts';
import { compare, tokenSummary, walletSummary } from './tools/profiles.ts';
import { simulateCopy } from './tools/simulate.ts';
import { storeInfo } from './tools/store.ts';

/** The tools, in the order in which clients list them. A new one is a declaration in the folder beside, and a row here. */
export const tools: readonly Tool[] = [
  storeInfo,
  findWallets,
  findTokens,
  walletSummary,
  tokenSummary,
  walletPositions,
  topTraders,
  portfolio,
  trades,
  candles,
  compare,
  simulateCopy,
  explainNumber,
];
