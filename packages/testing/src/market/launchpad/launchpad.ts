import type { SwapColumns } from '@swapfold/core';
import type { Market, MarketTransfer } from '../market.ts';
import { protocolOf } from '../names.ts';
import type { Settled } from '../options.ts';
import { tokenRows, walletRows } from '../registry.ts';
import { Tape } from '../tape.ts';
import { Timetable } from '../timetable.ts';
import { QUOTES, SOL, USDC } from '../tokens.ts';
import { Curves } from './curves.ts';
import { type Due, DueQueue } from './due-queue.ts';
import { type LaunchpadAsset, makeLaunchpadTokens } from './tokens.ts';
import { type Visit, Visitors } from './visitors.ts';
import { type LaunchpadWallets, makeLaunchpadWallets } from './wallets.ts';

const MINUTE = 60;
const DAY = 86_400;

/** Swaps that a transaction has at most. */
const MOST_SWAPS = 2;

/** Graduates that go on trading: of more, the one with the least heat is forgotten. */
const TRADED_GRADUATES = 24;

/** Most of a wallet's tokens that a bot or sniper keeps without selling. */
const MOST_HELD = 1000;

/** A market of the shape 'launchpad'. What its shares come from: docs/internals/performance.md, "The market". */
export function makeLaunchpad(options: Settled): Market {
  const wallets = makeLaunchpadWallets(options);
  const assets = makeLaunchpadTokens(options, wallets);
  return {
    config: { preset: 'solana' },
    swaps: () => new Launchpad(options, assets, wallets).run(),
    transfers: () => new Launchpad(options, assets, wallets).transfers(),
    tokens: () => tokenRows(options, assets, wallets),
    wallets: () => walletRows(options, wallets),
  };
}

/** A transaction that is due at a time of its own. */
interface Appointment extends Due {
  readonly act: () => void;
}

class Launchpad {
  readonly #tape: Tape;
  readonly #curves: Curves;
  readonly #visitors: Visitors;
  readonly #due = new DueQueue<Appointment>();
  /** Tokens on their curve whose hour is not over. */
  readonly #alive: number[] = [];
  readonly #graduates: { readonly token: number; readonly heat: number }[] = [];
  #launched = QUOTES;
  #done = 0;

  constructor(
    private readonly options: Settled,
    private readonly assets: readonly LaunchpadAsset[],
    private readonly wallets: LaunchpadWallets,
  ) {
    this.#tape = new Tape(options, assets, wallets.addresses);
    this.#curves = new Curves(assets.length);
    this.#visitors = new Visitors(options, wallets, this.#tape.random);
  }

  *transfers(): Iterable<MarketTransfer> {
    this.#tape.notesTransfers = true;
    for (const _ of this.run()) yield* this.#tape.takeTransfers();
  }

  *run(): Iterable<SwapColumns> {
    const { swaps, batchRows } = this.options;
    const { writer, random } = this.#tape;
    const timetable = new Timetable(this.options);
    while (this.#done < swaps) {
      const before = writer.length;
      const now = timetable.timeOf(this.#done);
      // The first and the last swap are those of SOL that hold the period.
      const isBetween = this.#done > 0 && swaps - this.#done > MOST_SWAPS;
      const appointment = isBetween ? this.#next(now) : undefined;
      const isTie = isBetween && random.chance(0.2);
      this.#tape.beginTransaction(appointment?.time ?? (isTie ? this.#tape.time : now));
      if (appointment !== undefined) appointment.act();
      else if (isBetween) this.#fill();
      else this.#native();
      this.#done += writer.length - before;
      if (writer.length > batchRows - MOST_SWAPS || this.#done === swaps) yield writer.take();
    }
  }

  /** What is due at `now`, if anything. */
  #next(now: number): Appointment | undefined {
    const launch = this.assets[this.#launched]?.launchTime ?? Infinity;
    if (launch <= now && launch <= this.#due.next) {
      const token = this.#launched++;
      return { time: launch, act: () => this.#launch(token) };
    }
    return this.#due.next <= now ? this.#due.take() : undefined;
  }

  #after(seconds: number, act: () => void): void {
    this.#due.add({ time: this.#tape.time + Math.floor(seconds), act });
  }

  /** The creator's buy, which brings snipers, visitors and, in the end, the creator's sell. */
  #launch(token: number): void {
    const { random } = this.#tape;
    const { creator, isGraduate } = this.assets[token]!;
    const life = random.between(20, 70) * MINUTE;
    this.#buy(creator, token, random.between(20, 400));
    if (random.chance(0.8)) this.#exit(creator, token, random.between(0.02, 0.9) * life);
    if (random.chance(0.55)) {
      for (let snipers = 1 + random.below(3); snipers > 0; snipers--)
        this.#after(random.below(2), () => this.#snipe(token));
    }
    this.#alive.push(token);
    const visits = 3 + Math.floor((isGraduate ? 20 : 4.5) * random.pareto(60));
    this.#visitIn(token, { launch: this.#tape.time, life, visits, done: 0 });
    if (isGraduate) this.#after(random.between(0.2, 0.9) * life, () => this.#graduate(token));
  }

  /** The next of the visits of a token's life, most of which come soon after its launch. */
  #visitIn(
    token: number,
    plan: { readonly launch: number; readonly life: number; readonly visits: number; readonly done: number },
  ): void {
    const part = (plan.done + this.#tape.random.unit()) / plan.visits;
    const time = plan.launch + 1 + Math.floor(plan.life * part * part);
    const done = plan.done + 1;
    const act = (): void => {
      this.#visit(token);
      if (done < plan.visits) this.#visitIn(token, { ...plan, done });
      else this.#alive.splice(this.#alive.indexOf(token), 1);
    };
    this.#due.add({ time: Math.max(time, this.#tape.time), act });
  }

  #snipe(token: number): void {
    const { random, holdings } = this.#tape;
    const sniper = this.wallets.bots + this.wallets.busySniper.draw(random);
    this.#buy(sniper, token, random.between(20, 500));
    const u = random.unit();
    const isKept = u < 0.1 && holdings.count(sniper) < MOST_HELD;
    if (!isKept) this.#exit(sniper, token, u < 0.85 ? random.between(3, 300) : random.between(300, 3000));
  }

