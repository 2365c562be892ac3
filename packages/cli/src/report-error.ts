import { SwapfoldError } from '@swapfold/core';
import { errorCodes } from '@swapfold/core/host';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { inOptionWords } from './importing/option-words.ts';
import { note } from './output.ts';

/** Tells on standard error what went wrong and what would help, and gives the exit code. */
export function reportError(error: unknown, options: { readonly showStack: boolean }): ExitCode {
  if (error instanceof SwapfoldError) {
    note(`error: ${sentence(inOptionWords(error.message))}`);
    if (error.details.length > 1)
      for (const { path, message } of error.details) note(`  ${path}: ${inOptionWords(message)}`);
    note(errorCodes[error.code].remedy);
    if (options.showStack) note(stackOf(error));
    return error.status === 400 ? exitCodes.usage : exitCodes.failed;
  }
  note(`error: ${sentence(error instanceof Error ? error.message : String(error))}`);
  note(
    options.showStack
      ? stackOf(error)
      : 'This is a fault of Swapfold. Run it again with --verbose to see where it failed, and report that.',
  );
  return exitCodes.failed;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\nCaused by: ${stackOf(error.cause)}`;
}
