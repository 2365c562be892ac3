import { type Notices, scale } from '@swapfold/chain';
import type { BlockFacts, Blocks, Need, Wanted } from './blocks.ts';
import { Inconsistent } from './blocks.ts';
import { createdKinds, type EventKind, isManaged, type Log, swapKinds } from './event-kinds.ts';
import type { PoolSwap } from './movement.ts';
import { NATIVE_DECIMALS } from './native.ts';
import { type PoolPlace, placeOf } from './pool-place.ts';
import type { Pool, Pools } from './pools.ts';
import type { SwapRow } from './rows.ts';
import type { Token, Tokens } from './tokens.ts';
import { type KnownTokens, type Traded, tradersOf } from './traders.ts';
import { noneUndecoded, type Undecoded } from './undecoded.ts';
import { addressWord, isGiven, numberOf, wordCount } from './words.ts';

/**
 * Who counts as the wallet of a swap: the account whose tokens were exchanged, the sender of the transaction, or who received the tokens by the
 * event.
 */
export type WalletOf = 'trader' | 'sender' | 'recipient';

/** What is needed of a block beside its time. */
const needs: Readonly<Record<WalletOf, Need>> = { trader: 'events', sender: 'senders', recipient: 'times' };

interface Parts {
  readonly pools: Pools;
  readonly tokens: Tokens;
  readonly blocks: Blocks;
  readonly notices: Notices;
  readonly wallet: WalletOf;
  readonly known: KnownTokens;
}

interface Decoded {
  readonly log: Log;
  readonly kind: EventKind;
  /** Numbers of the block, and of the log in it. */
  readonly block: number;
  readonly at: number;
  readonly pool: Pool;
  readonly tokenIn: Token;
  readonly tokenOut: Token;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/** The swaps of some blocks, in chain order, and the events that became none. */
export interface ReadSwaps {
  readonly rows: readonly SwapRow[];
  readonly undecoded: Undecoded;
}

/** Makes swaps of logs. */
export class SwapReader {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The swaps of logs.
   *
   * - `block`: as of which contracts are asked; `undefined` for the newest one.
   * - Errors: `Inconsistent` if the node does not have the blocks of the logs any more.
   */
  async read(logs: readonly Log[], block: number | undefined): Promise<ReadSwaps> {
    const { tokens, blocks, wallet } = this.#parts;
    const undecoded = noneUndecoded();
    const swaps = await this.#ofFollowedPools(logs, block, undecoded);
    await tokens.learn(
      swaps.flatMap(({ pool }) => [pool.token0, pool.token1]),
      block,
    );
    const decoded = swaps.flatMap(({ log, pool, kind }) => this.#decode(log, pool, kind, undecoded) ?? []);
    decoded.sort((a, b) => a.block - b.block || a.at - b.at);
    const facts = await blocks.facts(wantedBlocks(decoded, logs), needs[wallet]);
    const traded = this.#traded(decoded, facts);
    undecoded.assumed_wallets = traded.filter(({ isAssumed }) => isAssumed).length;
    const rows = decoded.map((swap, i): SwapRow => {
      const { log, tokenIn, tokenOut } = swap;
      const { wallet: by, amountIn, amountOut, fee } = traded[i]!;
      const isBeside = amountIn !== swap.amountIn || amountOut !== swap.amountOut;
      return {
        protocol: swap.pool.protocol,
        wallet: by,
        token_in: tokenIn.address,
        token_out: tokenOut.address,
        token_symbol_in: tokenIn.symbol,
        token_symbol_out: tokenOut.symbol,
        token_amount_in: scale(amountIn, tokenIn.decimals!),
        token_amount_out: scale(amountOut, tokenOut.decimals!),
        block_slot: swap.block,
        block_time: isGiven(log.blockTimestamp) ? numberOf(log.blockTimestamp) : facts.times.get(log.blockHash)!,
        tx_hash: log.transactionHash,
        tx_index: numberOf(log.transactionIndex),
        swap_index: swap.at,
        pool: swap.pool.address,
        pool_amount_in: isBeside ? scale(swap.amountIn, tokenIn.decimals!) : null,
        pool_amount_out: isBeside ? scale(swap.amountOut, tokenOut.decimals!) : null,
        fee_native: fee === undefined ? null : scale(fee, NATIVE_DECIMALS),
      };
    });
    return { rows, undecoded };
  }

  /** Who made the swaps, in their order. Errors: `Inconsistent` if the node does not have a transaction. */
  #traded(decoded: readonly Decoded[], { transactions }: BlockFacts): readonly Traded[] {
    const { wallet, known } = this.#parts;
    if (wallet === 'recipient')
      return decoded.map(({ log, amountIn, amountOut }) => ({
        wallet: addressWord(log.topics[2]!),
        isAssumed: false,
        amountIn,
        amountOut,
        fee: undefined,
      }));
    const traded: Traded[] = [];
    for (const swaps of byTransaction(decoded)) {
      const { transactionHash, blockNumber } = swaps[0]!.log;
      const of = transactions.get(transactionHash);
      if (of === undefined)
        throw new Inconsistent(`Block ${numberOf(blockNumber)} does not hold the transaction of its log.`);
      if (wallet === 'sender')
        for (const { amountIn, amountOut } of swaps)
          traded.push({ wallet: of.sender, isAssumed: false, amountIn, amountOut, fee: of.fee });
      else traded.push(...tradersOf(of, swaps.map(poolSwapOf), known));
    }
    return traded;
  }

