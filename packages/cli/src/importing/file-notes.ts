import type { Config } from '@swapfold/core';
import { note } from '../output.ts';
import type { FileBatch } from './file-batch.ts';
import { inputName } from './inputs.ts';

/** What stands for the preset of a SELECT of one's own. */
const SQL = 'sql';

/** Says on standard error, once each, what a user should know of the files. */
export class FileNotes {
  private readonly files = new Set<string>();
  private isZonelessSaid = false;
  private addresses: FileBatch['addresses'];

  say(file: string, { preset, records, unused, isZoneless, addresses }: FileBatch): void {
    if (!this.files.has(file)) {
      this.files.add(file);
      if (preset === SQL) note(`${inputName(file)} is read with --sql.`);
      else if (preset !== undefined) note(`${inputName(file)} is read with the preset ${preset}.`);
      if (records !== undefined) note(`${inputName(file)}: rows: ${records}`);
      if (unused.length > 0) note(unusedLine(file, unused));
    }
    if (isZoneless && !this.isZonelessSaid) {
      this.isZonelessSaid = true;
      note(`${inputName(file)} has times without a zone: they are read as UTC.`);
    }
    this.addresses ??= addresses;
  }

  /** Of files of which nothing could be stored: whether their addresses are of another format than the store's. */
  sayWhyRefused({ address_format: format }: Config): void {
    if (this.addresses === undefined || format === this.addresses || format === 'any') return;
    const preset = this.addresses === 'evm' ? 'ethereum' : 'solana';
    note(
      `The addresses are of format "${this.addresses}", the configuration is for "${format}". Give another with --config FILE, such as {"preset": "${preset}"}.`,
    );
  }
}

function unusedLine(file: string, unused: readonly string[]): string {
  const shown = unused.slice(0, 20).join(', ');
  const rest = unused.length > 20 ? ` and ${unused.length - 20} more` : '';
  return `${inputName(file)} has columns that are not used: ${shown}${rest}.`;
}
