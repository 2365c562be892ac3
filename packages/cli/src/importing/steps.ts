import type { Config } from '@swapfold/core';
import { type AddressFormat, normalAddress } from '@swapfold/core/host';
import { type ImportStep, type ImportSummary, inputName } from '@swapfold/files';
import { note } from '../output.ts';
import type { Progress } from '../progress/progress.ts';

/** What stands for the preset of a SELECT of one's own. */
const SQL = 'sql';

/** Tells the steps of an import on standard error. */
export class StepTeller {
  readonly #summary: ImportSummary;
  readonly #progress: Progress | undefined;
  #begun: number | undefined;
  #file: string | undefined;
  /** What of all files goes on. */
  #going: 'reading' | 'folding' | undefined;
  #hasStopped = false;

  constructor(summary: ImportSummary, progress?: Progress) {
    this.#summary = summary;
    this.#progress = progress;
  }

  /** Whether a file could be read. */
  get hasBegun(): boolean {
    return this.#begun !== undefined;
  }

  /** Since the first file was opened. */
  get seconds(): number {
    return this.#begun === undefined ? 0 : (performance.now() - this.#begun) / 1000;
  }

  tell(step: ImportStep): void {
    if (step.kind === 'reading' || step.kind === 'folding') {
      this.#begun ??= performance.now();
      if (this.#going !== step.kind) this.#progress?.begin(step.kind, 'rows');
      this.#going = step.kind;
      this.#progress?.advance(step.fraction, step.rows);
      return;
    }
    if (this.#going === 'reading') {
      this.#progress?.end();
      this.#going = undefined;
    }
    if (step.kind === 'unread')
      note(
        `${step.folder}: passed over, by their names no files that can be read: ${firstOf(step.files, 10)}. Name them to have them read by their content.`,
      );
    else if (step.kind === 'file') {
      this.#begun ??= performance.now();
      this.#file = step.file;
      this.#progress?.begin(inputName(step.file), 'rows');
      noteReading(step);
    } else if (step.kind === 'zoneless')
      note(`${inputName(step.file)} has times without a zone: they are read as UTC.`);
    else if (step.kind === 'stopped') this.#tellStopped(step.file);
    else if (step.kind === 'end') {
      this.#file = undefined;
      const done = this.#progress?.end();
      if (step.rows > 0 && done !== undefined) note(done);
    } else this.#progress?.advance(step.fraction, step.rows);
  }

  /** No more steps come: the import has ended, or its store failed in the file at hand. */
  end(): void {
    const file = this.#file;
    if (file !== undefined || this.#going !== undefined) this.#progress?.end();
    if (file !== undefined && !this.#hasStopped) this.#tellStopped(file);
  }

  #tellStopped(file: string): void {
    this.#hasStopped = true;
    if (this.#progress !== undefined && this.#summary.rows > 0) note(`Stopped in ${file}.`);
  }
}

/** How a file is read, if not by Swapfold's own columns, and what of it is not. */
function noteReading({ file, preset, records, unused }: Extract<ImportStep, { kind: 'file' }>): void {
  const name = inputName(file);
  if (preset === SQL) note(`${name} is read with --sql.`);
  else if (preset !== undefined) note(`${name} is read with the preset ${preset}.`);
  if (records !== undefined) note(`${name}: rows: ${records}`);
  if (unused.length > 0) note(`${name} has columns that are not used: ${firstOf(unused, 20)}.`);
}

/** Of files of which nothing could be stored: what is wrong with their addresses, if it is that. */
export function noteRefused(summary: ImportSummary, { address_format: format }: Config): void {
  if (format === 'any') return;
  const refused = summary.rejects.flatMap(
    ({ reason }) => /^is not an address of format .*: "(.*)"$/.exec(reason)?.[1] ?? [],
  );
  const is = (other: AddressFormat): boolean => refused.some((text) => normalAddress(text, other) !== undefined);
  const other = summary.addresses ?? (['evm', 'solana'] as const).find((one) => one !== format && is(one));
  if (other !== undefined && other !== format)
    note(
      `The addresses are of format "${other}", the configuration is for "${format}". Give another with --config FILE, such as {"preset": "${other === 'evm' ? 'ethereum' : 'solana'}"}.`,
    );
  else if (refused.length > 0)
    note(
      'Wallets and tokens are named by their addresses. If the file has symbols or names instead, give the address of each in a SELECT: --sql.',
    );
}

function firstOf(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
