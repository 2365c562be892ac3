/** An hour; a timer can't wait longer than some weeks, and a node that wishes for more is asked again. */
const LONGEST = 3_600_000;

/** Waits, at most an hour. Errors: that of the signal, as soon as it aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST));
    signal.addEventListener('abort', end, { once: true });
  });
  signal.throwIfAborted();
}
