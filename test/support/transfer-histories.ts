import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, type PriceInput, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { Random } from '../../packages/testing/src/market/random.ts';
import {
  Comparison,
  compareEntity,
  comparePortfolios,
  compareProfiles,
  compareTrades,
  compareWallet,
  everySection,
  type Sections,
} from './compare.ts';
import { comparePosition, comparePositions, everything, type ServedPosition } from './compare-positions.ts';
import { engines, withFolder } from './engines.ts';
import { askOracles, type OracleAnswer, type OracleRequest } from './oracle.ts';
import { DAY, Life, type Row, T0, type TransferRow, transferConfig, wallets } from './transfer-rows.ts';

type Step =
  | { readonly do: 'rows'; readonly rows: readonly Row[] }
  | { readonly do: 'prices'; readonly rows: readonly PriceInput[] }
  | { readonly do: 'rollback'; readonly slot: number }
  | { readonly do: 'prune'; readonly before: number }
  | { readonly do: 'refresh' | 'rebuild' };

/** What a store is given, one step after the other, and the instants at which it is asked (shares of its time). */
interface History {
  readonly steps: readonly Step[];
  readonly instants: readonly number[];
}

/** What a store should hold after a history. */
class Stored {
  readonly swaps = new Map<string, SwapInput>();
  readonly transfers = new Map<string, TransferRow>();
  readonly prices: PriceInput[] = [];
  horizon = 0;

  get last(): number {
    return Math.max(0, ...[...this.swaps.values()].map(({ block_time }) => block_time));
  }

  add({ kind, row }: Row): void {
    if (row.block_time < this.horizon) return;
    if (kind === 'swap') {
      const id = `${row.tx_hash} ${row.swap_index}`;
      if (!this.swaps.has(id)) this.swaps.set(id, row);
    } else if (row.token_amount > 0) {
      const id = `${row.tx_hash} ${row.transfer_index}`;
      if (!this.transfers.has(id)) this.transfers.set(id, row);
    }
  }

  /** The slot where each stored transaction stands: that of its swaps. */
  #slots(): Map<string, number | null> {
    const found = new Map<string, number | null>();
    for (const row of this.transfers.values()) found.set(row.tx_hash, row.block_slot ?? null);
    for (const row of this.swaps.values()) found.set(row.tx_hash, row.block_slot ?? null);
    return found;
  }

  /** Whether each stored transaction has a slot, as a rollback needs. */
  get hasSlots(): boolean {
    return [...this.#slots().values()].every((slot) => slot !== null);
  }

  /** Whether enough stays since the horizon. */
  canRollback(from: number): boolean {
    const left = [...this.swaps.values()].filter(({ block_slot }) => block_slot! < from);
    const last = Math.max(0, ...left.map(({ block_time }) => block_time));
    return this.horizon === 0 || last >= this.horizon + 31 * DAY;
  }

  rollback(from: number): Row[] {
    const slots = this.#slots();
    const isGone = ({ tx_hash }: { tx_hash: string }): boolean => slots.get(tx_hash)! >= from;
    const gone: Row[] = [];
    for (const [id, row] of this.swaps) if (isGone(row) && this.swaps.delete(id)) gone.push({ kind: 'swap', row });
    for (const [id, row] of this.transfers)
      if (isGone(row) && this.transfers.delete(id)) gone.push({ kind: 'transfer', row });
    return gone;
  }

  apply(step: Step): void {
    if (step.do === 'rows') for (const row of step.rows) this.add(row);
    else if (step.do === 'prices') this.prices.push(...step.rows.filter(({ time }) => Number(time) >= this.horizon));
    else if (step.do === 'rollback') this.rollback(step.slot);
    else if (step.do === 'prune') this.prune(Math.floor(step.before / DAY) * DAY);
  }

  /** Transfers before the horizon stay with the wallets that have a swap, in the store of any time. */
  prune(horizon: number): void {
    const swaps = [...this.swaps.values()];
    const isMoved = this.horizon > 0 || swaps.some(({ block_time }) => block_time < horizon);
    this.horizon = horizon;
    if (!isMoved) return;
    const known = new Set(swaps.map(({ wallet }) => wallet));
    for (const [id, { from, to, ...row }] of this.transfers) {
      if (row.block_time >= horizon) continue;
      const sides = {
        ...(from != null && known.has(from) ? { from } : {}),
        ...(to != null && known.has(to) ? { to } : {}),
      };
      if (Object.keys(sides).length === 0) this.transfers.delete(id);
      else this.transfers.set(id, { ...row, ...sides });
    }
  }
}

