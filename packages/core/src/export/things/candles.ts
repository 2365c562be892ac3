import { candleSchema } from '../../market-data/candle.ts';
import { CandleFold } from '../../market-data/candle-fold.ts';
import { candleSource } from '../../queries/candles.ts';
import { lastSeq } from '../../queries/context.ts';
import { firstSeqAt } from '../../records/chain-order.ts';
import { parseInstant } from '../../time.ts';
import { batchOfRows, columnsOfSchema } from '../column.ts';
import type { ExportThing } from '../thing.ts';

const columns = columnsOfSchema(candleSchema, ['timestamp']);

/** Candles of a batch. */
const PAGE = 20_000;

export const candles: ExportThing = {
  rows: 'One row a candle with a price, the oldest first.',
  options: ['token', 'pool', 'interval', 'from', 'to', 'asOf'],
  needs: [['token', 'pool'], ['interval']],
  columns: () => columns,
  async *read(context, { token, pool, interval, from, to }) {
    const source = await candleSource(context, { token, pool });
    if (source === undefined) return;
    const length = interval!;
    const start = from === undefined ? 0 : Math.floor(parseInstant(from, 'from') / length) * length;
    const end = to === undefined ? Number.POSITIVE_INFINITY : Math.ceil(parseInstant(to, 'to') / length) * length;
    const below = Math.min(lastSeq(context) + 1, Number.isFinite(end) ? firstSeqAt(end) : Number.MAX_SAFE_INTEGER);
    const fold = new CandleFold(length, 'all');
    for await (const legs of source.range(firstSeqAt(start), below)) fold.add(legs);
    for (let at = 0; at < fold.length; at += PAGE)
      yield batchOfRows(
        columns,
        fold.slice(at, Math.min(at + PAGE, fold.length)) as unknown as Readonly<Record<string, unknown>>[],
      );
  },
};
