/** An instruction as a node gives it with `encoding: "json"`. */
export interface RawInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** Base 58. */
  readonly data: string;
  /** 1 of an instruction of the message itself; `null` of nodes before version 1.14. */
  readonly stackHeight?: number | null;
}

/** What a token account held. */
export interface RawTokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner?: string;
  readonly programId?: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
}

/** What became of a transaction. */
export interface RawMeta {
  readonly err: unknown;
  readonly fee: number;
  readonly preBalances: readonly number[];
  readonly postBalances: readonly number[];
  readonly preTokenBalances?: readonly RawTokenBalance[] | null;
  readonly postTokenBalances?: readonly RawTokenBalance[] | null;
  readonly innerInstructions?:
    | readonly { readonly index: number; readonly instructions: readonly RawInstruction[] }[]
    | null;
  readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] } | null;
}

/** A transaction of a block, as a node gives it. */
export interface RawTransaction {
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly header: { readonly numRequiredSignatures: number };
      readonly instructions: readonly RawInstruction[];
    };
  };
  readonly meta: RawMeta | null;
}

/** A result of `getTransaction` with `encoding: "json"` and `maxSupportedTransactionVersion: 0`. */
export interface SolanaTransaction extends RawTransaction {
  readonly slot: number;
  readonly blockTime?: number | null;
  readonly transactionIndex?: number | null;
}

/** A result of `getBlock` with `encoding: "json"`, `transactionDetails: "full"`, `rewards: false` and `maxSupportedTransactionVersion: 0`. */
export interface SolanaBlock {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly parentSlot: number;
  readonly blockTime: number | null;
  readonly transactions: readonly RawTransaction[];
  /** In place of the transactions, with `transactionDetails: "signatures"`. */
  readonly signatures?: readonly string[];
}
