import type { ConfigInput, PriceInput, SwapInput } from '@swapfold/core';
import { Random } from '../../packages/testing/src/market/random.ts';

/** A transfer as `dex.transfers.ingest` takes it. */
export interface TransferRow {
  readonly tx_hash: string;
  readonly transfer_index: number;
  readonly block_time: number;
  readonly block_slot?: number | null;
  readonly tx_index?: number | null;
  readonly token: string;
  readonly token_amount: number;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly cost_usd?: number | null;
  readonly kind?: string | null;
  readonly includes_swaps?: boolean | null;
}

export type Row =
  | { readonly kind: 'swap'; readonly row: SwapInput }
  | { readonly kind: 'transfer'; readonly row: TransferRow };

export const T0 = 1_735_689_600;
export const DAY = 86_400;
export const wallets = ['Ann', 'Bob', 'Cid'] as const;
const tokens = ['X', 'Y'] as const;
const quotes = ['USDC', 'USDT', 'SOL', 'MSOL'] as const;

export const transferConfig = {
  chain: 'test',
  address_format: 'any',
  quote_tokens: [
    { address: 'USDC', symbol: 'USDC', kind: 'stable' },
    { address: 'USDT', symbol: 'USDT', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
    { address: 'MSOL', symbol: 'mSOL', kind: 'reference' },
  ],
} as const satisfies ConfigInput;

/** What a feed says of balances: nothing, those of the transaction, those around each swap, now and then one of the two, or zeros. */
type Reports = 'none' | 'transaction' | 'swap' | 'some' | 'zeros';

interface Leg {
  readonly token: string;
  /** What the row says, and what the wallet's balance really moves by; above 0 where it came in. */
  readonly amount: number;
  readonly real: number;
}

interface Exchange {
  readonly given: Leg;
  readonly received: Leg;
  readonly more?: Partial<SwapInput>;
}

/** Amounts that doubles add up exactly, so that both sides of a comparison decide alike. */
const amounts = [0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 40];

/** What happens to three wallets, as their chain does it; gives what feeds say of it, in the order in which it happens. */
export class Life {
  readonly rows: Row[] = [];
  readonly #random: Random;
  readonly #held = new Map<string, number>();
  readonly #reports: Reports;
  readonly #hasSlots: boolean;
  readonly #indexes: number;
  readonly #isCrowded: boolean;
  /** The longest rest, seconds. */
  readonly #longest: number;
  #time = T0;
  #slot = 1000;
  #place = 0;
  #index: number | null = null;
  #count = 0;

  constructor(seed: number) {
    this.#random = new Random(seed, 7);
    this.#reports = this.#random.pick(['none', 'transaction', 'transaction', 'swap', 'some', 'zeros'] as const);
    this.#hasSlots = this.#random.chance(0.6);
    this.#indexes = this.#random.pick([0, 0, 0.5, 1]);
    this.#isCrowded = seed % 8 === 3;
    this.#longest = seed % 2 === 0 ? 4 * DAY : 25 * DAY;
  }

  /** Lets so many things happen. */
  live(events: number): void {
    const random = this.#random;
    for (let i = 0; i < events; i++) {
      this.#pass();
      const wallet = random.pick(wallets);
      const token = random.chance(0.8) ? 'X' : 'Y';
      const dice = random.below(100);
      if (i === 20 && this.#isCrowded) this.#crowd(wallet, token);
      else if (dice < 26) this.#swap(wallet, [this.#buy(token)]);
      else if (dice < 44) this.#swap(wallet, [this.#sell(wallet, token)]);
      else if (dice < 50) this.#swap(wallet, [this.#quotes(wallet)]);
      else if (dice < 53) this.#swap(wallet, this.#route(token));
      else if (dice < 55) this.#swap(wallet, [this.#buy(token), this.#sell(wallet, token)]);
      else if (dice < 57) this.#swap(wallet, [this.#exchange(wallet)]);
      else if (dice < 77) this.#transfer(wallet, random.chance(0.75) ? token : random.pick(quotes));
      else if (dice < 89) this.#withTransfers(wallet, token);
      else if (dice < 96) this.#unseen(wallet, random.chance(0.75) ? token : random.pick(quotes));
      else if (dice < 97) this.#rest(wallet, token);
      else if (dice < 98 && i % 3 === 0) this.#manyAway(wallet, token);
      else this.#rest(wallet, token);
    }
  }

  /** Prices of quote tokens from outside. */
  prices(): PriceInput[] {
    const found: PriceInput[] = [];
    for (let time = T0 - 3600; time < this.#time; time += 20_000 + this.#random.below(90_000))
      for (const token of ['SOL', 'MSOL']) found.push({ token, time, usd_price: 64 * (1 + this.#random.below(3)) });
    return found;
  }

  #pass(): void {
    const random = this.#random;
    const dice = random.below(100);
    const step =
      dice < 45
        ? 0
        : dice < 85
          ? 1 + random.below(500)
          : dice < 95
            ? random.below(20_000)
            : random.below(this.#longest);
    this.#time += step;
    if (step > 0 || random.chance(0.25)) this.#slot += 1 + random.below(3);
    if (step > 0) this.#place = 0;
    this.#place++;
    this.#index = random.chance(this.#indexes) ? this.#place : null;
  }

  /** The hash of a transaction: nothing of its place is in it. */
  #hash(): string {
    return `${'0123456789abcdef'[this.#random.below(16)]}${this.#random.below(1000)}t${this.#count++}`;
  }

  #placed(): { block_time: number; block_slot: number | null; tx_index: number | null } {
    return { block_time: this.#time, block_slot: this.#hasSlots ? this.#slot : null, tx_index: this.#index };
  }

  /** Where a transfer of a transaction with swaps may say that it stands. */
  #placedElsewhere(): object {
    const { block_slot, tx_index } = this.#placed();
    const block_time = this.#time + (this.#random.chance(0.2) ? this.#random.below(3) - 1 : 0);
    return this.#random.chance(0.75)
      ? { block_time, block_slot, tx_index }
      : { block_time, block_slot: this.#random.chance(0.5) ? block_slot : null };
  }

  held(wallet: string, token: string): number {
    return this.#held.get(`${wallet} ${token}`) ?? 0;
  }

  #move(wallet: string, token: string, amount: number): void {
    this.#held.set(`${wallet} ${token}`, Math.max(0, this.held(wallet, token) + amount));
  }

  #amount(): number {
    return this.#random.pick(amounts);
  }

  /** A token with a tax moves less than its amount, now and then much less. */
  #taxed(amount: number): number {
    return this.#random.chance(0.12) ? amount * this.#random.pick([0.0625, 0.25, 0.5, 0.75]) : 0;
  }

  #quote(): string {
    return this.#random.pick(['USDC', 'USDC', 'USDC', 'SOL', 'USDT', 'MSOL']);
  }

  #paid(quote: string, amount: number): number {
    return quote === 'SOL' || quote === 'MSOL'
      ? amount * this.#random.pick([0.125, 0.25, 0.5])
      : amount * this.#random.pick([1, 2, 4, 8, 16]);
  }

  #buy(token: string): Exchange {
    const [amount, quote] = [this.#amount(), this.#quote()];
    const paid = this.#paid(quote, amount);
    const tax = this.#taxed(amount);
    return {
      given: { token: quote, amount: paid, real: -paid },
      received: { token, amount, real: amount - tax },
      more: tax > 0 && this.#random.chance(0.2) ? { pool_amount_in: paid, pool_amount_out: amount + tax } : {},
    };
  }

  /** Sells part of what is there, all of it, or more. */
  #sell(wallet: string, token: string): Exchange {
    const held = this.held(wallet, token);
    const amount =
      held > 0 && this.#random.chance(0.75) ? (this.#random.chance(0.4) ? held : held / 2) : this.#amount();
    const quote = this.#quote();
    const paid = this.#paid(quote, amount);
    return {
      given: { token, amount, real: -amount - this.#taxed(amount) },
      received: { token: quote, amount: paid, real: paid },
    };
  }

  #quotes(wallet: string): Exchange {
    const amount = this.#amount();
    const usd = amount * this.#random.pick([64, 128]);
    const stable = this.#random.pick(['USDC', 'USDT']);
    if (this.#random.chance(0.2))
      return { given: { token: 'USDC', amount, real: -amount }, received: { token: 'USDT', amount, real: amount } };
    return this.#random.chance(0.65) || this.held(wallet, 'SOL') < amount
      ? {
          given: { token: stable, amount: usd, real: -usd },
          received: { token: 'SOL', amount, real: amount - 2 ** -9 },
        }
      : {
          given: { token: 'SOL', amount, real: -amount - 2 ** -9 },
          received: { token: stable, amount: usd, real: usd },
        };
  }

  /** Through SOL, all of it or but for a little. */
  #route(token: string): Exchange[] {
    const [amount, sol] = [this.#amount(), this.#amount()];
    const left = this.#random.chance(0.5) ? 0 : sol * 2 ** -10;
    return [
      {
        given: { token: 'USDC', amount: sol * 64, real: -sol * 64 },
        received: { token: 'SOL', amount: sol, real: sol },
      },
      {
        given: { token: 'SOL', amount: sol - left, real: left - sol },
        received: { token, amount, real: amount },
      },
    ];
  }

  #exchange(wallet: string): Exchange {
    const [from, to] = this.#random.chance(0.5) ? tokens : [tokens[1], tokens[0]];
    const amount = Math.max(0.25, this.held(wallet, from) / 2);
    const got = this.#amount();
    const more = this.#random.chance(0.5) ? { usd_amount_in: got * 4 } : {};
    return { given: { token: from, amount, real: -amount }, received: { token: to, amount: got, real: got }, more };
  }

  /** The swaps of a transaction, with what comes before and after them of transfers; gives what each token really moved by. */
  #swap(
    wallet: string,
    exchanges: readonly Exchange[],
    came: Record<string, number> = {},
    left: Record<string, number> = {},
    hash = this.#hash(),
  ): Map<string, { came: number; left: number }> {
    const legs = exchanges.flatMap(({ given, received }) => [given, received]);
    const named = new Set([...legs.map(({ token }) => token), ...Object.keys(came), ...Object.keys(left)]);
    const before = new Map([...named].map((token) => [token, this.held(wallet, token)]));
    for (const [token, amount] of Object.entries(came)) this.#move(wallet, token, amount);
    const around = exchanges.map(({ given, received }) => {
      const pre = { in: this.held(wallet, given.token), out: this.held(wallet, received.token) };
      this.#move(wallet, given.token, given.real);
      this.#move(wallet, received.token, received.real);
      return { pre, post: { in: this.held(wallet, given.token), out: this.held(wallet, received.token) } };
    });
    for (const [token, amount] of Object.entries(left)) this.#move(wallet, token, -amount);
    for (const [i, { given, received, more }] of exchanges.entries()) {
      const { pre, post } = around[i]!;
      const whole = {
        pre: { in: before.get(given.token)!, out: before.get(received.token)! },
        post: { in: this.held(wallet, given.token), out: this.held(wallet, received.token) },
      };
      const said = this.#reports === 'swap' ? { pre, post } : whole;
      this.rows.push({
        kind: 'swap',
        row: {
          tx_hash: hash,
          swap_index: i,
          ...this.#placed(),
          wallet,
          token_in: given.token,
          token_amount_in: given.amount,
          token_out: received.token,
          token_amount_out: received.amount,
          ...this.#said('in', said),
          ...this.#said('out', said),
          ...more,
        },
      });
    }
    const moved = new Map<string, { came: number; left: number }>();
    for (const { token, real } of legs) {
      const one = moved.get(token) ?? { came: 0, left: 0 };
      if (real > 0) one.came += real;
      else one.left -= real;
      moved.set(token, one);
    }
    return moved;
  }

  #said(side: 'in' | 'out', said: Record<'pre' | 'post', Record<'in' | 'out', number>>): Partial<SwapInput> {
    const random = this.#random;
    if (this.#reports === 'none') return {};
    const isKept = (): boolean => this.#reports !== 'some' || random.chance(0.5);
    const isZero = (): boolean => this.#reports === 'zeros' && random.chance(0.4);
    return {
      [`pre_token_balance_${side}`]: isZero() ? 0 : isKept() ? said.pre[side] : null,
      [`post_token_balance_${side}`]: isZero() ? 0 : isKept() ? said.post[side] : null,
    };
  }

  #stranger(wallet: string): string | null {
    const dice = this.#random.below(10);
    return dice < 6 ? 'Stranger' : dice < 8 ? null : this.#random.pick(wallets.filter((one) => one !== wallet));
  }

  /** A row of a transfer, to the wallet where the amount is above 0, else from it. */
  #moved(hash: string, index: number, wallet: string, token: string, amount: number, more: object = {}): TransferRow {
    const other = this.#stranger(wallet);
    const sides = amount > 0 ? { from: other, to: wallet } : { from: wallet, to: other };
    return {
      tx_hash: hash,
      transfer_index: index,
      ...this.#placed(),
      token,
      token_amount: Math.abs(amount),
      ...sides,
      ...more,
    };
  }

  #settle(row: TransferRow): void {
    if (row.from === row.to) return;
    if (row.from != null && row.from !== 'Stranger') this.#move(row.from, row.token, -row.token_amount);
    if (row.to != null && row.to !== 'Stranger') this.#move(row.to, row.token, row.token_amount);
  }

  #transfer(wallet: string, token: string): void {
    const [random, hash] = [this.#random, this.#hash()];
    const count = random.chance(0.2) ? 2 : 1;
    for (let i = 0; i < count; i++) {
      const held = this.held(wallet, token);
      const amount =
        held > 0 && random.chance(0.55)
          ? -(random.chance(0.5) ? held : held / 2)
          : this.#amount() * (random.chance(0.9) ? 1 : -1);
      const cost = amount > 0 && random.chance(0.3) ? amount * random.pick([0, 1, 4]) : null;
      const row = this.#moved(hash, i, wallet, token, amount, { cost_usd: cost, kind: random.pick([null, 'deposit']) });
      this.#settle(row);
      this.rows.push({ kind: 'transfer', row });
    }
    if (random.chance(0.06))
      this.rows.push({ kind: 'transfer', row: { ...this.#moved(hash, 8, wallet, token, 1), token_amount: 0 } });
    if (random.chance(0.06))
      this.rows.push({
        kind: 'transfer',
        row: { ...this.#moved(hash, 9, wallet, token, 3), from: wallet, to: wallet },
      });
  }

  /** A swap and transfers in one transaction; the rows of transfers now and then hold the swap's movements. */
  #withTransfers(wallet: string, token: string): void {
    const [random, hash] = [this.#random, this.#hash()];
    const exchange = random.chance(0.15)
      ? this.#quotes(wallet)
      : random.chance(0.55)
        ? this.#buy(token)
        : this.#sell(wallet, token);
    const own = random.chance(0.8)
      ? token
      : exchange.given.token === token
        ? exchange.received.token
        : exchange.given.token;
    const came = random.chance(0.6) ? { [own]: this.#amount() } : {};
    const left = random.chance(0.6) ? { [own]: this.#amount() } : {};
    const includes = random.chance(0.45);
    const moved = this.#swap(wallet, [exchange], came, left, hash);
    const rows: { token: string; amount: number }[] = [];
    for (const [name, amount] of Object.entries(came)) rows.push({ token: name, amount });
    for (const [name, amount] of Object.entries(left)) rows.push({ token: name, amount: -amount });
    if (includes)
      for (const [name, { came: inwards, left: outwards }] of moved) {
        if (random.chance(0.15)) continue;
        if (inwards > 0) rows.push({ token: name, amount: inwards });
        if (outwards > 0) rows.push({ token: name, amount: -outwards });
      }
    const flagged = random.below(Math.max(1, rows.length));
    for (const [i, { token: name, amount }] of rows.entries()) {
      const cost = amount > 0 && random.chance(0.3) ? amount * 2 : null;
      const hasFlag = includes && (i === flagged || random.chance(0.7));
      const row = this.#moved(hash, i, wallet, name, amount, { cost_usd: cost, includes_swaps: hasFlag ? true : null });
      const stranger = { [amount > 0 ? 'from' : 'to']: random.chance(0.8) ? 'Stranger' : null };
      this.rows.push({ kind: 'transfer', row: { ...row, ...this.#placedElsewhere(), ...stranger } });
    }
  }

  /** Moves that no row tells of. */
  #unseen(wallet: string, token: string): void {
    const held = this.held(wallet, token);
    const amount =
      held > 0 && this.#random.chance(0.6) ? -this.#random.pick([held, held / 2, held * 2 ** -22]) : this.#amount();
    this.#move(wallet, token, amount);
  }

  /** Buys, and sells but for a rest that counts as nothing. */
  #rest(wallet: string, token: string): void {
    const amount = 8;
    const one = (given: Leg, received: Leg): void => {
      this.#swap(wallet, [{ given, received }]);
      this.#time++;
    };
    const usd = (real: number): Leg => ({ token: 'USDC', amount: Math.abs(real), real });
    one(usd(-16), { token, amount, real: amount });
    const held = this.held(wallet, token);
    const sold = held - 2 ** -33;
    one({ token, amount: sold, real: -sold }, usd(sold * 4));
  }

  /** More in one second than anything but their hashes orders. */
  #crowd(wallet: string, token: string): void {
    this.#time++;
    this.#index = null;
    for (let i = 0; i < 66; i++) this.#swap(wallet, [i % 3 === 2 ? this.#sell(wallet, token) : this.#buy(token)]);
  }

  /** Buys and sends away, again and again. */
  #manyAway(wallet: string, token: string): void {
    for (let i = 0; i < 70; i++) {
      const amount = 1 + (i % 3);
      const usd = amount * (1 + (i % 5));
      this.#swap(wallet, [
        {
          given: { token: 'USDC', amount: usd, real: -usd },
          received: { token, amount, real: amount },
        },
      ]);
      this.#time += 7;
      const row = this.#moved(this.#hash(), 0, wallet, token, -amount, { to: 'Stranger' });
      this.#settle(row);
      this.rows.push({ kind: 'transfer', row });
      this.#time += 7;
    }
  }
}
