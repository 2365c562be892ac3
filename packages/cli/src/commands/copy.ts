import { builtInMetrics } from '@swapfold/core/host';
import type { Command } from 'commander';
import { configOf, readConfigFile } from '../config-file.ts';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { lend, openReader, openStore, requireStore } from '../open-store.ts';
import { examplesHelp } from '../options/store-options.ts';
import { parseStoreUrl, type StoreUrl, showPath, storeForms } from '../options/store-url.ts';
import { print } from '../output.ts';
import { formatCount } from '../text/numbers.ts';

interface CopyOptions {
  readonly from: StoreUrl;
  readonly to: StoreUrl;
  readonly config?: string | undefined;
}

/** `swapfold copy --from URL --to URL` */
export function addCopy(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('copy')
    .summary('copy a store to another engine or server')
    .description(
      'Copies a whole store, with everything that was derived of its swaps, into a new one of any engine. Nothing is folded again; the new store answers as the old one.',
    )
    .requiredOption('--from <url>', `the store to copy: ${storeForms}`, parseStoreUrl)
    .requiredOption('--to <url>', 'the store to make', parseStoreUrl)
    .option('--config <file>', 'the configuration of both, JSON (default: that of the store to copy)')
    .addHelpText('after', examplesHelp(['swapfold copy --from dex.duckdb --to clickhouse:http://localhost:8123/dex']))
    .action(async (options: CopyOptions) => end(await interruptible((signal) => copy(options, signal))));
}

async function copy({ from, to, config: configPath }: CopyOptions, signal: AbortSignal): Promise<void> {
  await requireStore(from);
  const config = await readConfigFile(configPath);
  await lend(await openReader(from, config), async (source) => {
    const metrics = source.metrics.filter((metric) => !builtInMetrics.includes(metric));
    await lend(await openStore(to, config ?? configOf(source), { metrics }), async (target) => {
      const { swaps, rows } = await target.copyFrom(source, { signal });
      print(`Copied ${formatCount(swaps)} swaps, ${formatCount(rows)} rows in all, to ${showPath(to)}.`);
    });
  });
}
