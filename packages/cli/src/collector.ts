import { setFlagsFromString } from 'node:v8';

/**
 * Settings of V8 for a process that serves: with them it seldom marks its whole heap. A marking begins as memory is asked for, so while
 * messages of a commit go to subscribers, who wait for it.
 *
 * - The old generation may grow to three times what was alive when it was last marked, within the limit of the heap. V8 would allow
 *   a third more where little is allocated.
 * - No object is made in the old generation at once. V8 does so for code that made many objects that stayed, such as connections; then the same
 *   code makes those of requests there, which stay with all they lead to until the heap is marked.
 */
const servingFlags = ['--heap-growing-percent=200', '--no-allocation-site-pretenuring'] as const;

/** Sets them. Node takes them on its command line too, but not in NODE_OPTIONS. */
export function markSeldom(): void {
  for (const flag of servingFlags) setFlagsFromString(flag);
}