function stored(history: History): Stored {
  const found = new Stored();
  for (const step of history.steps) found.apply(step);
  return found;
}

/** Another amount under the same identity, as after a reorganisation. */
function corrected(one: Row, random: Random): Row {
  if (random.chance(0.6)) return one;
  return one.kind === 'swap'
    ? { kind: 'swap', row: { ...one.row, token_amount_out: one.row.token_amount_out + 1 } }
    : { kind: 'transfer', row: { ...one.row, token_amount: one.row.token_amount / 2 } };
}

/** A history of its seed: late, repeated, rolled back, corrected and forgotten rows among prices, refreshes and rebuilds. */
export function historyOf(seed: number): History {
  const random = new Random(seed, 9);
  const life = new Life(seed);
  life.live(60 + random.below(60));
  const isShuffled = random.chance(0.6);
  const order = life.rows.map(
    (row, i) => [isShuffled && random.chance(0.25) ? i + random.below(life.rows.length) : i, row] as const,
  );
  const queue = order.sort((a, b) => a[0] - b[0]).map(([, row]) => row);
  const steps: Step[] = [];
  const model = new Stored();
  const take = (step: Step): void => {
    steps.push(step);
    model.apply(step);
  };
  let prices = life.prices();
  const givePrices = (count: number): void => {
    if (prices.length > 0) take({ do: 'prices', rows: prices.slice(0, count) });
    prices = prices.slice(count);
  };
  if (random.chance(0.5)) givePrices(prices.length);
  const size = random.pick([1, 5, 20, 60]);
  while (queue.length > 0) {
    const rows = queue.splice(0, 1 + random.below(2 * size));
    for (const row of rows) if (random.chance(0.1)) queue.splice(random.below(queue.length + 1), 0, row);
    take({ do: 'rows', rows });
    if (random.chance(0.2)) givePrices(1 + random.below(6));
    if (random.chance(0.12)) take({ do: random.chance(0.85) ? 'refresh' : 'rebuild' });
    const { last } = model;
    if (random.chance(0.08) && model.hasSlots && model.swaps.size > 0) {
      const recent = [...model.swaps.values()].filter(
        ({ block_time }) => block_time > Math.max(last - DAY, model.horizon),
      );
      const slot = recent.length === 0 ? null : random.pick(recent).block_slot;
      if (slot != null && model.canRollback(slot)) {
        const gone = new Stored();
        for (const row of model.swaps.values()) gone.add({ kind: 'swap', row });
        for (const row of model.transfers.values()) gone.add({ kind: 'transfer', row });
        const back = gone.rollback(slot).filter(() => random.chance(0.75));
        take({ do: 'rollback', slot });
        queue.splice(0, 0, ...back.map((row) => corrected(row, random)));
      }
    }
    const newest = model.last - 31 * DAY;
    if (random.chance(0.2) && newest > Math.max(T0 + DAY, model.horizon))
      take({
        do: 'prune',
        before: Math.max(T0 + DAY, model.horizon) + random.below(newest - Math.max(T0 + DAY, model.horizon)),
      });
  }
  givePrices(prices.length);
  return { steps, instants: [random.unit(), random.unit()] };
}

/** The instants at which a history is asked, beside its end. */
function instantsOf(history: History): number[] {
  const { horizon, last } = stored(history);
  const first = horizon === 0 ? T0 : horizon + 30 * DAY;
  return last <= first ? [] : history.instants.map((share) => first + Math.floor(share * (last - first)));
}

/** The answers of the independent script at the end and at each instant, by history. */
export function expected(histories: readonly History[]): Promise<readonly (readonly OracleAnswer[])[]> {
  return withFolder(async (folder) => {
    const requests = histories.map((history, i): OracleRequest[] => {
      const { swaps, transfers, prices, horizon } = stored(history);
      const write = (name: string, rows: Iterable<object>): string => {
        const path = join(folder, `${i}-${name}.ndjson`);
        writeFileSync(path, [...rows].map((row) => JSON.stringify(row)).join('\n'));
        return path;
      };
      const files = {
        config: transferConfig,
        swaps: [write('swaps', swaps.values())],
        transfers: write('transfers', transfers.values()),
        prices: write('prices', prices),
        include: ['luck', 'positions'],
        horizon,
      } as const;
      return [files, ...instantsOf(history).map((as_of) => ({ ...files, as_of }))];
    });
    const answers = [...askOracles(requests.flat())];
    return requests.map((of) => answers.splice(0, of.length));
  });
}

