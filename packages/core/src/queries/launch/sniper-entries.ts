import { windowSpecs } from '../../bag/windows.ts';
import { isKept } from '../../ingest/carried.ts';
import { spanRuleOf } from '../../launch/early-trades.ts';
import { BUY } from '../../ledger/trade.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../../records/chain-order.ts';
import { tradesTable } from '../../records/tables.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, between, compare } from '../../storage/predicate.ts';
import { readTransactions } from '../../storage/reads.ts';
import type { QueryContext } from '../context.ts';
import { findLaunch, readRegistered } from './find.ts';

interface Entry {
  readonly token: number;
  readonly seq: number;
  readonly tx: number;
}

/** Tokens that a wallet entered of which it is said: each takes some reads. */
const MOST_ENTRIES = 5000;

/**
 * How many launches a wallet sniped in windows that end at the as-of time, by the names of the windows: `null` where a window reaches behind
 * the horizon, or the longest one that is asked for has more than 5,000 tokens that the wallet entered.
 */
export async function sniperEntries(
  context: QueryContext,
  wallet: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const { asOf, horizon } = context;
  const windows = windowSpecs.wallets.filter(({ name }) => names.includes(name));
  const longest = Math.max(0, ...windows.map(({ seconds }) => seconds));
  const times: number[] = [];
  const entries = await entriesOf(context, wallet, Math.max(0, asOf - longest + 1));
  if (entries.length > MOST_ENTRIES) return new Map(windows.map(({ name }) => [name, null]));
  const pause = context.yielder();
  for (const entry of entries) {
    if (await isSniped(context, wallet, entry)) times.push(timeOf(entry.seq));
    await pause.yieldIfDue();
  }
  return new Map(
    windows.map(({ name, seconds }) => [
      name,
      isKept({ asOf, horizon }, seconds) ? times.filter((time) => time > asOf - seconds).length : null,
    ]),
  );
}

/** The first trades of the wallet in each token from a time on, if they are buys. */
async function entriesOf({ reader, asOf }: QueryContext, wallet: number, from: number): Promise<readonly Entry[]> {
  const first = new Map<number, Entry & { readonly isBuy: boolean }>();
  const trades = reader.stream({
    table: tradesTable,
    columns: ['seq', 'tx', 'token', 'direction'],
    where: and(compare('wallet', 'eq', wallet), between('seq', firstSeqAt(from), lastSeqAt(asOf))),
    order: ascending('seq'),
  });
  for await (const { length, columns: c } of trades) {
    for (let row = 0; row < length; row++) {
      const [token, seq, tx] = [c.token[row]!, c.seq[row]!, c.tx[row]!];
      if (!first.has(token)) first.set(token, { token, seq, tx, isBuy: c.direction[row] === BUY });
    }
  }
  return [...first.values()].filter(({ isBuy }) => isBuy);
}

/** Whether an entry is within the span of the launch of its token, and the wallet's first trade of that. */
async function isSniped(context: QueryContext, wallet: number, { token, seq, tx }: Entry): Promise<boolean> {
  const { reader, config } = context;
  const registered = await readRegistered(context, token);
  if (registered.dev === wallet) return false;
  const launch = await findLaunch(context, token, registered);
  if (launch === null) return false;
  const place = (await readTransactions(reader, [tx])).get(tx)!;
  if (spanRuleOf(launch, place, config.launch) === undefined) return false;
  const before = and(
    compare('wallet', 'eq', wallet),
    compare('token', 'eq', token),
    between('seq', launch.seq, seq - 1),
  );
  return (await reader.read({ table: tradesTable, columns: ['seq'], where: before, limit: 1 })).length === 0;
}
