import { newBalance, stepBalance } from '../../ledger/balance.ts';
import { type NettedTrades, netTrades } from '../../ledger/net.ts';
import { newLotRows, Position } from '../../ledger/position.ts';
import type { Roles } from '../../ledger/roles.ts';
import type { TradePools, Trades } from '../../ledger/trade.ts';
import type { NativePrints } from '../../ledger/value.ts';
import { pairOf } from '../../records/chain-order.ts';
import { type Batch, type ColumnData, concatBatches, newColumn, type Table } from '../../records/columns.ts';
import { balancesTable, lotsTable, swapsTable } from '../../records/tables.ts';
import { type FoldedSwaps, foldedColumns } from '../../storage/bulk.ts';
import { yielder } from '../../yielder.ts';

export interface WalletFoldOptions {
  readonly roles: Roles;
  readonly dustUsd: number;
  readonly textOf: (id: number) => string;
  /** All of the store. */
  readonly nativePrints: NativePrints;
  /** Ids of texts are less than this. */
  readonly texts: number;
}

/** What follows from some swaps: their trades, and what is left of the wallets that end with them. */
export interface FoldedWallets {
  readonly trades: Trades;
  readonly tradePools: TradePools;
  readonly lots: Batch<typeof lotsTable>;
  readonly balances: Batch<typeof balancesTable>;
}

/**
 * Folds swaps that come wallet by wallet, each in chain order: a wallet's positions and balances begin and end within its run, so that
 * nothing is looked up and memory has those of one wallet.
 */
export class WalletFold {
  readonly #options: WalletFoldOptions;
  readonly #positions: WalletPositions;
  readonly #balances: WalletBalances;
  /** The last swaps so far, which the next may belong to: of one wallet and transaction. */
  #open: FoldedSwaps | undefined;

  constructor(options: WalletFoldOptions) {
    this.#options = options;
    this.#positions = new WalletPositions(options.texts, options.dustUsd);
    this.#balances = new WalletBalances(options.texts);
  }

