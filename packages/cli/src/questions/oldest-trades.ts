import { type Swapfold, SwapfoldError, type Trade } from '@swapfold/core';

const PAGE = 100;

/** Of which trades, and how many. Times are Unix seconds. */
interface OldestRequest {
  readonly of: { readonly wallet?: string | undefined; readonly token?: string | undefined };
  readonly from: number;
  /** The last instant. */
  readonly until: number;
  readonly limit: number;
}

/**
 * The first trades of a wallet, a token, both or all, oldest first. Lists are newest first, so it asks how many trades there were by an
 * instant, halving the time between too few and enough.
 */
export async function oldestTrades(
  dex: Swapfold,
  { of, from, until, limit }: OldestRequest,
): Promise<readonly Trade[]> {
  const before = await countUntil(dex, of, from - 1);
  let [low, high] = [from, until];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await countUntil(dex, of, middle)) - before >= limit) high = middle;
    else low = middle + 1;
  }
  const found: Trade[] = [];
  for await (const { data } of pagesUntil(dex, of, high)) {
    found.push(...data.filter((trade) => trade.block_time >= from));
    if (data.some((trade) => trade.block_time < from)) break;
  }
  return found.reverse().slice(0, limit);
}

async function* pagesUntil(dex: Swapfold, of: OldestRequest['of'], asOf: number) {
  let cursor: string | undefined;
  do {
    const page = await listUntil(dex, { ...of, limit: PAGE, cursor }, asOf);
    yield page;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

const countUntil = async (dex: Swapfold, of: OldestRequest['of'], asOf: number): Promise<number> =>
  (await listUntil(dex, { ...of, limit: 1 }, asOf)).count;

/** Nothing is known of what a store has forgotten. */
async function listUntil(dex: Swapfold, request: Parameters<Swapfold['trades']['list']>[0], asOf: number) {
  if (asOf < 0) return { count: 0, data: [] };
  try {
    return await dex.trades.list(request, { asOf });
  } catch (error) {
    if (error instanceof SwapfoldError && error.code === 'behind-horizon') return { count: 0, data: [] };
    throw error;
  }
}
