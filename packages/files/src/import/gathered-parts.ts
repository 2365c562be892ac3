import type { SwapColumns } from '@swapfold/core';
import type { Reject } from '@swapfold/core/host';
import type { HeldPart } from '../read-parts.ts';
import { numberOf } from '../read-swap-file.ts';
import { type BatchForm, type PlacedPart, type SortedParts, sortParts } from '../time-order.ts';
import type { Found } from './read-inputs.ts';

/** Parts of an import that are read before the first one is stored. */
export class GatheredParts {
  /** Rows that were read so far, with those at fault. */
  rows = 0;
  /** Files before that of the last part. */
  #files = 0;
  #last: Found<HeldPart> | undefined;
  readonly #parts: HeldPart[] = [];
  /** Those that have rows to be stored. */
  readonly #placed: (PlacedPart & { readonly file: string })[] = [];
  #places = 0;
  #sorted: SortedParts | undefined;

  add(next: Found<HeldPart>): void {
    const { of, found: part } = next;
    if (this.#last !== undefined && this.#last.of !== of) this.#files += filesOf(this.#last.found);
    this.#last = next;
    this.#parts.push(part);
    this.rows += part.rows;
    const { converted } = part;
    if (converted === undefined) return;
    this.#placed.push({ part: converted, before: this.#places, file: of.file });
    this.#places += converted.rows;
  }

  /** What part of so many files was read. */
  fractionOf(files: number): number {
    const last = this.#last?.found;
    return last === undefined ? 0 : Math.min(1, (this.#files + filesOf(last) * fractionOf(last)) / files);
  }

  /** Puts the rows in the order of their times. False, and nothing done, if each batch is behind those before it as it is. */
  async sort(form: BatchForm): Promise<boolean> {
    // One batch is put in order as it is stored.
    if (this.#placed.length > 1 || this.#places > form.batchRows) this.#sorted = await sortParts(this.#placed, form);
    if (this.#sorted === undefined) return false;
    await this.#dropParts();
    return true;
  }

  async *sorted(): AsyncGenerator<SwapColumns> {
    if (this.#sorted !== undefined) yield* this.#sorted.batches();
  }

  /** A row of a sorted batch by its own file and number there. */
  placed<T extends Pick<Reject, 'from'>>(found: T): T {
    if (this.#sorted === undefined || found.from === undefined) return found;
    const { row } = found.from;
    const { part, before, file } = this.#placed.findLast((one) => one.before <= row)!;
    return { ...found, from: { file, row: numberOf(part, row - before) } };
  }

  async drop(): Promise<void> {
    await this.#sorted?.drop();
    await this.#dropParts();
  }

  async #dropParts(): Promise<void> {
    for (const part of this.#parts) await part.drop();
  }
}

const filesOf = ({ joined }: HeldPart): number => joined?.length ?? 1;

/** What part of its file was read with a part; 0 if nobody knows. */
export function fractionOf({ bytesRead, bytesTotal }: HeldPart): number {
  return Number.isNaN(bytesTotal) ? 0 : bytesRead / bytesTotal;
}
