import type { Logger } from '@swapfold/server';
import { inOptionWords } from './importing/option-words.ts';
import { note } from './output.ts';

export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];

/** What a server tells on standard error. */
export interface ServerLog extends Logger {
  /** What happens to the server itself; always told. */
  readonly say: (message: string) => void;
}

export interface ServerLogOptions {
  /** `json`: a JSON object a line, for programs; `text`: for people. */
  readonly format: LogFormat;
  /** Whether to tell of every request, or only of those that failed inside. */
  readonly isVerbose: boolean;
}

export async function createServerLog({ format, isVerbose }: ServerLogOptions): Promise<ServerLog> {
  if (format === 'text') return textLog(isVerbose);
  const { pino, stdTimeFunctions } = await import('pino');
  const options = {
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  };
  // Standard error outlives a reader that goes away; a stream of pino's own would not.
  const requests = pino({ ...options, level: isVerbose ? 'info' : 'error' }, process.stderr);
  const server = pino(options, process.stderr);
  return {
    info: (fields, message) => requests.info(fields, message),
    error: (fields, message) => requests.error(fields, message),
    say: (message) => server.info(message),
  };
}

/** Lines for people. */
export function textLog(isVerbose: boolean): ServerLog {
  return {
    info: (fields, message) => {
      if (isVerbose) note(line(fields, message));
    },
    error: (fields, message) => note(line(fields, message)),
    say: note,
  };
}

interface Fields {
  readonly method?: string;
  readonly route?: string;
  readonly caller?: string;
  readonly peer?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly err?: unknown;
}

function line({ method, route, caller, peer, status, ms, err }: Fields, message: string): string {
  const request = [
    status ?? message,
    method,
    route,
    caller && `by ${caller}`,
    peer && `from ${peer}`,
    ms === undefined ? undefined : `${ms} ms`,
  ];
  const reason = err === undefined ? [] : [inOptionWords(err instanceof Error ? err.message : String(err))];
  return [...request, ...reason].filter((part) => part !== undefined).join(' ');
}
