import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { watchInterruption } from '../interruption.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { showPath } from '../options/store-url.ts';
import { note } from '../output.ts';

/** `swapfold mcp` */
export function addMcp(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('mcp')
    .summary('answer an agent over the Model Context Protocol')
    .description(
      'Answers the questions of an agent over standard input and output, by the Model Context Protocol, until the input ends. A client of the protocol starts it. It opens the store for reading only; standard output has the protocol and nothing else.',
    );
  addAskOptions(command)
    .addHelpText(
      'after',
      examplesHelp(['swapfold mcp --db dex.duckdb', 'claude mcp add swapfold -- swapfold mcp --db /data/dex.db']),
    )
    .action(async (options: StoreOptions) => {
      await withStoreToAsk(options, async (dex) => {
        if (process.stdin.isTTY)
          note(`Waiting for a client of the protocol, about ${showPath(options.db)}; Ctrl-D ends it.`);
        const { serveStdio } = await import('@swapfold/mcp');
        const ending = new AbortController();
        const interruption = watchInterruption(() => ending.abort());
        try {
          await serveStdio(dex, { signal: ending.signal, onFailure: (error) => note(describe(error)) });
        } finally {
          interruption.dispose();
        }
      });
      end(exitCodes.ok);
    });
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
