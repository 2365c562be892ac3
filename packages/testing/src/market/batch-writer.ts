import type { SwapColumns } from '@swapfold/core';
import { isTextField, type SwapNumberField } from '@swapfold/core/engine';
import { type DictionaryColumn, swapFieldNames } from '@swapfold/core/host';
import { protocols } from './names.ts';
import type { Settled } from './options.ts';
import { addressText, Random } from './random.ts';
import type { MarketAsset } from './tokens.ts';

/** One swap by places in the market's lists. Prices and USD amounts are `NaN` where the feed does not know them. */
export interface SwapFacts {
  wallet: number;
  tokenIn: number;
  tokenOut: number;
  amountIn: number;
  amountOut: number;
  preIn: number;
  postIn: number;
  preOut: number;
  postOut: number;
  priceIn: number;
  priceOut: number;
  protocol: number;
}

/** The addresses of pools are drawn from streams of their own from this number on, so that they move no other draw. */
const POOLS = 1_000_000;

const NUMBERS = swapFieldNames.filter((name) => !isTextField(name)) as SwapNumberField[];

/** Gathers swaps into column batches. A batch holds whole transactions, and its dictionaries the texts it uses. */
export class BatchWriter {
  private numbers: Record<SwapNumberField, Float64Array>;
  private hashes: string[] = [];
  private wallets: BatchDictionary;
  private tokens: BatchDictionary;
  private symbols: BatchDictionary;
  private walletIds: Int32Array;
  private tokenIds: readonly [Int32Array, Int32Array];
  private protocolIds: Int32Array;
  private poolIds: Int32Array;
  private readonly pools = new Map<string, number>();
  private readonly poolTexts: string[] = [];
  private readonly symbolOf: Int32Array;
  length = 0;

  constructor(
    private readonly options: Settled,
    walletTexts: readonly string[],
    assets: readonly MarketAsset[],
  ) {
    const symbols = [...new Set(assets.flatMap((asset) => asset.symbol ?? []))];
    this.symbolOf = Int32Array.from(assets, (asset) => (asset.symbol === null ? -1 : symbols.indexOf(asset.symbol)));
    this.wallets = new BatchDictionary(walletTexts);
    this.tokens = new BatchDictionary(assets.map((asset) => asset.address));
    this.symbols = new BatchDictionary(symbols);
    this.numbers = newNumbers(options.batchRows);
    this.walletIds = new Int32Array(options.batchRows);
    this.tokenIds = [new Int32Array(options.batchRows), new Int32Array(options.batchRows)];
    this.protocolIds = new Int32Array(options.batchRows);
    this.poolIds = new Int32Array(options.batchRows);
  }

  add(swap: SwapFacts, tx: { hash: string; index: number; slot: number; time: number; swapIndex: number }): void {
    const row = this.length++;
    const n = this.numbers;
    this.hashes.push(tx.hash);
    n.swap_index[row] = tx.swapIndex;
    n.block_time[row] = tx.time;
    n.block_slot[row] = tx.slot;
    n.tx_index[row] = tx.index;
    n.token_amount_in[row] = swap.amountIn;
    n.token_amount_out[row] = swap.amountOut;
    n.token_price_in[row] = swap.priceIn;
    n.token_price_out[row] = swap.priceOut;
    n.usd_amount_in[row] = swap.priceIn * swap.amountIn;
    n.usd_amount_out[row] = swap.priceOut * swap.amountOut;
    n.pre_token_balance_in[row] = swap.preIn;
    n.pre_token_balance_out[row] = swap.preOut;
    n.post_token_balance_in[row] = swap.postIn;
    n.post_token_balance_out[row] = swap.postOut;
    this.walletIds[row] = this.wallets.idOf(swap.wallet);
    this.tokenIds[0][row] = this.tokens.idOf(swap.tokenIn);
    this.tokenIds[1][row] = this.tokens.idOf(swap.tokenOut);
    this.protocolIds[row] = swap.protocol;
    this.poolIds[row] = this.poolOf(swap);
  }

