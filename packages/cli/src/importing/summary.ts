import { formatCount, formatElapsed } from '../text/numbers.ts';
import type { PassedFile } from './each-batch.ts';
import { inputName, STDIN } from './inputs.ts';
import type { LocatedReject, Tally } from './tally.ts';

/** What an import tells at its end. */
export function summaryLines(tally: Tally, o: { readonly files: number; readonly seconds: number }): string[] {
  const files = o.files === 1 ? 'one file' : `${o.files} files`;
  const rate = formatCount(tally.rows / Math.max(o.seconds, 0.001));
  const counts = Object.entries({ ...tally.counts, rejected: tally.rejected });
  return [
    `Read ${formatCount(tally.rows)} rows of ${files} in ${formatElapsed(o.seconds)}, ${rate} rows/s.`,
    ...(tally.presets.size > 0 ? [`Preset: ${[...tally.presets].join(', ')}.`] : []),
    ...countLines(tally.passed > 0 ? [...counts, ['passed over', tally.passed]] : counts),
    ...sameLines(tally),
    ...unorderedLines(tally),
    ...passedLines(tally.reasons),
    ...passedFileLines(tally.passedFiles),
    ...faultLines('Rejected', tally.rejects, tally.rejected),
    ...faultLines('Conflicting', tally.conflicts, tally.counts.conflicting ?? 0),
  ];
}

function sameLines({ same, isSameLeftOut }: Tally): string[] {
  if (same === 0) return [];
  const what = same === 1 ? '1 swap is' : `${formatCount(same)} swaps are`;
  const then = isSameLeftOut
    ? 'Left out, as --skip-same says, and counted as duplicate.'
    : 'They are stored, too; --skip-same leaves them out.';
  return [`${what} in the store under another index, maybe from another source. ${then}`];
}

function unorderedLines({ unordered }: Tally): string[] {
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

export function passedLines(reasons: ReadonlyMap<string, number>): string[] {
  if (reasons.size === 0) return [];
  return [
    'Passed over, because they are no swaps:',
    ...[...reasons].map(([reason, count]) => `  ${formatCount(count)}: ${reason}`),
  ];
}

/** Files whose reasons are shown. */
const MOST_FILES = 5;

export function passedFileLines(files: readonly PassedFile[]): string[] {
  if (files.length === 0) return [];
  const rest = files.length - MOST_FILES;
  return [
    `Passed over ${files.length === 1 ? 'one file' : `${files.length} files`} without the columns:`,
    ...files.slice(0, MOST_FILES).map(({ file, error }) => `  ${file}: ${error.message}`),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : []),
  ];
}

export function faultLines(title: string, first: readonly LocatedReject[], count: number): string[] {
  if (count === 0) return [];
  const rest = count - first.length;
  return [
    `${title}:`,
    ...first.map(
      ({ file, row, field, reason }) =>
        `  ${file === STDIN ? inputName(file) : file} row ${row}: ${field === '' ? 'it' : field} ${reason}`,
    ),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : []),
  ];
}
