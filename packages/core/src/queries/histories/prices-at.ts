import { latestPrints, marksOf } from '../../market-data/latest-prints.ts';
import { lastSeqAt, timeOf } from '../../records/chain-order.ts';
import { legsTable, SUSPECT } from '../../records/tables.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, between, isIn, not } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import type { Instants } from './instants.ts';

/** The instants that the prices of a token are wanted at, by number: `to` is excluded. */
export interface Span {
  readonly token: number;
  readonly from: number;
  readonly to: number;
}

/** For each span, by instant, the last print of its token until then that values what is held: `NaN` before the first. */
export async function pricesAt(
  context: QueryContext,
  spans: readonly Span[],
  { interval, times }: Instants,
): Promise<Float64Array[]> {
  const { reader } = context;
  const pause = context.yielder();
  const ids = Int32Array.from(spans, ({ token }) => token);
  const placeOf = new Map(spans.map(({ token }, place) => [token, place]));
  const start = lastSeqAt(times[Math.min(...spans.map(({ from }) => from))]!);
  const end = lastSeqAt(times[Math.max(...spans.map(({ to }) => to)) - 1]!);
  const marks = marksOf(context.config);
  const before = await latestPrints(reader, ids, { until: start, prints: marks });
  const prices = spans.map(({ token, from, to }) => {
    const own = new Float64Array(to - from).fill(Number.NaN);
    own[0] = before.get(token)?.price ?? Number.NaN;
    return own;
  });
  const prints = reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'price', 'standing'],
    where: and(isIn('token', ids), between('seq', start + 1, end), not({ kind: 'missing', column: 'price' })),
    order: ascending('token', 'seq'),
  });
  for await (const { columns: c, length } of prints) {
    for (let row = 0; row < length; row++) {
      if (marks === 'clean' && c.standing[row] === SUSPECT) continue;
      const place = placeOf.get(c.token[row]!)!;
      const { from, to } = spans[place]!;
      const instant = Math.ceil((timeOf(c.seq[row]!) - times[0]!) / interval);
      if (instant < to) prices[place]![Math.max(0, instant - from)] = c.price[row]!;
    }
    await pause.yieldIfDue();
  }
  for (const own of prices) for (let i = 1; i < own.length; i++) if (Number.isNaN(own[i]!)) own[i] = own[i - 1]!;
  return prices;
}