  /** Number of the pool of two tokens on a protocol. */
  private poolOf({ tokenIn, tokenOut, protocol }: SwapFacts): number {
    const key = `${protocol} ${Math.min(tokenIn, tokenOut)} ${Math.max(tokenIn, tokenOut)}`;
    let pool = this.pools.get(key);
    if (pool === undefined) {
      pool = this.poolTexts.push(addressText(new Random(this.options.seed, POOLS + this.pools.size))) - 1;
      this.pools.set(key, pool);
    }
    return pool;
  }

  /** Says that the rest of `tokenIn` has left the wallet with the swap added last. */
  emptyLast(): void {
    this.numbers.post_token_balance_in[this.length - 1] = 0;
  }

  take(): SwapColumns {
    const { length } = this;
    const n = this.numbers;
    const cut = (column: Float64Array): Float64Array => column.subarray(0, length);
    const tokens = this.tokens.take();
    const [tokenIn, tokenOut] = this.tokenIds.map((ids) => ids.subarray(0, length)) as [Int32Array, Int32Array];
    const symbolColumn = (ids: Int32Array): Int32Array =>
      ids.map((id) => this.symbols.idOf(this.symbolOf[tokens.sources[id]!]!));
    const symbolIn = symbolColumn(tokenIn);
    const symbolOut = symbolColumn(tokenOut);
    const symbols = this.symbols.take().dictionary;
    const batch: SwapColumns = {
      length,
      columns: {
        tx_hash: this.hashes,
        swap_index: cut(n.swap_index),
        block_time: cut(n.block_time),
        block_slot: cut(n.block_slot),
        ...(this.options.withTxIndex && { tx_index: cut(n.tx_index) }),
        protocol: column(protocols, this.protocolIds.subarray(0, length)),
        pool: column(this.poolTexts.slice(), this.poolIds.subarray(0, length)),
        wallet: column(this.wallets.take().dictionary, this.walletIds.subarray(0, length)),
        token_in: column(tokens.dictionary, tokenIn),
        token_out: column(tokens.dictionary, tokenOut),
        token_symbol_in: column(symbols, symbolIn),
        token_symbol_out: column(symbols, symbolOut),
        token_amount_in: cut(n.token_amount_in),
        token_amount_out: cut(n.token_amount_out),
        ...(this.options.withUsd && {
          token_price_in: cut(n.token_price_in),
          token_price_out: cut(n.token_price_out),
          usd_amount_in: cut(n.usd_amount_in),
          usd_amount_out: cut(n.usd_amount_out),
        }),
        ...(this.options.withBalances && {
          pre_token_balance_in: cut(n.pre_token_balance_in),
          pre_token_balance_out: cut(n.pre_token_balance_out),
          post_token_balance_in: cut(n.post_token_balance_in),
          post_token_balance_out: cut(n.post_token_balance_out),
        }),
      },
    };
    this.numbers = newNumbers(this.options.batchRows);
    this.walletIds = new Int32Array(this.options.batchRows);
    this.tokenIds = [new Int32Array(this.options.batchRows), new Int32Array(this.options.batchRows)];
    this.protocolIds = new Int32Array(this.options.batchRows);
    this.poolIds = new Int32Array(this.options.batchRows);
    this.hashes = [];
    this.length = 0;
    return batch;
  }
}

/** Numbers the texts a batch uses, in order of first use. */
class BatchDictionary {
  private readonly ids: Int32Array;
  private sources: number[] = [];

  constructor(private readonly texts: readonly string[]) {
    this.ids = new Int32Array(texts.length).fill(-1);
  }

  idOf(source: number): number {
    if (source < 0) return -1;
    let id = this.ids[source]!;
    if (id < 0) {
      id = this.sources.length;
      this.ids[source] = id;
      this.sources.push(source);
    }
    return id;
  }

  take(): { dictionary: string[]; sources: readonly number[] } {
    const { sources } = this;
    for (const source of sources) this.ids[source] = -1;
    this.sources = [];
    return { dictionary: sources.map((source) => this.texts[source]!), sources };
  }
}

function column(dictionary: readonly string[], ids: Int32Array): DictionaryColumn {
  return { dictionary, ids };
}

function newNumbers(rows: number): Record<SwapNumberField, Float64Array> {
  return Object.fromEntries(NUMBERS.map((name) => [name, new Float64Array(rows)])) as Record<
    SwapNumberField,
    Float64Array
  >;
}
