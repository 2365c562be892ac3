import { stat } from 'node:fs/promises';
import type { StoreInfo, Swapfold } from '@swapfold/core';
import { builtInMetrics, formatTime, metricPath } from '@swapfold/core/host';
import type { Command } from 'commander';
import { configOf } from '../config-file.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type StoreUrl, showPath } from '../options/store-url.ts';
import { stableFeedText, swapCount, tradeCount, unvaluedText } from '../prices/valuation.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { formatCompact, formatCount, formatMegabytes, formatPercent } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

/** What an engine writes beside the file of a store. */
const beside = ['', '-wal', '.wal'] as const;

/** `swapfold info` */
export function addInfo(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('info')
    .summary('what a store holds, and its configuration')
    .description(
      'Shows how much a store holds, from when to when, as of when its profiles are, and its configuration.',
    );
  addFormatOption(addAskOptions(command))
    .addHelpText('after', examplesHelp(['swapfold info', 'swapfold info --db dex.duckdb --format json']))
    .action(async (options: StoreOptions & { readonly format: AnswerFormat }) => {
      await withStoreToAsk(options, async (dex) => {
        const info = await dex.info();
        const all = {
          store: showPath(options.db),
          bytes: await bytesOf(options.db),
          ...info,
          own_metrics: ownMetrics(dex),
          config: configOf(dex),
        };
        await printAnswer({ json: all, rows: [all], lines: () => infoLines(all, dex) }, options.format);
      });
      end(exitCodes.ok);
    });
}

/** Bytes of the files of a store; `null` on a server. */
async function bytesOf({ engine, path }: StoreUrl): Promise<number | null> {
  if (engine === 'clickhouse') return null;
  const sizes = await Promise.all(
    beside.map((suffix) =>
      stat(path + suffix).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const ownMetrics = ({ metrics }: Swapfold): string[] =>
  metrics.filter((metric) => !builtInMetrics.includes(metric)).map(metricPath);

function infoLines(
  info: StoreInfo & { readonly store: string; readonly bytes: number | null; readonly own_metrics: readonly string[] },
  { config }: Swapfold,
): string[] {
  const time = (seconds: number | null): string => (seconds === null ? formatCompact(null) : formatTime(seconds));
  const rules = (['tokens', 'wallets', 'positions'] as const).map((kind) => `${config.labels[kind].length} of ${kind}`);
  const lines: readonly (readonly [string, string])[] = [
    ['store', `${info.store} (${info.engine}, schema ${info.schema_version})`],
    ['size', info.bytes === null ? formatCompact(null) : formatMegabytes(info.bytes)],
    ['swaps', `${formatCount(info.swaps)} in ${formatCount(info.transactions)} transactions`],
    ['without value', unvaluedText(info)],
    ['contradicted', swapCount(info.valuation.contradicted)],
    ['feeds say', stableFeedText(info)],
    ['trades', formatCount(info.trades)],
    ['transfers', formatCount(info.transfers)],
    ['with gaps', tradeCount(info.ledger.trades_with_gaps)],
    ['wrong balances', tradeCount(info.ledger.contradicted_balances)],
    [
      'sold without cost',
      info.ledger.unmatched_share === null
        ? formatCompact(null)
        : `${formatPercent(info.ledger.unmatched_share)} of the value`,
    ],
    ['horizon', info.horizon === null ? 'nothing forgotten' : time(info.horizon)],
    ['from', time(info.first_swap_at)],
    ['to', time(info.last_swap_at)],
    ['profiles as of', info.profiles_as_of === null ? 'never refreshed' : time(info.profiles_as_of)],
    ['wallets', formatCount(info.wallets)],
    ['tokens', formatCount(info.tokens)],
    ['positions', formatCount(info.positions)],
    ['own metrics', info.own_metrics.length === 0 ? 'none' : info.own_metrics.join(', ')],
    ['chain', `${config.chain} (addresses: ${config.address_format})`],
    ...config.quote_tokens.map(
      ({ symbol, kind, address }, i) => [i === 0 ? 'quote tokens' : '', `${symbol} (${kind}) ${address}`] as const,
    ),
    ['dust', `$${config.dust_usd}`],
    ['clock', config.clock],
    [
      'label rules',
      `${config.labels.mode === 'extend' ? 'the default ones' : 'none of the default ones'}, and ${rules.join(', ')}`,
    ],
  ];
  const [, , ...rows] = tableLines(
    [
      { title: '', align: 'left' },
      { title: '', align: 'left' },
    ],
    lines,
  );
  return rows;
}
