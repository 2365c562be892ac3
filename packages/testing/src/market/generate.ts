import type { SwapColumns } from '@swapfold/core';
import { makeLaunchpad } from './launchpad/launchpad.ts';
import type { Market, MarketTransfer } from './market.ts';
import { type ScenarioName, scenarioWeights } from './mix.ts';
import { type MarketOptions, settle } from './options.ts';
import { WeightedChoice } from './random.ts';
import { tokenRows, walletRows } from './registry.ts';
import { buy, MOST_SWAPS, scenarios, sell, surge, trade } from './scenarios.ts';
import { Simulation } from './simulation.ts';
import { Timetable } from './timetable.ts';
import { type MarketAsset, makeTokens, QUOTES } from './tokens.ts';
import { type MarketTraders, makeWallets } from './wallets.ts';

/**
 * A seeded market on a Solana-like chain, for demos, tests and benchmarks.
 *
 * - Heavy-tailed wallets and tokens; launches, pumps and rugs; routes, splits, arbitrage, bots, snipers, dust; tokens that come and
 *   go by transfer; several transactions a second. `MarketOptions.mix` sets the shares.
 * - `MarketOptions.shape` 'launchpad' makes a wider one: a handful of swaps a wallet, thousands of tokens that live for about an hour.
 * - The same seed and options give the same market to the bit, on every machine.
 * - Errors: `invalid-input` for an option out of its range.
 *
 * ```ts
 * const market = generateMarket({ seed: 7, swaps: 300_000 });
 * for (const batch of market.swaps()) await dex.ingest(batch);
 * ```
 */
export function generateMarket(options: MarketOptions): Market {
  const settled = settle(options);
  if (settled.shape === 'launchpad') return makeLaunchpad(settled);
  const assets = makeTokens(settled);
  const traders = makeWallets(settled);
  return {
    config: { preset: 'solana' },
    swaps: () => run(new Simulation(settled, assets, traders)),
    transfers: () => transfersOf(new Simulation(settled, assets, traders)),
    tokens: () => tokenRows(settled, assets, traders),
    wallets: () => walletRows(settled, traders),
  };
}

/** A transaction that is due at a time of its own. */
interface Appointment {
  readonly time: number;
  readonly act: (sim: Simulation) => void;
}

function* transfersOf(sim: Simulation): Iterable<MarketTransfer> {
  sim.notesTransfers = true;
  for (const _ of run(sim)) yield* sim.takeTransfers();
}

function* run(sim: Simulation): Iterable<SwapColumns> {
  const { options } = sim;
  // A scenario that is off by default must not shift the draws of markets that leave it so.
  const names = (Object.keys(options.mix) as ScenarioName[]).filter(
    (name) => scenarioWeights[name] > 0 || options.mix[name] > 0,
  );
  const choice = new WeightedChoice(names.map((name) => options.mix[name]));
  const agenda = new Agenda(sim.assets, sim.traders);
  const timetable = new Timetable(options);
  let done = 0;
  while (done < options.swaps) {
    const left = options.swaps - done;
    const due = timetable.timeOf(done);
    const appointment = left > MOST_SWAPS ? agenda.next(due) : undefined;
    // One transaction in five falls into the second of the one before.
    const isTie = done > 0 && left > MOST_SWAPS && sim.random.chance(0.2);
    sim.beginTransaction(appointment?.time ?? (isTie ? sim.time : due));
    const before = sim.writer.length;
    if (appointment !== undefined) appointment.act(sim);
    else if (done === 0) scenarios.native(sim);
    else if (left <= MOST_SWAPS) trade(sim, sim.pickTrader());
    else if (timetable.isSurge(done, sim.random)) surge(sim);
    else scenarios[names[choice.draw(sim.random)]!](sim);
    done += sim.writer.length - before;
    if (sim.writer.length > options.batchRows - MOST_SWAPS || done === options.swaps) yield sim.writer.take();
  }
}

/** Launches with their snipers, the snipers' exits, and the moments at which creators drain their tokens. */
class Agenda {
  private readonly launches: number[];
  private readonly rugs: number[];
  private readonly waiting: Appointment[] = [];
  private readonly exits: Appointment[] = [];
  private launched = 0;
  private rugged = 0;
  private waitingAt = 0;
  private exitAt = 0;

  constructor(
    private readonly assets: readonly MarketAsset[],
    private readonly traders: MarketTraders,
  ) {
    const tokens = assets.map((_, token) => token).slice(QUOTES);
    const by = (time: 'launchTime' | 'rugTime'): number[] =>
      tokens
        .filter((token) => Number.isFinite(assets[token]![time]))
        .sort((a, b) => assets[a]![time] - assets[b]![time] || a - b);
    this.launches = by('launchTime');
    this.rugs = by('rugTime');
  }

  /** What is due at `now`, if anything. */
  next(now: number): Appointment | undefined {
    const { launches, rugs, assets } = this;
    while (this.launched < launches.length && assets[launches[this.launched]!]!.launchTime <= now)
      this.launch(launches[this.launched++]!);
    while (this.rugged < rugs.length && assets[rugs[this.rugged]!]!.rugTime <= now) this.rug(rugs[this.rugged++]!);
    if (this.waitingAt < this.waiting.length) return this.waiting[this.waitingAt++];
    if (this.exitAt < this.exits.length && this.exits[this.exitAt]!.time <= now) return this.exits[this.exitAt++];
    return undefined;
  }

  private launch(token: number): void {
    const { creator, launchTime, supply } = this.assets[token]!;
    const { bots, snipers } = this.traders;
    this.waiting.push({
      time: launchTime,
      act: (sim) => {
        sim.receive(creator, token, sim.cut(token, supply * sim.random.between(0.005, 0.06)));
        buy(sim, creator, token, sim.random.between(50, 600));
        sim.weighTokens();
      },
    });
    const attackers = 2 + ((token * 7) % 5);
    for (let i = 0; i < attackers; i++) {
      const sniper = bots + ((token * 13 + i * 31) % snipers);
      this.waiting.push({
        time: launchTime + (i >> 1),
        act: (sim) => buy(sim, sniper, token, sim.random.between(30, 900)),
      });
      this.exits.push({
        time: launchTime + 60 + i * 97,
        act: (sim) => {
          const held = sim.holdings.get(sniper, token);
          if (held > 0) sell(sim, sniper, token, held);
          else buy(sim, sniper, token, 25);
        },
      });
    }
  }

  private rug(token: number): void {
    const { creator, rugTime } = this.assets[token]!;
    this.waiting.push({
      time: rugTime,
      act: (sim) => {
        const held = sim.holdings.get(creator, token);
        if (held > 0) sell(sim, creator, token, held);
        else trade(sim, sim.pickTrader());
      },
    });
  }
}
