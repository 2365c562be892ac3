/** What happens in the market: the share of transactions, in relative weights, that each kind of event has. */
export const scenarioWeights = {
  /** One wallet buys or sells one token in one swap. */
  trade: 50,
  /** A bot turns over its token. */
  bot: 17,
  /** SOL against a stable coin. */
  native: 9,
  /** Two or three hops in one transaction, at times with fee-on-transfer leftovers. */
  route: 8,
  /** An atomic round trip through two or three pools. */
  arbitrage: 4,
  /** One trade through two to four pools. */
  split: 3,
  /** Two tokens for each other in one pool. */
  cross: 2.5,
  /** A trade worth less than ten cents. */
  dust: 2,
  /** A wallet sells what reached it by transfer. */
  oversell: 1.5,
  /** A token is handed out to wallets, one of which sells at once. */
  airdrop: 1.2,
  /** A partial sell after which the rest leaves by transfer: the post balance is 0. */
  leave: 1.2,
  /** USDC against USDT. */
  stable: 0.5,
  /** A token swapped for itself. */
  self: 0.05,
  /** A collector, one wallet in ten thousand, gathers up to 1,000 tokens. */
  collect: 0,
} as const;

/** The name of a behaviour that some wallets of the market have. */
export type ScenarioName = keyof typeof scenarioWeights;
