import { createBar } from './bar.ts';
import { createLines } from './lines.ts';
import type { Progress } from './progress.ts';

/** A bar on a terminal, plain lines elsewhere; on standard error, so that answers can be piped. */
export function createProgress(): Progress {
  return process.stderr.isTTY ? createBar(process.stderr) : createLines();
}
