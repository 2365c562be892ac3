/** A swap as its pool saw it, in the smallest units of its tokens. */
export interface PoolSwap {
  /** The number of its log in the block. */
  readonly at: number;
  /** The contract that told of it: a pool, or the manager of pools. */
  readonly contract: string;
  /** Who called the manager; `undefined` for a pool of its own contract. */
  readonly caller: string | undefined;
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Whether what went in, or came out, was the native token itself, of which no log tells. */
  readonly isNativeIn: boolean;
  readonly isNativeOut: boolean;
}

/** An amount of a token that went from one account to another. */
export interface Movement {
  readonly at: number;
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** Whether the native token became this one, or this one the native token: whose that was, or became, no log tells. */
  readonly isNative: boolean;
}

/** The calls of one caller to a manager of pools, who settles with it for all of them at once. */
export interface Calls {
  readonly caller: string;
  /** Whether a swap among them is of a pool that is not followed, whose tokens are unknown. */
  readonly hasUnknown: boolean;
}