async function feed(dex: Swapfold, step: Step): Promise<void> {
  if (step.do === 'rows') {
    const swaps = step.rows.flatMap((one) => (one.kind === 'swap' ? [one.row] : []));
    const transfers = step.rows.flatMap((one) => (one.kind === 'transfer' ? [one.row] : []));
    const isFirst = step.rows[0]?.kind === 'transfer';
    if (isFirst && transfers.length > 0) await dex.transfers.ingest(transfers);
    if (swaps.length > 0) await dex.ingest(swaps);
    if (!isFirst && transfers.length > 0) await dex.transfers.ingest(transfers);
  } else if (step.do === 'prices') await dex.prices.upsert(step.rows);
  else if (step.do === 'rollback') await dex.rollback({ from_block_slot: step.slot });
  else if (step.do === 'prune') await dex.prune({ before: step.before });
  else await dex[step.do]();
}

/** The differences between a store that lived through a history and the independent script. */
async function differencesOf(
  storage: StorageAdapter,
  history: History,
  answers: readonly OracleAnswer[],
): Promise<{ cells: number; differences: readonly string[] }> {
  const dex = await Swapfold.open({ storage, config: transferConfig });
  const to = new Comparison();
  try {
    for (const step of history.steps) await feed(dex, step);
    await dex.refresh();
    const { horizon } = stored(history);
    await compareNow(dex, answers[0]!, horizon, to);
    for (const [i, instant] of instantsOf(history).entries()) await compareAt(dex, instant, answers[i + 1]!, to);
    const { differences } = await dex.verify();
    to.exact('verify', JSON.stringify(differences), '[]');
  } finally {
    await dex.close();
  }
  return to;
}

async function compareNow(dex: Swapfold, oracle: OracleAnswer, horizon: number, to: Comparison): Promise<void> {
  await compareTrades(dex, oracle, horizon, to);
  await comparePortfolios(dex, oracle, to);
  await compareProfiles(dex, oracle, to);
  await comparePositions(dex, oracle, to);
}

/** What is served as of an instant. */
async function compareAt(dex: Swapfold, instant: number, oracle: OracleAnswer, to: Comparison): Promise<void> {
  const at: Api = dex.at(instant);
  await comparePortfolios(at, oracle, to);
  for (const [wallet, entity] of Object.entries(oracle.wallets))
    compareWallet(
      to,
      `at ${instant} ${wallet}`,
      (await at.wallets.get({ wallet, options: everySection })) as Sections,
      entity,
      ['30d', '1d'],
    );
  for (const [token, entity] of Object.entries(oracle.tokens))
    compareEntity(to, `at ${instant} ${token}`, (await at.tokens.get({ token })) as Sections, entity, ['7d', '1h']);
  for (const position of Object.values(oracle.positions ?? {})) {
    const of = { wallet: position.wallet_address, token: position.token_address, options: everything };
    comparePosition(to, (await at.positions.get(of)) as unknown as ServedPosition, position);
  }
}

/** What is wrong with a history on an engine: the first differences, or what was thrown; null if nothing is. */
async function faultOf(engine: string, history: History, answers?: readonly OracleAnswer[]): Promise<string | null> {
  const wanted = answers ?? (await expected([history]))[0]!;
  return withFolder(async (folder) => {
    try {
      const { differences } = await differencesOf(engines[engine]!(folder), history, wanted);
      return differences.length === 0 ? null : differences.slice(0, 8).join('\n');
    } catch (error) {
      return `thrown: ${(error as Error).stack ?? error}`;
    }
  });
}

/**
 * The first seed whose history has a fault on an engine, as text with the smallest history that has one; null if none has. With
 * `SWAPFOLD_SHRINK=0` the history stays as it is.
 */
export async function findFault(engine: string, seeds: readonly number[]): Promise<string | null> {
  const answers = await expected(seeds.map(historyOf));
  for (const [i, seed] of seeds.entries()) {
    const history = historyOf(seed);
    const fault = await faultOf(engine, history, answers[i]!);
    if (fault === null) continue;
    if (process.env.SWAPFOLD_SHRINK === '0') return `seed ${seed}:\n${fault}`;
    const small = await shrunk(engine, history, kindOf(fault));
    return `seed ${seed}:\n${fault}\nSmallest history:\n${told(small)}\n${await faultOf(engine, small)}`;
  }
  return null;
}

/** How often each kind of step is in some histories. */
export function stepsOf(histories: readonly History[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { steps } of histories) for (const step of steps) sums[step.do] = (sums[step.do] ?? 0) + 1;
  return sums;
}

