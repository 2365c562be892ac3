/** Bounds of what a process caches of a store. */
export interface MemoryOptions {
  /** Candles that are kept of the tokens asked for, 56 bytes each. Default 1,000,000; 0 keeps none. */
  readonly candles?: number | undefined;
  /** Tokens whose latest price is kept, some 200 bytes each. Default 100,000; 0 keeps none. */
  readonly prices?: number | undefined;
  /** Swaps of the last 60 days that are kept of the tokens whose price statistics are asked for, 24 bytes for each side. Default 4,000,000; 0 keeps none. */
  readonly legs?: number | undefined;
  /** Megabytes that stored profiles may take, to be searched without the engine. Default 1024; 0 keeps none. */
  readonly profiles_mb?: number | undefined;
  /**
   * Trades of active wallets and tokens that are kept from refresh to refresh, some 130 bytes each; 0 keeps none. Default: as many as a
   * thirty-second of the memory of the machine, or of its container, holds.
   */
  readonly trades?: number | undefined;
}
