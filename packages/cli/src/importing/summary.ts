import { type FileReject, type ImportSummary, inputName, OTHER_CHAIN, STDIN } from '@swapfold/files';
import { formatCount, formatElapsed } from '../text/numbers.ts';
import { inOptionWords } from './option-words.ts';

/** What an import tells at its end. */
export function summaryLines(
  tally: ImportSummary,
  o: { readonly seconds: number; readonly skipSame: boolean },
): string[] {
  const files = tally.files === 1 ? 'one file' : `${tally.files} files`;
  const rate = formatCount(tally.rows / Math.max(o.seconds, 0.001));
  const counts = Object.entries({ ...tally.counts, rejected: tally.rejected });
  return [
    `Read ${formatCount(tally.rows)} rows of ${files} in ${formatElapsed(o.seconds)}, ${rate} rows/s.`,
    ...(tally.presets.size > 0 ? [`Preset: ${[...tally.presets].join(', ')}.`] : []),
    ...countLines(tally.passed > 0 ? [...counts, ['passed over', tally.passed]] : counts),
    ...sameLines(tally, o.skipSame),
    ...aggregateLines(tally),
    ...oddHashLines(tally),
    ...unindexedLines(tally),
    ...unorderedLines(tally),
    ...passedLines(tally),
    ...passedFileLines(tally.passed_files),
    ...rejectLines(tally),
    ...faultLines('Conflicting', tally.conflicts, tally.counts.conflicting ?? 0),
  ];
}

function sameLines({ same }: ImportSummary, isSameLeftOut: boolean): string[] {
  if (same === 0) return [];
  const what = same === 1 ? '1 swap is' : `${formatCount(same)} swaps are`;
  const then = isSameLeftOut
    ? 'Left out, as --skip-same says, and counted as duplicate.'
    : 'They are stored, too; --skip-same leaves them out.';
  return [`${what} in the store under another index, maybe from another source. ${then}`];
}

function unorderedLines({ unordered }: ImportSummary): string[] {
  if (unordered === 0) return [];
  const [what, their] = unordered === 1 ? ['1 swap is', 'its'] : [`${formatCount(unordered)} swaps are`, 'their'];
  return [
    `${what} in order by ${their} hash alone, which is chance, among the swaps of ${their} token and second. --keep-order takes the order of the files.`,
  ];
}

export function countLines(counts: readonly (readonly [name: string, count: number])[]): string[] {
  const width = Math.max(...counts.map(([, count]) => formatCount(count).length));
  return counts.map(([name, count]) => `  ${name.padEnd(12)}${formatCount(count).padStart(width)}`);
}

function aggregateLines({ aggregates }: ImportSummary): string[] {
  if (aggregates === 0) return [];
  const what = aggregates === 1 ? '1 swap is' : `${formatCount(aggregates)} swaps are`;
  return [
    `Warning: ${what} the sum of the other swaps of the same transaction, as rows of an aggregator are beside those of its pools. They are stored, and count volumes and amounts twice: import one of the two kinds.`,
  ];
}

function oddHashLines({ odd_hashes }: ImportSummary): string[] {
  if (odd_hashes === 0) return [];
  const what = odd_hashes === 1 ? '1 row has a hash' : `${formatCount(odd_hashes)} rows have hashes`;
  return [`${what} that no EVM chain has (64 hex digits, with or without 0x): taken as given.`];
}

export function unindexedLines({ unindexed }: Pick<ImportSummary, 'unindexed'>): string[] {
  if (unindexed === 0) return [];
  const [what, their] = unindexed === 1 ? ['1 row has', 'its'] : [`${formatCount(unindexed)} rows have`, 'their'];
  return [
    `${what} no swap_index: a hash of ${their} wallet, tokens and amounts stands for it. Swaps of one transaction that agree in all of these count once, and chance orders the others. If a column says where a swap stands in its transaction, such as a log index, name it: --map COLUMN=swap_index.`,
  ];
}

export function passedLines({ kind, reasons }: Pick<ImportSummary, 'kind' | 'reasons'>): string[] {
  const isOfChain = ([reason]: readonly [string, number]): boolean => reason.startsWith(OTHER_CHAIN);
  const all = [...reasons];
  const lines = (some: readonly (readonly [string, number])[]): string[] =>
    some.map(([reason, count]) => `  ${formatCount(count)}: ${reason.replace(OTHER_CHAIN, '')}`);
  const [ofChains, others] = [all.filter(isOfChain), all.filter((one) => !isOfChain(one))];
  return [
    ...(ofChains.length === 0
      ? []
      : ['Passed over, because they are of other chains than the store:', ...lines(ofChains)]),
    ...(others.length === 0 ? [] : [`Passed over, because they are no ${kind}:`, ...lines(others)]),
  ];
}

/** Files whose reasons are shown. */
const MOST_FILES = 5;

export function passedFileLines(files: ImportSummary['passed_files']): string[] {
  if (files.length === 0) return [];
  const rest = files.length - MOST_FILES;
  return [
    `Passed over ${files.length === 1 ? 'one file' : `${files.length} files`} without the columns:`,
    ...files.slice(0, MOST_FILES).map(({ file, error }) => `  ${file}: ${inOptionWords(error.message)}`),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : []),
  ];
}

export function rejectLines({ rejects, rejected }: Pick<ImportSummary, 'rejects' | 'rejected'>): string[] {
  return faultLines('Rejected', rejects, rejected);
}

/** Rows at fault that are shown. */
const MOST_FAULTS = 5;

function faultLines(title: string, all: readonly FileReject[], count: number): string[] {
  if (count === 0) return [];
  const first = all.slice(0, MOST_FAULTS);
  const rest = count - first.length;
  return [
    `${title}:`,
    ...first.map(
      ({ file, row, field, reason }) =>
        `  ${file === STDIN ? inputName(file) : file} row ${row}: ${field === '' ? 'it' : field} ${inOptionWords(reason)}`,
    ),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : []),
  ];
}
