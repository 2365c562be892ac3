import { type Address, createPublicClient, formatUnits, http, type PublicClient, parseAbi } from 'viem';
import type { Market } from './market.ts';
import type { SwapRow } from './tally.ts';

/** Blocks of one `eth_getLogs`: some 5,000 swaps. */
const LOGS = 5000;

const swapEvents = parseAbi([
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
]);

interface Event {
  readonly pool: string;
  readonly block: bigint;
  readonly transaction: string;
  /** What the pool received of its tokens, less what it gave. */
  readonly amounts: readonly [bigint, bigint];
}

export const clientOf = (market: Market): PublicClient =>
  createPublicClient({ transport: http(market.chain.url, { batch: { wait: 0 }, timeout: 60_000 }) });

/** The floor: what viem alone takes to read and decode the swap events of a chain, of whoever sent them. */
export async function readLogs(client: PublicClient, to: number, perBlock: number): Promise<Event[]> {
  const events: Event[] = [];
  const size = Math.ceil(LOGS / perBlock);
  for (let from = 0; from <= to; from += size) {
    const range = { fromBlock: BigInt(from), toBlock: BigInt(Math.min(to, from + size - 1)) };
    const logs = await client.getLogs({ events: swapEvents, strict: true, ...range });
    for (const { address, args, blockNumber, transactionHash } of logs) {
      const amounts =
        'amount0' in args
          ? ([args.amount0, args.amount1] as const)
          : ([args.amount0In - args.amount0Out, args.amount1In - args.amount1Out] as const);
      events.push({ pool: address, block: blockNumber, transaction: transactionHash, amounts });
    }
  }
  return events;
}

/** A pool's tokens as answers are compared by. */
export interface PoolTokens {
  readonly address: string;
  readonly tokens: readonly { readonly address: string; readonly decimals: number }[];
}

export const poolsOf = ({ exchange }: Market): PoolTokens[] =>
  exchange.pools.map(({ address, token0, token1 }) => ({ address, tokens: [token0, token1] }));

/** A swap from what a pool received of its tokens, less what it gave. */
export function rowOf(
  { address, tokens: [token0, token1] }: PoolTokens,
  wallet: string,
  [amount0, amount1]: readonly [bigint, bigint],
): SwapRow {
  const whole = (amount: bigint, decimals: number): number => Number(formatUnits(amount, decimals));
  const [tokenIn, tokenOut, amountIn, amountOut] =
    amount0 > 0n ? [token0!, token1!, amount0, -amount1] : [token1!, token0!, amount1, -amount0];
  return {
    pool: address,
    wallet,
    token_in: tokenIn.address,
    token_out: tokenOut.address,
    token_amount_in: whole(amountIn, tokenIn.decimals),
    token_amount_out: whole(amountOut, tokenOut.decimals),
  };
}

/** The swaps of a chain, with the senders that its blocks name: what the answers of all have to be. */
export async function readSwaps(market: Market, to: number, perBlock: number): Promise<SwapRow[]> {
  const client = clientOf(market);
  const events = await readLogs(client, to, perBlock);
  const senders = new Map<string, Address>();
  const blocks = [...new Set(events.map(({ block }) => block))];
  for (let from = 0; from < blocks.length; from += 50) {
    const some = blocks.slice(from, from + 50);
    const read = some.map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true }));
    for (const { transactions } of await Promise.all(read))
      for (const { hash, from: sender } of transactions) senders.set(hash, sender);
  }
  const pools = new Map(poolsOf(market).map((pool) => [pool.address.toLowerCase(), pool]));
  return events.map(({ pool, transaction, amounts }) =>
    rowOf(pools.get(pool.toLowerCase())!, senders.get(transaction)!, amounts),
  );
}