  async #ofFollowedPools(
    logs: readonly Log[],
    block: number | undefined,
    undecoded: Undecoded,
  ): Promise<{ readonly log: Log; readonly pool: Pool; readonly kind: EventKind }[]> {
    const { pools, notices } = this.#parts;
    const swaps: { log: Log; kind: EventKind; place: PoolPlace }[] = [];
    for (const log of logs) {
      const kinds = swapKinds(log);
      const [kind] = kinds ?? [];
      if (kinds === undefined || kind === undefined) {
        if (createdKinds(log) !== undefined) pools.addCreated(log);
      } else if (log.topics.length === 3 && wordCount(log.data) === kind.swapWords)
        swaps.push({ log, kind, place: placeOf(log, kinds) });
      else undecoded.malformed++;
    }
    await pools.learn(
      swaps.map(({ place }) => place),
      block,
    );
    return swaps.flatMap(({ log, kind, place }) => {
      const pool = pools.get(place.key);
      if (pool) return [{ log, pool, kind }];
      if (place.id === undefined || !pools.isFollowed(place.contract)) undecoded.other_pools++;
      else if (pool === undefined) undecoded.searched_pools++;
      else {
        undecoded.no_initialize++;
        notices.say(
          `initialize ${place.key}`,
          `The node gives no Initialize event of pool ${place.id} of ${place.contract}: its swaps are left out and counted.`,
        );
      }
      return [];
    });
  }

  #decode(log: Log, pool: Pool, kind: EventKind, undecoded: Undecoded): Decoded | undefined {
    const [amount0, amount1] = kind.amounts(log.data);
    const isFirstIn = amount0 > 0n && amount1 < 0n;
    // Of the native token and its wrapped form, which are one here, a pool only wraps.
    if ((!isFirstIn && !(amount1 > 0n && amount0 < 0n)) || pool.token0 === pool.token1) {
      undecoded.no_exchange++;
      return undefined;
    }
    const [token0, token1] = [this.#tokenOf(pool.token0), this.#tokenOf(pool.token1)];
    if (token0 === undefined || token1 === undefined) {
      undecoded.no_decimals++;
      return undefined;
    }
    const [block, at] = [numberOf(log.blockNumber), numberOf(log.logIndex)];
    return isFirstIn
      ? { log, kind, block, at, pool, tokenIn: token0, tokenOut: token1, amountIn: amount0, amountOut: -amount1 }
      : { log, kind, block, at, pool, tokenIn: token1, tokenOut: token0, amountIn: amount1, amountOut: -amount0 };
  }

  #tokenOf(address: string): Token | undefined {
    const token = this.#parts.tokens.get(address);
    if (token?.decimals !== undefined) return token;
    this.#parts.notices.say(
      `decimals ${address}`,
      `Token ${address} does not tell its decimals: its swaps are left out and counted.`,
    );
    return undefined;
  }
}

function poolSwapOf({ log, kind, at, pool, tokenIn, tokenOut, amountIn, amountOut }: Decoded): PoolSwap {
  const isFirstIn = tokenIn.address === pool.token0;
  return {
    at,
    contract: log.address.toLowerCase(),
    caller: isManaged(kind) ? addressWord(log.topics[2]!) : undefined,
    ...{ tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountIn, amountOut },
    isNativeIn: pool.isNative && isFirstIn,
    isNativeOut: pool.isNative && !isFirstIn,
  };
}

/** Swaps in chain order, those of one transaction together. */
function byTransaction(swaps: readonly Decoded[]): readonly (readonly Decoded[])[] {
  const groups: Decoded[][] = [];
  let last: string | undefined;
  for (const swap of swaps) {
    if (swap.log.transactionHash === last) groups.at(-1)!.push(swap);
    else groups.push([swap]);
    last = swap.log.transactionHash;
  }
  return groups;
}

/** The blocks of swaps, each once. */
function wantedBlocks(swaps: readonly Decoded[], logs: readonly Log[]): Wanted[] {
  const counts = new Map<string, number>();
  for (const log of logs)
    if (swapKinds(log) !== undefined) counts.set(log.blockHash, (counts.get(log.blockHash) ?? 0) + 1);
  const wanted = new Map<string, Wanted & { readonly transactions: Map<number, string> }>();
  let last: string | undefined;
  for (const { log, block: number } of swaps) {
    if (log.transactionHash === last) continue;
    last = log.transactionHash;
    let block = wanted.get(log.blockHash);
    if (block === undefined) {
      const hasTime = isGiven(log.blockTimestamp);
      block = { number, hash: log.blockHash, hasTime, transactions: new Map(), swaps: counts.get(log.blockHash)! };
      wanted.set(log.blockHash, block);
    }
    block.transactions.set(numberOf(log.transactionIndex), log.transactionHash);
  }
  return [...wanted.values()];
}
