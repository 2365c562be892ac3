import { type Notices, scale } from '@swapfold/chain';
import type { Blocks, Wanted } from './blocks.ts';
import { Inconsistent } from './blocks.ts';
import { createdKind, type EventKind, type Log, swapKind } from './event-kinds.ts';
import type { Pool, Pools } from './pools.ts';
import type { SwapRow } from './rows.ts';
import type { Token, Tokens } from './tokens.ts';
import { addressWord, numberOf, wordCount } from './words.ts';

/**
 * Swap events that became no swap, by reason.
 *
 * - `other_pools`: of pools that no followed factory made.
 * - `malformed`: the topic of a swap, with other fields.
 * - `no_exchange`: the pool did not receive one token and give the other, as in a flash loan.
 * - `no_decimals`: a token does not tell its decimals.
 */
export interface Undecoded {
  other_pools: number;
  malformed: number;
  no_exchange: number;
  no_decimals: number;
}

/** Who counts as the wallet of a swap: the sender of its transaction, or who received the tokens. */
export type WalletOf = 'sender' | 'recipient';

interface Parts {
  readonly pools: Pools;
  readonly tokens: Tokens;
  readonly blocks: Blocks;
  readonly notices: Notices;
  readonly wallet: WalletOf;
}

interface Decoded {
  readonly log: Log;
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

export const noneUndecoded = (): Undecoded => ({ other_pools: 0, malformed: 0, no_exchange: 0, no_decimals: 0 });

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
    const facts = await blocks.facts(wantedBlocks(decoded), wallet === 'sender');
    const rows = decoded.map((swap): SwapRow => {
      const { log, tokenIn, tokenOut } = swap;
      const time = isGiven(log.blockTimestamp) ? numberOf(log.blockTimestamp) : facts.times.get(log.blockHash);
      const by = wallet === 'sender' ? facts.senders.get(log.transactionHash) : addressWord(log.topics[2]!);
      if (time === undefined || by === undefined)
        throw new Inconsistent(`Block ${numberOf(log.blockNumber)} does not hold the transaction of its log.`);
      return {
        protocol: swap.pool.protocol,
        wallet: by,
        token_in: tokenIn.address,
        token_out: tokenOut.address,
        token_symbol_in: tokenIn.symbol,
        token_symbol_out: tokenOut.symbol,
        token_amount_in: scale(swap.amountIn, tokenIn.decimals!),
        token_amount_out: scale(swap.amountOut, tokenOut.decimals!),
        block_slot: numberOf(log.blockNumber),
        block_time: time,
        tx_hash: log.transactionHash,
        tx_index: numberOf(log.transactionIndex),
        swap_index: numberOf(log.logIndex),
        pool: swap.pool.address,
      };
    });
    rows.sort((a, b) => a.block_slot - b.block_slot || a.swap_index - b.swap_index);
    return { rows, undecoded };
  }

  async #ofFollowedPools(
    logs: readonly Log[],
    block: number | undefined,
    undecoded: Undecoded,
  ): Promise<{ readonly log: Log; readonly pool: Pool; readonly kind: EventKind }[]> {
    const { pools } = this.#parts;
    const swaps: { log: Log; kind: EventKind; address: string }[] = [];
    for (const log of logs) {
      const kind = swapKind(log);
      if (kind === undefined) {
        if (createdKind(log) !== undefined) pools.addCreated(log);
      } else if (log.topics.length === 3 && wordCount(log.data) === kind.swapWords)
        swaps.push({ log, kind, address: log.address.toLowerCase() });
      else undecoded.malformed++;
    }
    await pools.learn(new Map(swaps.map(({ address, kind }) => [address, kind])), block);
    return swaps.flatMap(({ log, kind, address }) => {
      const pool = pools.get(address);
      if (pool) return [{ log, pool, kind }];
      undecoded.other_pools++;
      return [];
    });
  }

  #decode(log: Log, pool: Pool, kind: EventKind, undecoded: Undecoded): Decoded | undefined {
    const [amount0, amount1] = kind.amounts(log.data);
    const isFirstIn = amount0 > 0n && amount1 < 0n;
    if (!isFirstIn && !(amount1 > 0n && amount0 < 0n)) {
      undecoded.no_exchange++;
      return undefined;
    }
    const [token0, token1] = [this.#tokenOf(pool.token0), this.#tokenOf(pool.token1)];
    if (token0 === undefined || token1 === undefined) {
      undecoded.no_decimals++;
      return undefined;
    }
    return isFirstIn
      ? { log, pool, tokenIn: token0, tokenOut: token1, amountIn: amount0, amountOut: -amount1 }
      : { log, pool, tokenIn: token1, tokenOut: token0, amountIn: amount1, amountOut: -amount0 };
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

const isGiven = (timestamp: string | null | undefined): timestamp is string =>
  timestamp !== undefined && timestamp !== null;

/** The blocks of swaps, each once. */
function wantedBlocks(swaps: readonly Decoded[]): Wanted[] {
  const wanted = new Map<string, Wanted & { readonly transactions: Map<number, string> }>();
  for (const { log } of swaps) {
    let block = wanted.get(log.blockHash);
    if (block === undefined) {
      const hasTime = isGiven(log.blockTimestamp);
      block = { number: numberOf(log.blockNumber), hash: log.blockHash, hasTime, transactions: new Map() };
      wanted.set(log.blockHash, block);
    }
    block.transactions.set(numberOf(log.transactionIndex), log.transactionHash);
  }
  return [...wanted.values()];
}
