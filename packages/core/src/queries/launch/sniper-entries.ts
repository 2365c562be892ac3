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

/** The first trade of the wallet in a token, and the time of its last one. */
interface Entry {
  readonly token: number;
  readonly seq: number;
  readonly tx: number;
  readonly isBuy: boolean;
  lastTime: number;
}

/** Tokens that a wallet trades in a window of which it is said: each takes some reads. */
const MOST_TOKENS = 5000;

/**
 * How many launches a wallet sniped in windows that end at the as-of time, by the names of the windows: `null` where a window reaches behind
 * the horizon, and where the wallet traded more than 5,000 tokens in it.
 */
export async function sniperEntries(
  context: QueryContext,
  wallet: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const { asOf, horizon } = context;
  const windows = windowSpecs.wallets.filter(({ name }) => names.includes(name));
  const longest = Math.max(0, ...windows.map(({ seconds }) => seconds));
  const entries = await entriesOf(context, wallet, Math.max(0, asOf - longest + 1));
  const isSaid = ({ seconds }: { readonly seconds: number }) =>
    isKept({ asOf, horizon }, seconds) &&
    entries.filter(({ lastTime }) => lastTime > asOf - seconds).length <= MOST_TOKENS;
  const said = windows.filter(isSaid);
  const from = asOf - Math.max(0, ...said.map(({ seconds }) => seconds));
  const times: number[] = [];
  const pause = context.yielder();
  for (const entry of entries) {
    const time = timeOf(entry.seq);
    if (entry.isBuy && time > from && (await isSniped(context, wallet, entry))) times.push(time);
    await pause.yieldIfDue();
  }
  return new Map(
    windows.map((window) => [
      window.name,
      said.includes(window) ? times.filter((time) => time > asOf - window.seconds).length : null,
    ]),
  );
}

/** The first trades of the wallet in each token from a time on. */
async function entriesOf({ reader, asOf }: QueryContext, wallet: number, from: number): Promise<readonly Entry[]> {
  const first = new Map<number, Entry>();
  const trades = reader.stream({
    table: tradesTable,
    columns: ['seq', 'tx', 'token', 'direction'],
    where: and(compare('wallet', 'eq', wallet), between('seq', firstSeqAt(from), lastSeqAt(asOf))),
    order: ascending('seq'),
  });
  for await (const { length, columns: c } of trades) {
    for (let row = 0; row < length; row++) {
      const [token, seq, tx] = [c.token[row]!, c.seq[row]!, c.tx[row]!];
      const entry = first.get(token);
      if (entry === undefined)
        first.set(token, { token, seq, tx, isBuy: c.direction[row] === BUY, lastTime: timeOf(seq) });
      else entry.lastTime = timeOf(seq);
    }
  }
  return [...first.values()];
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
