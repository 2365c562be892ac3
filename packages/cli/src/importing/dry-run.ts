import { type Config, memory, type SwapColumns, Swapfold } from '@swapfold/core';
import { inspectSwaps } from '@swapfold/core/host';
import { type HeldPart, isWhole, isWithoutColumns, OWN, rowsOfSwaps } from '@swapfold/files';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { StoreUrl } from '../options/store-url.ts';
import { print } from '../output.ts';
import { formatCount } from '../text/numbers.ts';
import { configOf } from './config-of.ts';
import { FileNotes } from './file-notes.ts';
import { type Input, inputName } from './inputs.ts';
import { countLines, faultLines, passedFileLines, passedLines } from './summary.ts';
import { partBatch } from './swap-batches.ts';
import { Tally } from './tally.ts';

/** Swaps that are shown of each file. */
const SHOWN = 3;

export interface DryRun {
  readonly inputs: readonly Input[];
  readonly read: (file: string) => AsyncIterable<HeldPart>;
  /** The file of the configuration, or else the store that has one: for its address format. */
  readonly config?: string | undefined;
  readonly db?: StoreUrl | undefined;
}

/**
 * Reads the files and prints how: the preset, where each field comes from, the first swaps as they would be stored, and the counts. It writes
 * nothing.
 *
 * - Exit code: `failed` where there were rows and nothing of them could be stored.
 */
export async function runDryRun({ inputs, read, ...options }: DryRun): Promise<ExitCode> {
  const config = await configOf(options);
  const [tally, notes] = [new Tally(), new FileNotes()];
  for (const { file, isNamed } of inputs) {
    try {
      await showFile(file, { read, config, tally, notes });
    } catch (error) {
      if (isNamed || !isWithoutColumns(error)) throw error;
      tally.passedFiles.push({ file, error });
    }
  }
  if (tally.passedFiles.length === inputs.length) throw tally.passedFiles[0]!.error;
  print(countsOf(tally).join('\n'));
  if (!tally.isRefused) return exitCodes.ok;
  notes.sayWhyRefused(config);
  return exitCodes.failed;
}

/** Prints how a file is read and its first swaps, and counts its rows. */
async function showFile(
  file: string,
  { read, config, tally, notes }: Pick<DryRun, 'read'> & { config: Config; tally: Tally; notes: FileNotes },
): Promise<void> {
  const swaps: SwapColumns[] = [];
  let shown = 0;
  let isFirst = true;
  for await (const part of read(file)) {
    if (isWhole(part)) continue;
    if (isFirst) print(readingLines(file, part).join('\n'));
    isFirst = false;
    const found = partBatch(part);
    notes.say(file, found);
    tally.add(file, found, await found.check(config));
    for await (const { batch } of part.batches()) {
      if (shown >= SHOWN) break;
      const first = await firstValid(batch, config, SHOWN - shown);
      shown += first.length;
      swaps.push(first);
    }
    await part.drop();
  }
  if (isFirst) print(`${inputName(file)} has no rows.`);
  if (shown > 0) print(['First swaps as they would be stored:', ...(await stored(swaps, config))].join('\n'));
}

function readingLines(file: string, { preset, records, sql }: HeldPart): string[] {
  const shape = preset === OWN ? "Swapfold's own columns" : preset === 'sql' ? 'SELECT of --sql' : `preset ${preset}`;
  return [`${inputName(file)}: ${shape}${records === undefined ? '' : `, rows: ${records}`}`, sql, ''];
}

function countsOf(tally: Tally): string[] {
  const { added = 0 } = tally.counts;
  return [
    `Read ${formatCount(tally.rows)} rows. Nothing was written.`,
    ...countLines([
      ['swaps', added],
      ['rejected', tally.rejected],
      ['passed over', tally.passed],
    ]),
    ...passedLines(tally.reasons),
    ...passedFileLines(tally.passedFiles),
    ...faultLines('Rejected', tally.rejects, tally.rejected),
  ];
}

/** The first rows of a batch that could be stored. */
async function firstValid(batch: SwapColumns, config: Config, most: number): Promise<SwapColumns> {
  const refused = new Set<number>();
  await inspectSwaps(batch, config, ({ row }) => refused.add(row));
  const rows: number[] = [];
  for (let row = 0; row < batch.length && rows.length < most; row++) if (!refused.has(row)) rows.push(row);
  return rowsOfSwaps(batch, Uint32Array.from(rows));
}

/** The swaps as a store answers with them, in the order of the file. */
async function stored(batches: readonly SwapColumns[], config: Config): Promise<string[]> {
  const { chain, address_format, quote_tokens, dust_usd } = config;
  const dex = await Swapfold.open({ storage: memory(), config: { chain, address_format, quote_tokens, dust_usd } });
  try {
    const lines: string[] = [];
    for (const batch of batches) {
      for (let row = 0; row < batch.length; row++) {
        const { added } = await dex.ingest(rowsOfSwaps(batch, Uint32Array.of(row)));
        if (added === 0) continue;
        const [hash, index] = [batch.columns.tx_hash[row], batch.columns.swap_index[row]];
        const { data } = await dex.swaps.list({ limit: 10 });
        const swap = data.find((one) => digitsOf(one.tx_hash) === digitsOf(hash!) && one.swap_index === index);
        lines.push(`  ${JSON.stringify(swap)}`);
      }
    }
    return lines;
  } finally {
    await dex.close();
  }
}

/** A hash without what its chain may read it with or without. */
const digitsOf = (hash: string): string => hash.toLowerCase().replace(/^0x/, '');
