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

/** `swapfold wait` */
export function addWait(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('wait')
    .summary('wait until a server is ready')
    .description(
      'Waits until a server answers questions: GET /readyz is 200. It needs no key. If the time is up before, it says what was answered last, and fails.',
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
  try {
    for (;;) {
      try {
        const { status, body } = await ask(`${url}/readyz`, { method: 'GET', signal: left.signal });
        if (status === 200) {
          print(`${url} is ready, after ${formatElapsed((performance.now() - begun) / 1000)}.`);
          return exitCodes.ok;
        }
        last = `it answered ${status}${sentenceOf(body)}`;
      } catch (error) {
        if (!left.signal.aborted) last = reasonOf(error as Error);
      }
      await pause(PAUSE, undefined, { signal: left.signal });
    }
  } catch {
    if (interruption.isRequested) return exitCodes.interrupted;
    note(`error: ${url} is not ready after ${formatElapsed(timeout)}: ${last}.`);
    return exitCodes.failed;
  } finally {
    clearTimeout(timer);
    interruption.dispose();
  }
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
