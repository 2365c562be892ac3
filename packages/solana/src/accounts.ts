import type { RawMeta, RawTokenBalance } from './raw.ts';
import { SOL, SOL_DECIMALS, TOKEN_2022 } from './well-known.ts';

/** A token account of a transaction. */
export interface TokenAccount {
  readonly mint: string;
  /** `undefined` if the node does not say. */
  readonly owner: string | undefined;
  /** What it held, in the smallest unit; `undefined` of an account that was closed and not there before. */
  readonly before: bigint;
  readonly after: bigint;
  /** Whether the node says what it held. */
  readonly isReported: boolean;
  /** Whether transfers of it may withhold a fee. */
  readonly mayWithhold: boolean;
}

/** The token accounts of a transaction, by index. */
export class Accounts {
  readonly #accounts = new Map<number, TokenAccount>();
  readonly #decimals = new Map<string, number>([[SOL, SOL_DECIMALS]]);

  constructor({ preTokenBalances, postTokenBalances }: RawMeta) {
    for (const balance of preTokenBalances ?? []) this.#add(balance, amountOf(balance), 0n);
    for (const balance of postTokenBalances ?? []) {
      const known = this.#accounts.get(balance.accountIndex);
      this.#add(balance, known?.mint === balance.mint ? known.before : 0n, amountOf(balance));
    }
  }

  #add({ accountIndex, mint, owner, programId, uiTokenAmount }: RawTokenBalance, before: bigint, after: bigint): void {
    this.#decimals.set(mint, uiTokenAmount.decimals);
    const mayWithhold = programId === TOKEN_2022;
    this.#accounts.set(accountIndex, { mint, owner, before, after, isReported: true, mayWithhold });
  }

  /** Learns of an account that the transaction opened and the node does not report. */
  open(index: number, { mint, owner, mayWithhold }: Pick<TokenAccount, 'mint' | 'owner' | 'mayWithhold'>): void {
    this.#accounts.set(index, { mint, owner, before: 0n, after: 0n, isReported: false, mayWithhold });
  }

  get(index: number): TokenAccount | undefined {
    return this.#accounts.get(index);
  }

  /** Digits behind the point of a token; `undefined` if nothing of the transaction says. */
  decimalsOf(mint: string): number | undefined {
    return this.#decimals.get(mint);
  }

  /** By index. */
  all(): Iterable<readonly [index: number, account: TokenAccount]> {
    return this.#accounts;
  }

  each(): Iterable<TokenAccount> {
    return this.#accounts.values();
  }
}

const amountOf = ({ uiTokenAmount }: RawTokenBalance): bigint => BigInt(uiTokenAmount.amount);
