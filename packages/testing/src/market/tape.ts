import { BatchWriter, type SwapFacts } from './batch-writer.ts';
import { Holdings } from './holdings.ts';
import type { MarketTransfer } from './market.ts';
import type { Settled } from './options.ts';
import { addressText, base58Text, Random } from './random.ts';
import { type MarketAsset, QUOTES } from './tokens.ts';

const FIRST_SLOT = 300_000_000;
const powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] as const;

/** The addresses that deposits come from and withdrawals go to have streams of their own from this number on. */
const OUTSIDE = 2_000_000;
const OUTSIDERS = 8;

/** What a market writes its swaps on: its clock, transactions and balances. */
export class Tape {
  readonly random: Random;
  readonly holdings: Holdings;
  readonly writer: BatchWriter;
  readonly start: number;
  readonly span: number;
  time: number;
  private readonly tx = { hash: '', index: 0, slot: 0, time: 0, swapIndex: 0, transferIndex: 0 };
  /** Whether transfers are noted, for `takeTransfers`. */
  notesTransfers = false;
  private moved: MarketTransfer[] = [];
  private readonly outsiders: readonly string[];
  private readonly swap: SwapFacts = {
    wallet: 0,
    tokenIn: 0,
    tokenOut: 0,
    amountIn: 0,
    amountOut: 0,
    preIn: 0,
    postIn: 0,
    preOut: 0,
    postOut: 0,
    priceIn: 0,
    priceOut: 0,
    protocol: 0,
  };

  constructor(
    readonly options: Settled,
    readonly assets: readonly MarketAsset[],
    private readonly addresses: readonly string[],
  ) {
    this.random = new Random(options.seed, 3);
    this.holdings = new Holdings(options.wallets);
    this.writer = new BatchWriter(options, addresses, assets);
    this.outsiders = Array.from({ length: OUTSIDERS }, (_, i) => addressText(new Random(options.seed, OUTSIDE + i)));
    this.span = Math.ceil(options.days * 86_400);
    this.start = options.endTime - this.span;
    this.time = this.start;
  }

  /** Opens the next transaction, at `time` or later. */
  beginTransaction(time: number): void {
    const { random, tx } = this;
    const second = Math.max(this.time, time);
    const slot =
      FIRST_SLOT +
      (second - this.start) * 2 +
      (second === tx.time ? (tx.slot & 1) | (random.chance(0.3) ? 1 : 0) : random.below(2));
    tx.index = slot === tx.slot ? tx.index + 1 + random.below(40) : random.below(60);
    tx.slot = slot;
    tx.time = second;
    tx.swapIndex = 0;
    tx.transferIndex = 0;
    tx.hash = base58Text(random, random.chance(0.9) ? 88 : 87);
    this.time = second;
  }

  priceOf(token: number): number {
    return this.assets[token]!.path.at(this.time);
  }

  /** Whole tokens worth `usd`, cut to the token's decimals, at least its smallest unit. */
  amountOf(token: number, usd: number): number {
    return this.cut(token, usd / this.priceOf(token));
  }

  cut(token: number, amount: number): number {
    const scale = powersOfTen[this.assets[token]!.decimals]!;
    return Math.max(1, Math.floor(amount * scale)) / scale;
  }

  /** Tokens reach a wallet by transfer. */
  receive(wallet: number, token: number, amount: number): void {
    this.holdings.set(wallet, token, this.holdings.get(wallet, token) + amount);
    this.transfer(wallet, token, amount, 'deposit');
  }

  /** The rest of what the swap added last sold leaves its wallet by transfer. */
  emptyLast(): void {
    const { wallet, tokenIn } = this.swap;
    this.transfer(wallet, tokenIn, this.holdings.get(wallet, tokenIn), 'withdrawal');
    this.holdings.set(wallet, tokenIn, 0);
    this.writer.emptyLast();
  }

  /** The transfers since the last time. */
  takeTransfers(): readonly MarketTransfer[] {
    const { moved } = this;
    this.moved = [];
    return moved;
  }

  private transfer(wallet: number, token: number, amount: number, kind: MarketTransfer['kind']): void {
    if (!this.notesTransfers || amount <= 0) return;
    const { tx, options } = this;
    const own = this.addresses[wallet]!;
    const other = this.outsiders[wallet % OUTSIDERS]!;
    this.moved.push({
      tx_hash: tx.hash,
      transfer_index: tx.transferIndex++,
      block_time: tx.time,
      block_slot: tx.slot,
      ...(options.withTxIndex && { tx_index: tx.index }),
      token: this.assets[token]!.address,
      token_amount: amount,
      ...(kind === 'deposit' ? { from: other, to: own } : { from: own, to: other }),
      kind,
    });
  }

  exchangeExactly(
    wallet: number,
    tokenIn: number,
    amountIn: number,
    tokenOut: number,
    amountOut: number,
    pool: number,
  ): void {
    const { holdings, swap } = this;
    swap.wallet = wallet;
    swap.tokenIn = tokenIn;
    swap.tokenOut = tokenOut;
    swap.amountIn = amountIn;
    swap.amountOut = amountOut;
    swap.protocol = pool;
    const held = holdings.get(wallet, tokenIn);
    // What is missing came by transfer before.
    swap.preIn =
      held >= amountIn
        ? held
        : tokenIn < QUOTES
          ? this.cut(tokenIn, amountIn * this.random.between(1, 6)) + amountIn
          : amountIn;
    if (tokenIn >= QUOTES) this.transfer(wallet, tokenIn, swap.preIn - held, 'deposit');
    swap.postIn = swap.preIn - amountIn;
    holdings.set(wallet, tokenIn, swap.postIn);
    swap.preOut = holdings.get(wallet, tokenOut);
    swap.postOut = swap.preOut + amountOut;
    holdings.set(wallet, tokenOut, swap.postOut);
    this.priceLegs();
    this.writer.add(swap, this.tx);
    this.tx.swapIndex++;
  }

  /** The feed's USD figures: the quote side's price, from which the other side's follows. */
  private priceLegs(): void {
    const { swap } = this;
    if (swap.tokenOut < QUOTES && swap.tokenIn >= QUOTES) {
      swap.priceOut = this.priceOf(swap.tokenOut);
      swap.priceIn = (swap.amountOut * swap.priceOut) / swap.amountIn;
    } else if (swap.tokenIn < QUOTES) {
      swap.priceIn = this.priceOf(swap.tokenIn);
      swap.priceOut = (swap.amountIn * swap.priceIn) / swap.amountOut;
    } else {
      const isKnown = this.assets[swap.tokenIn]!.isPriced;
      swap.priceIn = isKnown ? this.priceOf(swap.tokenIn) : Number.NaN;
      swap.priceOut = (swap.amountIn * swap.priceIn) / swap.amountOut;
    }
  }
}