  async add(swaps: FoldedSwaps): Promise<FoldedWallets> {
    const all = this.#open === undefined ? swaps : concatBatches(swapsTable, foldedColumns, [this.#open, swaps]);
    const { tx, wallet } = all.columns;
    let cut = all.length;
    while (cut > 0 && tx[cut - 1] === tx[all.length - 1] && wallet[cut - 1] === wallet[all.length - 1]) cut--;
    this.#open = rowsBetween(all, cut, all.length);
    const netted = await this.#fold(rowsBetween(all, 0, cut));
    return { ...netted, ...this.#ended() };
  }

  /** After the last swaps. */
  async end(): Promise<FoldedWallets> {
    const last = this.#open ?? rowsBetween(emptySwaps(), 0, 0);
    this.#open = undefined;
    const netted = await this.#fold(last);
    this.#positions.endWallet();
    this.#balances.endWallet();
    return { ...netted, ...this.#ended() };
  }

  async #fold(swaps: FoldedSwaps): Promise<NettedTrades> {
    const pause = yielder();
    const { trades, tradePools } = netTrades(swaps, { ...this.#options, nativePrice: Number.NaN });
    await pause.yieldIfDue();
    this.#positions.apply(trades);
    await pause.yieldIfDue();
    this.#balances.step(swaps);
    await pause.yieldIfDue();
    return { trades, tradePools };
  }

  #ended(): Pick<FoldedWallets, 'lots' | 'balances'> {
    return { lots: this.#positions.take(), balances: this.#balances.take() };
  }
}

/** Places 0, 1, 2 ... of the tokens of one wallet. */
class TokenPlaces {
  /** By place. */
  readonly tokens: number[] = [];
  /** By token: its place + 1, 0 if it has none. */
  readonly #places: Int32Array;

  constructor(texts: number) {
    this.#places = new Int32Array(texts);
  }

  of(token: number): number {
    const known = this.#places[token]!;
    if (known > 0) return known - 1;
    const place = this.tokens.push(token) - 1;
    this.#places[token] = place + 1;
    return place;
  }

  /** The tokens ascending, each with its place; then none has one. */
  *end(): Generator<readonly [token: number, place: number]> {
    const sorted = Int32Array.from(this.tokens).sort();
    for (const token of sorted) {
      yield [token, this.#places[token]! - 1];
      this.#places[token] = 0;
    }
    this.tokens.length = 0;
  }
}

/** The positions of one wallet after the other. */
class WalletPositions {
  #wallet = -1;
  readonly #places: TokenPlaces;
  readonly #positions: Position[] = [];
  readonly #dustUsd: number;
  #lots = newLotRows();

  constructor(texts: number, dustUsd: number) {
    this.#places = new TokenPlaces(texts);
    this.#dustUsd = dustUsd;
  }

  /** Writes the facts of positions onto trades. */
  apply(trades: Trades): void {
    const { wallet, token } = trades.columns;
    for (let row = 0; row < trades.length; row++) {
      if (wallet[row] !== this.#wallet) {
        this.endWallet();
        this.#wallet = wallet[row]!;
      }
      const place = this.#places.of(token[row]!);
      this.#positions[place] ??= new Position();
      this.#positions[place].apply(trades, row, this.#dustUsd);
    }
  }

  endWallet(): void {
    for (const [token, place] of this.#places.end()) {
      const position = this.#positions[place]!;
      if (!position.isOpen) continue;
      position.save(pairOf(this.#wallet, token), this.#lots);
      position.clear();
    }
  }

  /** The open lots of the wallets that have ended since it was last asked, by pair and ordinal. */
  take(): Batch<typeof lotsTable> {
    const lots = batchOf(lotsTable, this.#lots, this.#lots.pair.length);
    this.#lots = newLotRows();
    return lots;
  }
}

/** The balances of one wallet after the other. */
class WalletBalances {
  #wallet = -1;
  readonly #places: TokenPlaces;
  readonly #balances: ReturnType<typeof newBalance>[] = [];
  #rows = newBalanceRows();

  constructor(texts: number) {
    this.#places = new TokenPlaces(texts);
  }

  step({ columns: c, length }: FoldedSwaps): void {
    for (let row = 0; row < length; row++) {
      if (c.wallet[row] !== this.#wallet) {
        this.endWallet();
        this.#wallet = c.wallet[row]!;
      }
      if (c.token_in[row] === c.token_out[row]) continue;
      stepBalance(this.#of(c.token_in[row]!), -c.token_amount_in[row]!, c.post_token_balance_in[row]!);
      stepBalance(this.#of(c.token_out[row]!), c.token_amount_out[row]!, c.post_token_balance_out[row]!);
    }
  }

  endWallet(): void {
    for (const [token, place] of this.#places.end()) {
      const { balance, received, isReported } = this.#balances[place]!;
      this.#rows.pair.push(pairOf(this.#wallet, token));
      this.#rows.wallet.push(this.#wallet);
      this.#rows.token.push(token);
      this.#rows.balance.push(balance);
      this.#rows.received.push(received);
      this.#rows.is_reported.push(isReported ? 1 : 0);
    }
  }

  /** The balances of the wallets that have ended since it was last asked, by pair. */
  take(): Batch<typeof balancesTable> {
    const balances = batchOf(balancesTable, this.#rows, this.#rows.pair.length);
    this.#rows = newBalanceRows();
    return balances;
  }

  #of(token: number): ReturnType<typeof newBalance> {
    const known = this.#places.tokens.length;
    const place = this.#places.of(token);
    this.#balances[place] ??= newBalance();
    const balance = this.#balances[place];
    if (place === known) {
      balance.balance = balance.received = 0;
      balance.isReported = false;
    }
    return balance;
  }
}

type Rows<T extends Table> = Record<keyof T['columns'], number[]>;

function newBalanceRows(): Rows<typeof balancesTable> {
  return { pair: [], wallet: [], token: [], balance: [], received: [], is_reported: [] };
}

function batchOf<T extends Table>(table: T, rows: Rows<T>, length: number): Batch<T> {
  const columns: Record<string, ColumnData> = {};
  for (const [name, type] of Object.entries(table.columns))
    columns[name] = type === 'id' ? Int32Array.from(rows[name]!) : Float64Array.from(rows[name]!);
  return { length, columns } as unknown as Batch<T>;
}

function emptySwaps(): FoldedSwaps {
  const columns = Object.fromEntries(foldedColumns.map((name) => [name, newColumn(swapsTable.columns[name], 0)]));
  return { length: 0, columns } as unknown as FoldedSwaps;
}

function rowsBetween(swaps: FoldedSwaps, from: number, to: number): FoldedSwaps {
  if (from === 0 && to === swaps.length) return swaps;
  const columns = Object.fromEntries(
    Object.entries(swaps.columns).map(([name, column]) => [name, column.subarray(from, to)]),
  );
  return { length: to - from, columns } as unknown as FoldedSwaps;
}
