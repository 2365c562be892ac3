import { stat } from 'node:fs/promises';
import { SwapfoldError } from '@swapfold/core';
import { explorerFiles, isTransactionAddress } from '@swapfold/explorer';
import type { ProxyHeader, RunningServer } from '@swapfold/server';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readApiKeys } from '../api-keys.ts';
import { backupsOf } from '../backups.ts';
import { markSeldom } from '../collector.ts';
import { readConfigFile } from '../config-file.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { feed } from '../following/feed.ts';
import { checkSources } from '../following/follow-all.ts';
import { watchInterruption } from '../interruption.ts';
import { positiveNumber, wholeNumber } from '../number-options.ts';
import { openReader, openStore, requireStore, type StoreOptions } from '../open-store.ts';
import { addLiveOptions, type LiveOptions, parseDuration } from '../options/live-options.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { showPath } from '../options/store-url.ts';
import { print } from '../output.ts';
import { createServerLog, type LogFormat, logFormats, type ServerLog } from '../request-log.ts';
import { siteFiles } from '../site-files.ts';

/** As `proxyHeader` of the server, which is loaded when the command runs. */
const proxyHeaders = ['x-forwarded-for', 'forwarded'] as const satisfies readonly ProxyHeader[];

interface ServeOptions extends StoreOptions, LiveOptions {
  readonly host: string;
  readonly port: number;
  readonly keys?: string;
  readonly rate?: number;
  readonly burst?: number;
  readonly connections: number;
  readonly connectionsPerAddress?: number;
  readonly working: number;
  readonly waiting: number;
  readonly metricsPort?: number;
  readonly metricsHost?: string;
  readonly logFormat?: LogFormat;
  readonly backupDir?: string;
  readonly compress: boolean;
  readonly explorer: boolean;
  readonly docs?: string;
  readonly transactions?: string;
  readonly verbose?: true;
  readonly cors?: readonly string[];
  readonly trustProxy?: readonly string[];
  readonly proxyHeader?: ProxyHeader;
  readonly leave: number;
  readonly ingest?: true;
  readonly mcp?: true;
  readonly udf?: true;
  readonly follow?: readonly string[];
}

