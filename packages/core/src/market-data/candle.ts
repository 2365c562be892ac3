import * as v from 'valibot';
import { type Answer, integer, named, number } from '../response.ts';

export const candleSchema = named(
  'Candle',
  v.strictObject({
    timestamp: integer('Unix seconds, UTC, at the start of the bucket.'),
    open: number('USD per token.'),
    high: number('USD per token.'),
    low: number('USD per token.'),
    close: number('USD per token.'),
    volume: number('USD.'),
    count: integer('Swaps that touch the token.'),
    suspect_count: integer('Prints far off those before them, which `prints: "clean"` leaves out of the prices.'),
  }),
);

/** One bucket: `timestamp` Unix seconds at its start; prices USD per token; `volume` USD; `count` swaps that touch the token, `suspect_count` suspect prints. */
export interface Candle extends Answer<typeof candleSchema> {}
