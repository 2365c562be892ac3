import { Random } from '../../packages/server/test/random.ts';

export const USDC = { address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC' } as const;
export const WETH = { address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', symbol: 'WETH' } as const;
const OSQTH = { address: '0xf1b99e3e573a1a9c5e6b2ce818b617f0e664e86b', symbol: 'oSQTH' } as const;

const columns =
  'protocol,wallet,token_in,token_out,token_symbol_in,token_symbol_out,token_amount_in,token_amount_out,' +
  'token_price_in,token_price_out,pre_token_balance_in,pre_token_balance_out,post_token_balance_in,' +
  'post_token_balance_out,usd_amount_in,usd_amount_out,block_slot,block_time,tx_hash,swap_index,tx_index';

/** The last second before the day, 2024-01-05 UTC, and its slots of 12 seconds. */
const BEFORE = 1_704_412_799;
const SLOT = 12;
const SLOTS = 7200;
const FIRST_BLOCK = 18_937_380;

interface Token {
  readonly address: string;
  readonly symbol: string;
}
/** What goes into a pool, and what comes out. */
interface Hop {
  readonly from: Token;
  readonly to: Token;
  readonly amount: number;
  readonly received: number;
  readonly usd: number;
}

/**
 * Swaps of a made-up day as CSV, in the shape of the recorded one: what a test proves on it, it proves without the record.
 *
 * - Two pools of USDC and WETH, with fees of 0.05 % and 0.3 %, and one of WETH and oSQTH; a WETH costs some 2,250 USD.
 * - The wallet is the recipient: a few routers have almost half of all swaps, most wallets a single one.
 * - Sizes from cents to millions; no balances; several transactions in a slot.
 * - Some transactions have several hops (parts of an order, a route over WETH, an arbitrage), one has twelve.
 * - One dust swap prints 2,000,000 USD for a WETH.
 */
export function generateDay({ seed, transactions }: { seed: number; transactions: number }): string {
  const random = new Random(seed);
  const market = new Market(random);
  const wallets = new Wallets(random);
  const slots = Array.from({ length: transactions }, () => 1 + random.below(SLOTS)).sort((a, b) => a - b);
  let index = 0;
  const rows = slots.flatMap((slot, i) => {
    index = slot === slots[i - 1] ? index + 1 + random.below(30) : random.below(60);
    const place = { wallet: wallets.next(), slot, index, hash: hex(random, 32) };
    let hops = market.transaction();
    if (i === Math.floor(transactions / 2)) hops = [dust];
    if (i === Math.floor((transactions * 3) / 4)) hops = Array.from({ length: 6 }, () => market.arbitrage()).flat();
    return hops.map((hop, number) => rowOf(hop, number, place));
  });
  return [columns, ...rows, ''].join('\n');
}

/** The least amount of USDC but one, for less WETH than it is worth. */
const dust: Hop = { from: USDC, to: WETH, amount: 0.000002, received: 1e-12, usd: 0.000002 };

function hex(random: Random, bytes: number): string {
  return `0x${random.bytes(bytes).toString('hex')}`;
}

function rowOf(
  { from, to, amount, received, usd }: Hop,
  number: number,
  { wallet, slot, index, hash }: { wallet: string; slot: number; index: number; hash: string },
): string {
  const tokens = [from.address, to.address, from.symbol, to.symbol];
  const values = [amount, received, usd / amount, usd / received, '', '', '', '', usd, usd];
  const place = [FIRST_BLOCK + slot, BEFORE + slot * SLOT, hash, number, index];
  return ['uniswap_v3', wallet, ...tokens, ...values, ...place].join(',');
}

/** The three pools, of which the first two stay near each other. */
class Market {
  readonly #random: Random;
  #price = 2250;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The hops of any transaction. */
  transaction(): Hop[] {
    this.#price *= Math.exp(0.0004 * this.#normal());
    const kind = this.#random.next();
    if (kind < 0.02) return Array.from({ length: 2 + this.#random.below(4) }, () => this.#sell(this.#size() / 4));
    if (kind < 0.03) return this.#route();
    if (kind < 0.04) return this.arbitrage();
    if (kind < 0.05) return [this.#leverage(this.#random.chance(0.5), this.#size() / 10)];
    if (kind < 0.06) return [this.#buy(this.#random.next() / 4)];
    return [kind < 0.6 ? this.#sell(this.#size()) : this.#buy(this.#size())];
  }

  /** USDC for WETH in one pool, and all of the WETH for USDC in the other. */
  arbitrage(): Hop[] {
    const first = this.#buy(this.#size());
    return [first, this.#sellWeth(first.received, -0.001)];
  }

  /** USD of a swap: a median of 2,700, from some to some millions. */
  #size(): number {
    return Math.min(3e6, 2700 * Math.exp(2.5 * this.#normal()));
  }

  #sell(usd: number): Hop {
    // People sell round amounts of WETH, programs any.
    const exact = usd / this.#price;
    const amount = this.#random.chance(0.3) ? Number(exact.toPrecision(1)) : exact;
    return this.#sellWeth(amount, this.#fee());
  }

  #buy(usd: number): Hop {
    const amount = cents(usd);
    return { from: USDC, to: WETH, amount, received: (amount / this.#price) * (1 - this.#fee()), usd: amount };
  }

  /** WETH for oSQTH, or the reverse. */
  #leverage(isIn: boolean, usd: number): Hop {
    const weth = usd / this.#price;
    const tokens = (weth / 0.0585) * (isIn ? 0.997 : 1 / 0.997);
    if (isIn) return { from: WETH, to: OSQTH, amount: weth, received: tokens, usd };
    return { from: OSQTH, to: WETH, amount: tokens, received: weth, usd };
  }

  /** USDC to oSQTH: all the WETH that comes in goes out. */
  #route(): Hop[] {
    const first = this.#buy(this.#size() / 10);
    const tokens = (first.received / 0.0585) * 0.997;
    return [first, { from: WETH, to: OSQTH, amount: first.received, received: tokens, usd: first.usd }];
  }

  #sellWeth(amount: number, fee: number): Hop {
    const received = cents(amount * this.#price * (1 - fee));
    return { from: WETH, to: USDC, amount, received, usd: received };
  }

  #fee(): number {
    return this.#random.chance(0.75) ? 0.0005 : 0.003;
  }

  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random.next())) * Math.cos(2 * Math.PI * this.#random.next());
  }
}

/** USDC has 6 decimals; nothing is less than the last of them. */
function cents(usd: number): number {
  return Math.max(1, Math.round(usd * 1e6)) / 1e6;
}

/** Recipients: nine routers, forty programs, and a long tail of people. */
class Wallets {
  readonly #random: Random;
  readonly #routers: readonly string[];
  readonly #programs: readonly string[];
  readonly #people: string[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.#routers = Array.from({ length: 9 }, () => this.#make());
    this.#programs = Array.from({ length: 40 }, () => this.#make());
  }

  next(): string {
    const kind = this.#random.next();
    if (kind < 0.24) return this.#routers[0]!;
    if (kind < 0.45) return this.#random.pick(this.#routers);
    if (kind < 0.8) return this.#random.pick(this.#programs);
    if (this.#people.length > 0 && this.#random.chance(0.25)) return this.#random.pick(this.#people);
    this.#people.push(this.#make());
    return this.#people[this.#people.length - 1]!;
  }

  #make(): string {
    return hex(this.#random, 20);
  }
}