/** `swapfold serve --db URL` */
export function addServe(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('serve')
    .summary('answer over HTTP')
    .description(
      'Serves a store over HTTP until it is stopped (Ctrl-C, SIGTERM), and writes nothing without --ingest or --follow: another process may import into an SQLite or ClickHouse store meanwhile. Callers send one of the API keys in the X-Api-Key header: those of the file --keys, of "api_keys" in the configuration, and of the environment variable SWAPFOLD_API_KEYS, separated by commas. With --keys, both files are read again at SIGHUP, and from then on their keys count.',
    );
  addStoreOptions(command)
    .option('--host <address>', 'the address to listen on; 0.0.0.0 is reached from other machines', '127.0.0.1')
    .option('--port <number>', 'the port; 0 takes a free one', wholeNumber(0, 65_535), 8080)
    .option('--keys <file>', 'a JSON list of keys, or of their hashes as "swapfold key" makes them')
    .option(
      '--rate <number>',
      'requests per second of each key that has no rate of its own (default: no limit)',
      positiveNumber,
    )
    .option(
      '--burst <count>',
      'requests at once within the rate (default: those of a second)',
      wholeNumber(1, 1_000_000),
    )
    .option('--connections <count>', 'how many may be open', wholeNumber(1, 1_000_000), 1024)
    .option(
      '--connections-per-address <count>',
      'how many of them one address may have (default: all, because behind a proxy all have its address)',
      wholeNumber(1, 1_000_000),
    )
    .option('--working <count>', 'requests that the store works on at once', wholeNumber(1, 10_000), 8)
    .option('--waiting <count>', 'requests that wait for that; others are answered 503', wholeNumber(0, 100_000), 64)
    .option(
      '--cors <origins...>',
      'origins whose pages may read answers and open WebSockets, such as https://app.example',
    )
    .option(
      '--trust-proxy <proxies...>',
      'the proxies in front that are believed when they say whom they ask for: how many, or their addresses and subnets such as 10.0.0.0/8 (default: none)',
    )
    .addOption(
      new Option('--proxy-header <name>', 'the header in which they say so')
        .choices(proxyHeaders)
        .default('x-forwarded-for'),
    )
    .option(
      '--leave <time>',
      'how long a server that stops answers as before, while it says that it is not ready, so that balancers send no more (default: 0)',
      parseDuration,
      0,
    )
    .option('--ingest', 'take swaps, registry rows and rollbacks over HTTP, of keys whose "operations" say so')
    .option('--mcp', 'answer agents at /mcp, by the Model Context Protocol')
    .option('--udf', 'answer the charting library of TradingView at /udf')
    .option(
      '--follow <source>',
      'store swaps as they come from -, a FIFO, a file, a folder or evm:URL, as "swapfold follow" does; repeat it for more',
      (source: string, before: readonly string[] = []) => [...before, source],
    )
    .option('--no-compress', 'answers as they are, also to callers that accept gzip or brotli')
    .option('--no-explorer', 'no page at /, only the routes')
    .option(
      '--transactions <address>',
      'link hashes on the page to this address, with {hash} in the place of the hash, such as https://solscan.io/tx/{hash}',
      transactionAddress,
    )
    .option('--docs <folder>', 'serve the documentation that "npm run docs:site" made, site/dist, at /docs/')
    .option(
      '--backup-dir <folder>',
      'write a copy of the store into this folder at each "swapfold backup --url" of a key that may, and at each SIGUSR2',
    )
    // Every server reads only; the option is taken still.
    .addOption(new Option('--read-only', 'write nothing').hideHelp())
    .option('--metrics-port <number>', 'a port for GET /metrics, without a key (default: none)', wholeNumber(0, 65_535))
    .option('--metrics-host <address>', 'the address of that port (default: 127.0.0.1)')
    .addOption(
      new Option(
        '--log-format <name>',
        'the format of the log on standard error (default: text at a terminal, else json)',
      ).choices(logFormats),
    );
  addLiveOptions(command)
    .addHelpText(
      'after',
      `
Routes: POST /v1/{chain}/dex/..., which GET /openapi.json describes; GET /healthz
and GET /readyz for probes; GET / is a page that shows the store. With --verbose
every request is a line on standard error, without it only those that fail inside.
${examplesHelp([
  'SWAPFOLD_API_KEYS=a-long-random-key swapfold serve --db dex.duckdb',
  'swapfold serve --db dex.db --metrics-port 9464',
  'swapfold serve --db live.db --keys keys.json --ingest --follow /var/spool/swaps',
  'swapfold serve --db sqlite:dex.db --keys keys.json --rate 50 --host 0.0.0.0 --port 80',
])}`,
    )
    .action(async (_: unknown, called: Command) => {
      await serveStore(called.optsWithGlobals<ServeOptions>());
      end(exitCodes.ok);
    });
}

function transactionAddress(text: string): string {
  if (!isTransactionAddress(text))
    throw new InvalidArgumentError('Give an address with {hash} in it, such as https://solscan.io/tx/{hash}.');
  return text;
}

