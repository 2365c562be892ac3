import type { Settled } from './options.ts';
import { WeightedChoice } from './random.ts';
import { Tape } from './tape.ts';
import { busyToken, type MarketAsset, QUOTES, SOL, USDC, USDT } from './tokens.ts';
import { HOLDER, type MarketTraders } from './wallets.ts';

const EPOCHS = 400;

/** The market as it stands at one moment: clock, balances, prices, and the means to trade. Scenarios act on it. */
export class Simulation extends Tape {
  /** What everyone trades in a surge or rush. */
  readonly busyToken: number;
  private epochEnd = -Infinity;
  private alive: WeightedChoice | undefined;
  private readonly weights: Float64Array;
  private readonly ranks: Float64Array;
  private readonly launchTimes: Float64Array;
  private readonly rugTimes: Float64Array;

  constructor(
    options: Settled,
    assets: readonly MarketAsset[],
    readonly traders: MarketTraders,
  ) {
    super(options, assets, traders.addresses);
    this.busyToken = busyToken(options, assets);
    const tokens = assets.slice(QUOTES);
    this.weights = new Float64Array(tokens.length);
    this.ranks = Float64Array.from(tokens, (asset) => asset.rank);
    this.launchTimes = Float64Array.from(tokens, (asset) => asset.launchTime);
    this.rugTimes = Float64Array.from(tokens, (asset) => asset.rugTime);
  }

  /** Opens the next transaction, at `time` or later. */
  override beginTransaction(time: number): void {
    super.beginTransaction(time);
    if (this.time >= this.epochEnd) this.weighTokens();
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

  /** Swaps at the market's price less a fee, and answers with the amount received. */
  exchange(wallet: number, tokenIn: number, amountIn: number, tokenOut: number, pool: number): number {
    const rate = (1 - 0.0025 + 0.003 * this.random.normal()) * (this.priceOf(tokenIn) / this.priceOf(tokenOut));
    const amountOut = this.cut(tokenOut, amountIn * rate);
    this.exchangeExactly(wallet, tokenIn, amountIn, tokenOut, amountOut, pool);
    return amountOut;
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
