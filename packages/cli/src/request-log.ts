import type { Logger } from '@swapfold/server';
import { note } from './output.ts';

interface Fields {
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly err?: unknown;
}

/** Requests as lines on standard error: all of them, or those that failed inside. */
export function requestLog({ isVerbose }: { readonly isVerbose: boolean }): Logger {
  return {
    info: (fields, message) => {
      if (isVerbose) note(line(fields, message));
    },
    error: (fields, message) => note(line(fields, message)),
  };
}

function line({ method, route, status, ms, err }: Fields, message: string): string {
  const request = [status ?? message, method, route, ms === undefined ? undefined : `${ms} ms`];
  const reason = err === undefined ? [] : [err instanceof Error ? err.message : String(err)];
  return [...request, ...reason].filter((part) => part !== undefined).join(' ');
}