async function serveStore(options: ServeOptions): Promise<void> {
  markSeldom();
  const isWriting = options.ingest === true || options.follow !== undefined;
  if (!isWriting) await requireStore(options.db);
  await checkSources(options.follow ?? [], options);
  if (options.backupDir !== undefined) await requireFolder(options.backupDir);
  if (options.burst !== undefined && options.rate === undefined)
    throw new SwapfoldError('invalid-input', '--burst means nothing without --rate; give both.');
  const config = await readConfigFile(options.config);
  const keys = await readApiKeys({ file: options.keys, config, variable: process.env.SWAPFOLD_API_KEYS });
  const { host, port, connections, connectionsPerAddress, working, waiting, rate, burst, metricsPort, metricsHost } =
    options;
  const format = options.logFormat ?? (process.stderr.isTTY ? 'text' : 'json');
  const log = await createServerLog({ format, isVerbose: options.verbose === true });
  const { serve } = await import('@swapfold/server');
  const stopping = new AbortController();
  const interruption = watchInterruption(() => {
    log.say('Stopping ...');
    stopping.abort();
  });
  const { keep } = options;
  if (keep !== undefined && !isWriting)
    throw new SwapfoldError('invalid-input', '--keep means nothing without --ingest or --follow; give one of them.');
  const opening = isWriting
    ? openStore(options.db, config, { keep, signal: stopping.signal })
    : openReader(options.db, config);
  // It is waited for below, after what else is read.
  opening.catch(() => undefined);
  const backups = backupsOf(opening, { db: options.db, folder: options.backupDir, log });
  try {
    const server = await serve(opening, {
      host,
      port,
      keys,
      connections,
      connectionsPerAddress,
      limits: { working, waiting },
      compress: options.compress,
      ingest: options.ingest,
      udf: options.udf,
      operator: { backup: backups.write, stop: interruption.request },
      routes: options.mcp ? [(await import('@swapfold/mcp')).mcpRoute()] : [],
      maxAhead: options.maxAhead,
      cors: options.cors,
      trustProxy: trustedProxies(options.trustProxy),
      proxyHeader: options.proxyHeader,
      timeouts: { leave: options.leave },
      files: [
        ...(options.explorer
          ? await explorerFiles({ transactions: options.transactions, docs: options.docs && 'docs/' })
          : []),
        ...(options.docs === undefined ? [] : await siteFiles(options.docs)),
      ],
      rate: rate === undefined ? undefined : { perSecond: rate, burst },
      metrics: metricsPort === undefined ? undefined : { port: metricsPort, host: metricsHost ?? '127.0.0.1' },
      logger: log,
    });
    const reread = (): void => void rereadKeys(options, server, log);
    // Without a file of keys the signal ends the process, as when a terminal closes.
    if (options.keys !== undefined) process.on('SIGHUP', reread);
    const feeding = new AbortController();
    try {
      await server.ready;
      if (isWriting && !interruption.isRequested)
        await feed(await opening, { ...options, sources: options.follow, signal: feeding.signal, log });
      print(`Serving ${showPath(options.db)} at ${server.url}${options.explorer ? '/' : ''}; Ctrl-C stops it.`);
      if (options.docs !== undefined) print(`Documentation at ${server.url}/docs/`);
      if (options.mcp) print(`Agents at ${server.url}/mcp`);
      if (options.udf) print(`Charts at ${server.url}/udf`);
      if (server.metricsUrl !== undefined) print(`Metrics at ${server.metricsUrl}`);
      await interruption.requested;
    } finally {
      process.off('SIGHUP', reread);
      await backups.dispose();
      feeding.abort();
      await server.close();
    }
  } catch (error) {
    if (!(interruption.isRequested && error instanceof SwapfoldError && error.code === 'aborted')) throw error;
  } finally {
    await backups.dispose();
    interruption.dispose();
    await opening.then(
      (dex) => dex.close(),
      () => undefined,
    );
  }
}

/** A number of proxies, or their addresses, which the server checks. */
function trustedProxies(given: ServeOptions['trustProxy']): number | readonly string[] | undefined {
  return given?.length === 1 && /^\d+$/.test(given[0]!) ? Number(given[0]) : given;
}

async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new SwapfoldError('invalid-input', `--backup-dir: there is no folder "${path}"; make it first.`);
}

/** Lets the keys count that the files hold now; where they cannot be read, the old ones stay. */
async function rereadKeys(options: ServeOptions, server: RunningServer, log: ServerLog): Promise<void> {
  try {
    const config = await readConfigFile(options.config);
    const keys = await readApiKeys({ file: options.keys, config, variable: process.env.SWAPFOLD_API_KEYS });
    server.setKeys(keys);
    log.say(`Read the keys again: ${keys.length}.`);
  } catch (err) {
    log.error({ err }, 'The keys were not read again; the old ones stay:');
  }
}