/** How often each branch decided, in the answers at the end of histories. */
export function decidedBy(answers: readonly (readonly OracleAnswer[])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [end] of answers)
    for (const [name, count] of Object.entries(end!.decided)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** Every rule of the ledger, and every branch of it, by the names of the independent script. */
export const branches = `
gap_up gap_down gap_too_small gap_returned gap_arrived gap_left gap_left_of_arrived
pre_after_what_came post_before_what_left pre_missing
sell_here sell_arrived sell_away sell_unknown tax_here
tax_of_buy tax_of_sell no_tax_of_buy no_tax_of_sell no_tax_of_native no_tax_beside_pool_amounts
spent_here spent_arrived spent_away spent_unknown quote_received leg_returned leg_arrived
in_cost in_cost_of_0 in_returned in_arrived out_left out_left_of_arrived out_of_nothing
post_returned post_arrived post_left post_left_of_arrived
order_known order_pre_is_balance order_closes_gap order_pre_is_no_post order_in order_trade order_out order_by_hash
beside_swaps alone elsewhere_than_its_swaps
contradicted_buy contradicted_sell
opened_by_buy opened_by_cost opened_by_return opened_by_unseen_return
closed_by_sell closed_by_spending closed_by_leaving rest_away rest_dropped merged_away
rows_less_came rows_more_came rows_more_left rows_cost_left_out rows_of_native_left_out
`
  .trim()
  .split(/\s+/);

function weight(history: History): number {
  return (
    history.steps.reduce((sum, step) => sum + ('rows' in step ? step.rows.length : 1), 0) + history.instants.length
  );
}

/** All rows and steps of a history in their order, to be left out one by one. */
function pieces(history: History): { count: number; without: (isOut: (place: number) => boolean) => History } {
  return {
    count: weight(history),
    without: (isOut) => {
      let place = 0;
      const steps = history.steps.flatMap((step): Step[] => {
        if (!('rows' in step)) return isOut(place++) ? [] : [step];
        const rows = (step.rows as readonly object[]).filter(() => !isOut(place++));
        return rows.length === 0 ? [] : [{ ...step, rows } as Step];
      });
      return { steps, instants: history.instants.filter(() => !isOut(place++)) };
    },
  };
}

/** What a fault is about: the field that its first difference names. */
function kindOf(fault: string | null): string | null {
  return fault === null ? null : fault.split(':')[0]!.split(/[ .]/).at(-1)!;
}

/** A history without the rows that are not of a wallet. */
function ofWallet(history: History, wallet: string): History {
  const isOf = ({ kind, row }: Row): boolean =>
    kind === 'swap' ? row.wallet === wallet : row.from === wallet || row.to === wallet;
  return {
    ...history,
    steps: history.steps.flatMap((step): Step[] => {
      const rows = step.do === 'rows' ? step.rows.filter(isOf) : [];
      return step.do !== 'rows' ? [step] : rows.length === 0 ? [] : [{ ...step, rows }];
    }),
  };
}

/** Leaves out what a fault does not need, as long as one of its kind stays; at most so many tries. */
async function shrunk(engine: string, history: History, kind: string | null, tries = 400): Promise<History> {
  let smallest = history;
  let left = tries;
  /** The first of some histories that has such a fault, by its place. */
  const firstWrong = async (some: readonly History[]): Promise<number> => {
    const answers = await expected(some);
    for (const [i, one] of some.entries()) {
      left--;
      if (kindOf(await faultOf(engine, one, answers[i]!)) === kind) return i;
    }
    return -1;
  };
  const parts = [
    { ...history, instants: [] },
    ...wallets.map((wallet) => ofWallet({ ...history, instants: [] }, wallet)),
  ].reverse();
  const first = await firstWrong(parts);
  if (first >= 0) smallest = parts[first]!;
  for (let size = Math.ceil(weight(smallest) / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < weight(smallest) && left > 0; ) {
      const smaller = Array.from({ length: 10 }, (_, i) => from + i * size)
        .filter((start) => start < weight(smallest))
        .map((start) => pieces(smallest).without((place) => place >= start && place < start + size));
      const wrong = await firstWrong(smaller);
      if (wrong >= 0) smallest = smaller[wrong]!;
      from += size * (wrong >= 0 ? wrong : smaller.length);
    }
  }
  return smallest;
}

/** A history as text that a reader can follow. */
function told(history: History): string {
  const short = (row: object): string =>
    JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
  return [
    ...history.steps.map((step) =>
      step.do === 'rows'
        ? step.rows.map(({ kind, row }) => `${kind} ${short(row)}`).join('\n')
        : 'rows' in step
          ? step.rows.map((row) => `price ${short(row)}`).join('\n')
          : JSON.stringify(step),
    ),
    `asked as of ${instantsOf(history)}`,
  ].join('\n');
}
