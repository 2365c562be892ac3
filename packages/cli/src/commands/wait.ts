import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { watchInterruption } from '../interruption.ts';
import { parseDuration } from '../options/live-options.ts';
import { addUrlOption, examplesHelp } from '../options/store-options.ts';
import { note, print } from '../output.ts';
import { ask, reasonOf } from '../remote.ts';
import { formatElapsed } from '../text/numbers.ts';

/** Between two requests, ms. */
const PAUSE = 100;

/** Until it says on standard error what it waits for, ms: a server of a large store is ready sooner. */
const PATIENCE = 5000;

/** `swapfold wait` */
export function addWait(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('wait')
    .summary('wait until a server is ready')
    .description(
      'Waits until a server answers questions: GET /readyz is 200. It needs no key. After five seconds it says on standard error what it waits for. If the time is up before, it says what was answered last, and fails.',
    );
  addUrlOption(command, 'http://127.0.0.1:8080')
    .option('--timeout <time>', 'how long, such as 500ms, 30s or 5m', parseDuration, 60)
    .addHelpText('after', examplesHelp(['swapfold wait', 'swapfold wait --url http://127.0.0.1:8080 --timeout 5m']))
    .action(async ({ url, timeout }: { readonly url: string; readonly timeout: number }) => {
      end(await wait(url, timeout));
    });
}

async function wait(url: string, timeout: number): Promise<ExitCode> {
  const begun = performance.now();
  const left = new AbortController();
  const interruption = watchInterruption(() => left.abort());
  const timer = setTimeout(() => left.abort(), timeout * 1000);
  let last = 'nobody answered';
  let status: number | undefined;
  const hint = setTimeout(() => note(waitingFor(url, status, last)), PATIENCE);
  try {
    for (;;) {
      try {
        const answered = await ask(`${url}/readyz`, { method: 'GET', signal: left.signal });
        status = answered.status;
        if (status === 200) {
          print(`${url} is ready, after ${formatElapsed((performance.now() - begun) / 1000)}.`);
          return exitCodes.ok;
        }
        last = `it answered ${status}${sentenceOf(answered.body)}`;
      } catch (error) {
        if (left.signal.aborted) throw error;
        status = undefined;
        last = reasonOf(error as Error);
      }
      await pause(PAUSE, undefined, { signal: left.signal });
    }
  } catch {
    if (interruption.isRequested) return exitCodes.interrupted;
    note(`error: ${url} is not ready after ${formatElapsed(timeout)}: ${last}.`);
    return exitCodes.failed;
  } finally {
    clearTimeout(timer);
    clearTimeout(hint);
    interruption.dispose();
  }
}

/** What a waiting user should look at. */
function waitingFor(url: string, status: number | undefined, last: string): string {
  return status === undefined
    ? `Nothing answers at ${url} yet (${last}): look at the output or the log of \`swapfold serve\`, which says why it ended or at which address it answers.`
    : `${url} is not ready yet: ${last}.`;
}

/** What an error says. */
function sentenceOf(body: string): string {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    return typeof error === 'string' ? `: ${error.replace(/\.$/, '')}` : '';
  } catch {
    return '';
  }
}
