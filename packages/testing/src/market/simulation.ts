import { BatchWriter, type SwapFacts } from './batch-writer.ts';
import { Holdings } from './holdings.ts';
import type { Settled } from './options.ts';
import { base58Text, Random, WeightedChoice } from './random.ts';
import { busyToken, type MarketAsset, QUOTES, SOL, USDC, USDT } from './tokens.ts';
import { HOLDER, type MarketTraders } from './wallets.ts';

const FIRST_SLOT = 300_000_000;
const EPOCHS = 400;
const powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] as const;

/** The market as it stands at one moment: clock, balances, prices, and the means to trade. Scenarios act on it. */
export class Simulation {
  readonly random: Random;
  readonly holdings: Holdings;
  readonly writer: BatchWriter;
  readonly start: number;
  /** What everyone trades in a surge or rush. */
  readonly busyToken: number;
  readonly span: number;
  time: number;
  private readonly tx = { hash: '', index: 0, slot: 0, time: 0, swapIndex: 0 };
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
  private epochEnd = -Infinity;
  private alive: WeightedChoice | undefined;
  private readonly weights: Float64Array;
  private readonly ranks: Float64Array;
  private readonly launchTimes: Float64Array;
  private readonly rugTimes: Float64Array;

  constructor(
    readonly options: Settled,
    readonly assets: readonly MarketAsset[],
    readonly traders: MarketTraders,
  ) {
    this.random = new Random(options.seed, 3);
    this.holdings = new Holdings(options.wallets);
    this.writer = new BatchWriter(options, traders.addresses, assets);
    this.span = Math.ceil(options.days * 86_400);
    this.start = options.endTime - this.span;
    this.time = this.start;
    this.busyToken = busyToken(options, assets);
    const tokens = assets.slice(QUOTES);
    this.weights = new Float64Array(tokens.length);
    this.ranks = Float64Array.from(tokens, (asset) => asset.rank);
    this.launchTimes = Float64Array.from(tokens, (asset) => asset.launchTime);
    this.rugTimes = Float64Array.from(tokens, (asset) => asset.rugTime);
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
    tx.hash = base58Text(random, random.chance(0.9) ? 88 : 87);
    this.time = second;
    if (second >= this.epochEnd) this.weighTokens();
  }

  priceOf(token: number): number {
    return this.assets[token]!.path.at(this.time);
  }

  /** A token that trades now, by how busy it is. */
  pickToken(): number {
    return QUOTES + this.alive!.draw(this.random);
  }

  /** What `token` is traded against this time. */
  pickQuote(): number {
    const u = this.random.unit();
    return u < 0.86 ? SOL : u < 0.97 ? USDC : USDT;
  }

  pickPool(token: number): number {
    return this.random.pick(this.assets[token]!.pools);
  }

  /** A wallet that also sells. */
  pickTrader(): number {
    let wallet = this.traders.busy.draw(this.random);
    while (this.traders.kinds[wallet] === HOLDER) wallet = this.traders.busy.draw(this.random);
    return wallet;
  }

  pickBot(): number {
    return this.random.below(this.traders.bots);
  }

  /** One of the wallets that gather tokens: the last ones. */
  pickCollector(): number {
    const { wallets } = this.options;
    return wallets - 1 - this.random.below(Math.ceil(wallets / 10_000));
  }

  /** A token that has been launched, all alike; the busiest ones where that takes too long to find. */
  pickLaunched(): number {
    for (let tries = 0; tries < 20; tries++) {
      const token = this.random.below(this.launchTimes.length);
      if (this.launchTimes[token]! <= this.time) return QUOTES + token;
    }
    return this.pickToken();
  }

  /** A token that `wallet` holds, or -1. */
  pickHeld(wallet: number): number {
    const count = this.holdings.count(wallet);
    return count === 0 ? -1 : this.holdings.nth(wallet, this.random.below(count));
  }

  /** USD that `wallet` puts into a trade of `token`: what suits the wallet, within what the token can bear. */
  sizeOf(wallet: number, token: number): number {
    const { supply } = this.assets[token]!;
    return Math.min(this.traders.sizes[wallet]! * this.random.pareto(20), this.priceOf(token) * supply * 0.01);
  }

  /** Whole tokens worth `usd`, cut to the token's decimals, at least its smallest unit. */
  amountOf(token: number, usd: number): number {
    return this.cut(token, usd / this.priceOf(token));
  }

  cut(token: number, amount: number): number {
    const scale = powersOfTen[this.assets[token]!.decimals]!;
    return Math.max(1, Math.floor(amount * scale)) / scale;
  }

  receive(wallet: number, token: number, amount: number): void {
    this.holdings.set(wallet, token, this.holdings.get(wallet, token) + amount);
  }

  /** Swaps at the market's price less a fee, and answers with the amount received. */
  exchange(wallet: number, tokenIn: number, amountIn: number, tokenOut: number, pool: number): number {
    const rate = (1 - 0.0025 + 0.003 * this.random.normal()) * (this.priceOf(tokenIn) / this.priceOf(tokenOut));
    const amountOut = this.cut(tokenOut, amountIn * rate);
    this.exchangeExactly(wallet, tokenIn, amountIn, tokenOut, amountOut, pool);
    return amountOut;
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

  /** Sets anew how busy each token is. Due once an epoch and at every launch. */
  weighTokens(): void {
    this.epochEnd = this.time + this.span / EPOCHS;
    const { weights, ranks, launchTimes, rugTimes, time } = this;
    for (let i = 0; i < weights.length; i++) {
      const launch = launchTimes[i]!;
      const days = (time - launch) / 86_400;
      const fresh = launch > time ? 0 : launch === -Infinity ? 1 : ((time > rugTimes[i]! ? 0.03 : 1) * 4) / (1 + days);
      weights[i] = fresh / ranks[i]!;
    }
    this.alive = new WeightedChoice(weights);
  }
}
