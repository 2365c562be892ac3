import { LRUCache } from 'lru-cache';
import type { EntityPrints } from '../bag/entity.ts';
import type { Kept } from '../cache/kept.ts';
import type { Changes } from '../ingest/changes.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import type { TouchedBalances } from './touched-balances.ts';
import type { TradeLog } from './trade-log.ts';

/** The least trades, prints or holders of an entity that are cached: fewer are read as fast. */
const LEAST = { trades: 16, prints: 16, holders: 4 };

/** Wallets, and pairs, that are looked up one by one at most. */
const MANY = { wallets: 5000, pairs: 20_000 };

/** Prints and balances that may be cached for each trade that may be. */
const PRINTS_A_TRADE = 4;
const BALANCES_A_TRADE = 0.5;

/** Bytes of a trade, a print and a balance, about. */
const BYTES = { trade: 130, print: 16, balance: 45 };

export interface ChangedBalances {
  /** Wallets that may have another one in any token. */
  readonly wallets: Int32Array;
  /** Pairs of other wallets, and all of these that have. */
  readonly pairs: Float64Array;
  readonly balances: TouchedBalances;
}

/**
 * What the process caches of the entities that were traded, from refresh to refresh: trades, prints and balances that the next fold needs
 * again. It is as of the refresh before; the dirty table lists what changed since.
 */
export class RefreshCache implements Kept {
  /** The store names the refresh that this is as of. */
  readonly outlastsOthers = true;
  readonly #trades: LRUCache<string, TradeLog>;
  readonly #prints: LRUCache<number, EntityPrints>;
  readonly #balances: LRUCache<number, Map<number, number>>;
  /** The refresh that this is as of. */
  #refresh: string | undefined;

  constructor(bytes: number) {
    const trades = Math.floor(bytes / (BYTES.trade + PRINTS_A_TRADE * BYTES.print + BALANCES_A_TRADE * BYTES.balance));
    this.#trades = new LRUCache({ maxSize: Math.max(1, trades) });
    this.#prints = new LRUCache({ maxSize: Math.max(1, trades * PRINTS_A_TRADE) });
    this.#balances = new LRUCache({ maxSize: Math.max(1, Math.floor(trades * BALANCES_A_TRADE)) });
  }

  /** Which balances may have changed since; `undefined` if they are too many to look up one by one. */
  changedBalances: ChangedBalances | undefined;

  /**
   * A refresh begins: drops everything unless it is as of the refresh given, the last one that the store has seen. What the cache holds is
   * changed in place from here on, so that it counts again once this refresh is committed.
   */
  expect(refresh: string | undefined, changed: ChangedBalances): void {
    if (refresh === undefined || this.#refresh !== refresh) this.drop();
    this.#refresh = undefined;
    this.changedBalances =
      changed.wallets.length > MANY.wallets || changed.pairs.length > MANY.pairs ? undefined : changed;
  }

  commit({ refreshed }: Changes): void {
    if (refreshed !== undefined) this.#refresh = refreshed;
  }

  get bytes(): number {
    const [trades, prints, balances] = [this.#trades, this.#prints, this.#balances].map((held) => held.calculatedSize);
    return trades! * BYTES.trade + prints! * BYTES.print + balances! * BYTES.balance;
  }

  /** The trades of an entity that is cached, if they begin before `since` and hold enough of what is after `start`. */
  tradesOf(kind: EntityKind, id: number, since: number, start: number): TradeLog | undefined {
    const log = this.#trades.get(`${kind} ${id}`);
    return log === undefined || since <= log.startsAfter || log.isWorn(start) ? undefined : log;
  }

  putTrades(kind: EntityKind, id: number, log: TradeLog): void {
    const key = `${kind} ${id}`;
    const size = log.trades.length + (log.quotes?.trades.length ?? 0);
    if (size < LEAST.trades || size > this.#trades.maxSize) this.#trades.delete(key);
    else this.#trades.set(key, log.isShared ? log.copy() : log, { size });
  }

  printsOf(token: number): EntityPrints | undefined {
    return this.#prints.get(token);
  }

  putPrints(token: number, prints: EntityPrints): void {
    if (prints.length < LEAST.prints) this.#prints.delete(token);
    else this.#prints.set(token, prints, { size: prints.length });
  }

  /** Positive balances of the wallets that hold a token. */
  balancesOf(token: number): Map<number, number> | undefined {
    return this.#balances.get(token);
  }

  putBalances(token: number, balances: Map<number, number>): void {
    if (balances.size < LEAST.holders) this.#balances.delete(token);
    else this.#balances.set(token, balances, { size: balances.size });
  }

  drop(): void {
    this.#refresh = undefined;
    this.#trades.clear();
    this.#prints.clear();
    this.#balances.clear();
  }
}
