import { note } from '../output.ts';
import { Meter } from './meter.ts';
import type { Progress } from './progress.ts';

const SECONDS_BETWEEN = 3;

/** A line every few seconds. */
export function createLines(): Progress {
  let meter: Meter | undefined;
  let toldAt = 0;
  return {
    begin(label, unit) {
      meter = new Meter(label, unit);
      toldAt = 0;
    },
    advance(fraction, count) {
      if (meter === undefined) return;
      meter.count = count;
      if (meter.seconds - toldAt < SECONDS_BETWEEN) return;
      toldAt = meter.seconds;
      note(`${meter.label}: ${meter.counted}, ${meter.rate}, ${Math.floor(fraction * 100)}%`);
    },
    end: () => meter?.summary ?? '',
  };
}
