import { exitCodes } from './exit-codes.ts';

/** The answer of a command: standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What accompanies it, such as progress: standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/**
 * A reader that has seen enough (`swapfold query ... | head`) is no failure of the command, which goes on without it; nor is a log that cannot be
 * written. An answer that cannot be is one.
 */
export function outliveBrokenPipes(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    note(`error: the answer cannot be written: ${error.message}`);
    process.exit(exitCodes.failed);
  });
}
