import { createBar } from './bar.ts';
import { createLines } from './lines.ts';

/** Tells how far a piece of work is: a file, a refresh. One at a time. */
export interface Progress {
  /** `unit` is what is counted, in the plural: `rows`. */
  begin(label: string, unit: string): void;
  /** `fraction` of the work is done, which is `count` units. */
  advance(fraction: number, count: number): void;
  end(): void;
}

/** A bar on a terminal, plain lines elsewhere; on standard error, so that answers can be piped. */
export function createProgress(): Progress {
  return process.stderr.isTTY ? createBar(process.stderr) : createLines();
}
