import type { Command } from 'commander';
import { apiKeysOf } from '../api-keys.ts';
import { readConfigFile } from '../config-file.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { watchInterruption } from '../interruption.ts';
import { openStore, requireStore, type StoreOptions } from '../open-store.ts';
import { wholeNumber } from '../options/numbers.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { note, print } from '../output.ts';
import { requestLog } from '../request-log.ts';

interface ServeOptions extends StoreOptions {
  readonly host: string;
  readonly port: number;
  readonly verbose?: true;
}

/** `swapfold serve --db URL` */
export function addServe(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('serve')
    .summary('answer over HTTP')
    .description(
      'Serves a store over HTTP until it is stopped (Ctrl-C, SIGTERM). Callers send one of the API keys in the X-Api-Key header: those of the environment variable SWAPFOLD_API_KEYS, separated by commas, and those of "api_keys" in the configuration.',
    );
  addStoreOptions(command)
    .option('--host <address>', 'the address to listen on; 0.0.0.0 is reached from other machines', '127.0.0.1')
    .option('--port <number>', 'the port; 0 takes a free one', wholeNumber(0, 65_535), 8080)
    .addHelpText(
      'after',
      `
Routes: POST /v1/{chain}/dex/..., which GET /openapi.json describes; GET /healthz
and GET /readyz for probes. With --verbose every request is a line on standard
error, without it only those that fail inside.
${examplesHelp([
  'SWAPFOLD_API_KEYS=a-long-random-key swapfold serve --db dex.duckdb',
  'swapfold serve --db sqlite:dex.db --config swapfold.json --host 0.0.0.0 --port 80',
])}`,
    )
    .action(async (_: unknown, called: Command) => {
      await serveStore(called.optsWithGlobals<ServeOptions>());
      end(exitCodes.ok);
    });
}

async function serveStore(options: ServeOptions): Promise<void> {
  await requireStore(options.db);
  const config = await readConfigFile(options.config);
  const keys = apiKeysOf(config, process.env.SWAPFOLD_API_KEYS);
  const { serve } = await import('@swapfold/server');
  const interruption = watchInterruption(() => note('Stopping ...'));
  const opening = openStore(options.db, config);
  try {
    const { host, port, verbose = false } = options;
    const server = await serve(opening, { host, port, keys, logger: requestLog({ isVerbose: verbose }) });
    try {
      await server.ready;
      print(`Serving ${options.db.path} at ${server.url}; Ctrl-C stops it.`);
      await interruption.requested;
    } finally {
      await server.close();
    }
  } finally {
    interruption.dispose();
    await opening.then(
      (dex) => dex.close(),
      () => undefined,
    );
  }
}
