import { FILE_ROWS, fractionOfMoment } from '../records/moment.ts';
import type { InputBatch } from './batches.ts';
import type { ChainKeys } from './chain-keys.ts';

/** The places of a batch's rows in the files whose order is kept: `first`, and one more or less for each row after it. */
export interface FilePlaces {
  readonly first: number;
  readonly step: 1 | -1;
}

/** A batch of a file, by the name of the file; without names all batches are of one. */
export interface FileBatch {
  readonly batch: InputBatch;
  readonly file?: string | undefined;
}

export interface PlacedBatch {
  readonly batch: InputBatch;
  readonly places?: FilePlaces | undefined;
}

/**
 * The batches with the places that their rows have in chain order, however the files are cut into batches. A file whose second distinct
 * time is before its first one is placed from its end. Batches wait until that is known of their file.
 *
 * - `firstFile`: how many files have places already.
 * - `keysOf`: the swaps of a batch that pass the checks.
 */
export async function* inFileOrder(
  batches: AsyncIterable<FileBatch>,
  firstFile: number,
  keysOf: (batch: InputBatch) => Promise<ChainKeys>,
): AsyncGenerator<PlacedBatch> {
  let number = firstFile - 1;
  let file: FileDirection | undefined;
  let waiting: InputBatch[] = [];
  let rows = 0;
  let name: string | undefined;
  function* placed(isFalling: boolean): Generator<PlacedBatch> {
    for (const batch of waiting) {
      yield { batch, places: placesFrom({ file: number, row: rows, isFalling }) };
      rows += batch.length;
    }
    waiting = [];
  }
  for await (const item of batches) {
    if (file === undefined || item.file !== name) {
      yield* placed(false);
      file = new FileDirection();
      name = item.file;
      rows = 0;
      number++;
    }
    waiting.push(item.batch);
    if (file.isFalling === undefined) file.see(await keysOf(item.batch));
    if (file.isFalling !== undefined) yield* placed(file.isFalling);
  }
  yield* placed(false);
}

/** The places of rows from number `row` of a file on: from 1, since 0 is no place. */
export function placesFrom(o: {
  readonly file: number;
  readonly row: number;
  readonly isFalling: boolean;
}): FilePlaces {
  const { file, row, isFalling } = o;
  return isFalling
    ? { first: (file + 1) * FILE_ROWS - 1 - row, step: -1 }
    : { first: file * FILE_ROWS + 1 + row, step: 1 };
}

/** Whether a file runs from new to old, which its second distinct time tells. */
class FileDirection {
  isFalling: boolean | undefined;
  #first: readonly [time: number, fraction: number] | undefined;

  see({ time, moment, length }: ChainKeys): void {
    for (let row = 0; row < length && this.isFalling === undefined; row++) {
      this.#first ??= [time[row]!, fractionOfMoment(moment[row]!)];
      const [first, fraction] = this.#first;
      const later = time[row]! - first || fractionOfMoment(moment[row]!) - fraction;
      if (later !== 0) this.isFalling = later < 0;
    }
  }
}
