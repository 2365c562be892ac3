import type { Config } from '@swapfold/core';
import {
  type ImportFilesOptions,
  type ImportStep,
  type ImportSummary,
  importFiles,
  inputName,
  OWN,
} from '@swapfold/files';
import type { ExitCode } from '../exit-codes.ts';
import { print } from '../output.ts';
import { formatCount } from '../text/numbers.ts';
import { endOf } from './run-import.ts';
import { StepTeller } from './steps.ts';
import { countLines, passedFileLines, passedLines, rejectLines, unindexedLines } from './summary.ts';

/**
 * Reads the files and prints how: the preset, where each field comes from, the first swaps as they would be stored, and the counts. It writes
 * nothing.
 *
 * - Exit code: `failed` where there were rows and nothing of them could be stored.
 */
export async function runDryRun(
  inputs: readonly string[],
  config: Config,
  reading: ImportFilesOptions,
): Promise<ExitCode> {
  const importing = importFiles({ config }, inputs, reading);
  const teller = new StepTeller(importing.summary);
  let shown: string | undefined;
  for await (const step of importing) {
    if (step.kind === 'file') {
      shown = step.file;
      print(readingLines(step).join('\n'));
    }
    teller.tell(step);
    if (step.kind !== 'end') continue;
    if (shown !== step.file) print(`${inputName(step.file)} has no rows.`);
    const first = (step.first ?? []).map((row) => `  ${JSON.stringify(row)}`);
    if (first.length > 0) print([`First ${importing.summary.kind} as they would be stored:`, ...first].join('\n'));
  }
  print(countsOf(importing.summary).join('\n'));
  return endOf(importing.summary, config);
}

function readingLines({ file, preset = OWN, records, sql }: Extract<ImportStep, { kind: 'file' }>): string[] {
  const shape = preset === OWN ? "Swapfold's own columns" : preset === 'sql' ? 'SELECT of --sql' : `preset ${preset}`;
  return [`${inputName(file)}: ${shape}${records === undefined ? '' : `, rows: ${records}`}`, sql ?? '', ''];
}

function countsOf(summary: ImportSummary): string[] {
  const { rows, counts, rejected, passed, passed_files } = summary;
  return [
    `Read ${formatCount(rows)} rows. Nothing was written.`,
    ...countLines([
      [summary.kind, counts.added ?? 0],
      ['rejected', rejected],
      ['passed over', passed],
    ]),
    ...unindexedLines(summary),
    ...passedLines(summary),
    ...passedFileLines(passed_files),
    ...rejectLines(summary),
  ];
}
