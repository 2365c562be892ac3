import { SwapfoldError } from '@swapfold/core';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { note } from './output.ts';

/** Whether the user has asked the command to end. */
export interface Interruption {
  readonly isRequested: boolean;
  /** Resolves when the user asks. */
  readonly requested: Promise<void>;
  /** Asks in the user's place. */
  request(): void;
  /** Stops listening. */
  dispose(): void;
}

/** npm hands a terminal's Ctrl-C to its child, which has it from the terminal already. */
const ECHO_MS = 500;

/**
 * Takes SIGINT and SIGTERM as a wish to end soon, and tells `onRequest` of it once.
 * A second signal ends the process at once, as it would without this.
 */
export function watchInterruption(onRequest: () => void): Interruption {
  let requestedAt: number | undefined;
  let resolve: () => void;
  const requested = new Promise<void>((done) => {
    resolve = done;
  });
  const request = (): void => {
    if (requestedAt !== undefined) return;
    requestedAt = performance.now();
    onRequest();
    resolve();
  };
  const listen = (signal: NodeJS.Signals): void => {
    if (requestedAt === undefined) request();
    else if (performance.now() - requestedAt > ECHO_MS) {
      dispose();
      process.kill(process.pid, signal);
    }
  };
  const dispose = (): void => {
    process.off('SIGINT', listen);
    process.off('SIGTERM', listen);
  };
  process.on('SIGINT', listen);
  process.on('SIGTERM', listen);
  return {
    get isRequested() {
      return requestedAt !== undefined;
    },
    requested,
    request,
    dispose,
  };
}

/** Runs what may take long with a signal that aborts when the user asks to end, and tells how that left the store. */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<void>,
  left = 'Interrupted. What was being written is undone; run the same command again to do it.',
): Promise<ExitCode> {
  const controller = new AbortController();
  const interruption = watchInterruption(() => {
    note('\nStopping ...');
    controller.abort();
  });
  try {
    await work(controller.signal);
    return exitCodes.ok;
  } catch (error) {
    if (!(error instanceof SwapfoldError && error.code === 'aborted')) throw error;
    note(left);
    return exitCodes.interrupted;
  } finally {
    interruption.dispose();
  }
}
