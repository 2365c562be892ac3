import { SingleBar } from 'cli-progress';
import { Meter } from './meter.ts';
import type { Progress } from './progress.ts';

/** A bar that moves, and vanishes at the end. */
export function createBar(stream: NodeJS.WriteStream): Progress {
  let running: { readonly meter: Meter; readonly bar: SingleBar } | undefined;
  return {
    begin(label, unit) {
      const meter = new Meter(label, unit);
      const bar = new SingleBar({
        stream,
        format: '{label} {bar} {percentage}% | {counted} | {rate} | {eta_formatted} left',
        barCompleteChar: '█',
        barIncompleteChar: '░',
        barsize: 30,
        hideCursor: true,
        clearOnComplete: true,
        gracefulExit: false,
      });
      bar.start(1000, 0, payload(meter));
      running = { meter, bar };
    },
    advance(fraction, count) {
      if (running === undefined) return;
      running.meter.count = count;
      running.bar.update(Math.round(fraction * 1000), payload(running.meter));
    },
    end() {
      running?.bar.stop();
      return running?.meter.summary ?? '';
    },
  };
}

function payload({ label, counted, rate }: Meter): Record<string, string> {
  return { label, counted, rate };
}
