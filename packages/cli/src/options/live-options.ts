import { presetNamesHelp } from '@swapfold/files';
import { type Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../number-options.ts';
import { addEvmOptions, type EvmOptions } from '../sources/evm.ts';
import { addSolanaOptions, type SolanaOptions } from '../sources/solana.ts';
import type { ColumnMap } from './column-map.ts';
import { addToColumnMap } from './column-map.ts';

/** The options of a command that takes swaps in while it runs. */
export interface LiveOptions extends EvmOptions, SolanaOptions {
  /** Seconds. */
  readonly refreshEvery: number;
  readonly refreshAllEvery: number;
  readonly maxAhead: number;
  readonly keep?: string | undefined;
  readonly preset: string;
  readonly map?: ColumnMap | undefined;
  readonly rowIds?: true;
}

const seconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** Seconds of a text such as `2s`, `5m` or `500ms`; `0` is never. */
export function parseDuration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  if (number === undefined || (unit === undefined && Number(number) !== 0))
    throw new InvalidArgumentError('Give a time such as 2s, 5m or 500ms; 0 is never.');
  return Number(number) * (seconds[unit ?? 's'] ?? 1);
}

export function addLiveOptions(command: Command): Command {
  return addSolanaOptions(addEvmOptions(command))
    .option(
      '--refresh-every <time>',
      'how long after new swaps the profiles of what was traded are refreshed (default: 2s; 0: never)',
      parseDuration,
      2,
    )
    .option(
      '--refresh-all-every <time>',
      'how often all profiles are, for at most a tenth of the time (default: 5m; 0: never)',
      parseDuration,
      300,
    )
    .option(
      '--max-ahead <seconds>',
      'how far ahead of the clock a swap that comes in may be; later ones are rejected',
      wholeNumber(0, 1_000_000_000),
      600,
    )
    .option('--keep <days>', 'the days up to the newest swap that the store keeps, such as 45d (default: all)')
    .option(
      '--map <theirs=ours>',
      'a column of what is followed and the field that it holds; repeat it',
      addToColumnMap,
    )
    .option(
      '--preset <name>',
      `the shape of what is followed: ${presetNamesHelp('swaps')}, or a file of your own`,
      'auto',
    )
    .option('--row-ids', 'derive tx_hash from the content of rows that have none');
}