  /** Somebody buys what is left on the curve; the token trades in a pool from then on. */
  #graduate(token: number): void {
    const { random } = this.#tape;
    this.#trade(this.wallets.busyBot.draw(random), token, this.#curves.lastBuy(token));
    this.#curves.graduate(token);
    this.#graduates.push({ token, heat: random.pareto(1e4) });
    if (this.#graduates.length <= TRADED_GRADUATES) return;
    const older = this.#graduates.slice(0, -1);
    const coldest = older.reduce((a, b) => (b.heat < a.heat ? b : a));
    this.#graduates.splice(this.#graduates.indexOf(coldest), 1);
  }

  /** What happens while nothing is due: SOL against a stable coin, trades of graduates, further trades of what is on a curve. */
  #fill(): void {
    const { random } = this.#tape;
    const u = random.unit();
    if (this.#alive.length > 0 && (u < 0.5 || this.#graduates.length === 0)) this.#visit(random.pick(this.#alive));
    else if (u < 0.88 && this.#graduates.length > 0) this.#visit(this.#hotGraduate());
    else this.#native();
  }

  #hotGraduate(): number {
    const { random } = this.#tape;
    let hottest = random.pick(this.#graduates);
    for (let i = 0; i < 2; i++) {
      const other = random.pick(this.#graduates);
      if (other.heat > hottest.heat) hottest = other;
    }
    return hottest.token;
  }

  #native(): void {
    const { random } = this.#tape;
    const wallet = this.wallets.busyBot.draw(random);
    const [from, to] = random.chance(0.5) ? [SOL, USDC] : [USDC, SOL];
    const paid = this.#tape.amountOf(from, 3 * this.#sizeOf(wallet));
    const rate = (0.9975 + 0.001 * random.normal()) * (this.#tape.priceOf(from) / this.#tape.priceOf(to));
    const pool = random.pick(this.assets[SOL]!.pools);
    this.#tape.exchangeExactly(wallet, from, paid, to, this.#tape.cut(to, paid * rate), pool);
  }

  /** A visitor whose turn it is buys, or a bot if it is nobody's. */
  #visit(token: number): void {
    const { time } = this.#tape;
    const { wallet, swaps } = this.#visitors.next(time, this.#done / this.options.swaps) ?? this.#botVisit();
    this.#buy(wallet, token, this.#sizeOf(wallet));
    if (swaps > 1) this.#exit(wallet, token, this.#hold(wallet), swaps > 2);
  }

  #botVisit(): Visit {
    const { random, holdings } = this.#tape;
    const wallet = this.wallets.busyBot.draw(random);
    return { wallet, swaps: holdings.count(wallet) >= MOST_HELD || random.chance(0.8) ? 2 : 1 };
  }

  /** Seconds from a buy to the sell: a bot's a few, a visitor's 100 in the median and, seldom, days. */
  #hold(wallet: number): number {
    const { random } = this.#tape;
    if (wallet < this.wallets.bots) return random.between(2, 60);
    return random.chance(0.11) ? random.between(0.1, 8) * DAY : MINUTE * random.pareto(40);
  }

  /** Sells all later; `inParts` sells a part before it. A wallet that has none left buys. */
  #exit(wallet: number, token: number, seconds: number, inParts = false): void {
    this.#after(seconds, () => {
      const { random, holdings } = this.#tape;
      const held = holdings.get(wallet, token);
      if (held === 0) return this.#buy(wallet, token, this.#sizeOf(wallet));
      this.#sell(
        wallet,
        token,
        inParts ? Math.min(held, this.#tape.cut(token, held * random.between(0.2, 0.8))) : held,
      );
      if (inParts) this.#exit(wallet, token, seconds / 2);
    });
  }

  #sizeOf(wallet: number): number {
    return this.wallets.sizes[wallet]! * this.#tape.random.pareto(10);
  }

  /** Buys for some USD, or for less if the curve cannot bear it. What has graduated is at times bought with USDC, through SOL. */
  #buy(wallet: number, token: number, usd: number): void {
    const tape = this.#tape;
    let sol = Math.min(usd / tape.priceOf(SOL), this.#curves.mostIn(token));
    if (this.#curves.hasGraduated(token) && tape.random.chance(0.12)) {
      const paid = tape.amountOf(USDC, sol * tape.priceOf(SOL));
      sol = tape.cut(SOL, (paid / tape.priceOf(SOL)) * 0.9975);
      tape.exchangeExactly(wallet, USDC, paid, SOL, sol, protocolOf.orca);
    }
    this.#trade(wallet, token, sol);
  }

  #trade(wallet: number, token: number, sol: number): void {
    const tape = this.#tape;
    const paid = tape.cut(SOL, sol);
    const bought = tape.cut(token, this.#curves.buy(token, paid));
    tape.exchangeExactly(wallet, SOL, paid, token, bought, this.#protocolOf(token));
  }

  #sell(wallet: number, token: number, amount: number): void {
    const tape = this.#tape;
    const got = tape.cut(SOL, this.#curves.sell(token, amount));
    tape.exchangeExactly(wallet, token, amount, SOL, got, this.#protocolOf(token));
  }

  #protocolOf(token: number): number {
    return this.#curves.hasGraduated(token) ? protocolOf.pumpAmm : protocolOf.pumpFun;
  }
}
