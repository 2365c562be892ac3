import type { Config } from '@swapfold/core';
import { expandInputs, inputName } from '../importing/inputs.ts';
import type { PriceFile, RowReject } from './price-file.ts';
import { tokenOfFile, withoutToken } from './quote-token.ts';
import { readPrices } from './read-prices.ts';
import { isNoText, isUnknownShape } from './shapes.ts';
import type { PriceRow } from './stored-prices.ts';

/** A row of one of several files that cannot be stored. */
export interface LocatedReject extends RowReject {
  readonly file: string;
}

/** The prices of all files, in their order. */
export interface GatheredPrices {
  readonly files: readonly string[];
  readonly rows: number;
  /** The shapes of the files. */
  readonly shapes: ReadonlySet<string>;
  readonly prices: readonly PriceRow[];
  /** Where each price comes from. */
  readonly origins: readonly { readonly file: string; readonly row: number }[];
  readonly rejects: readonly LocatedReject[];
  /** Rows that were passed over, by reason. */
  readonly passed: ReadonlyMap<string, number>;
  /** Files of folders and patterns that have another shape. */
  readonly passedFiles: readonly string[];
}

/**
 * Reads the files.
 *
 * - `token`: the address of the token whose prices those are that do not name one.
 * - Errors: `invalid-input` for prices without a token, for a named file of another shape, and if every file has another shape.
 */
export async function gatherPrices(
  inputs: readonly string[],
  { config, token, now }: { readonly config: Config; readonly token: string | undefined; readonly now: number },
): Promise<GatheredPrices> {
  const files: string[] = [];
  const passedFiles: string[] = [];
  const shapes = new Set<string>();
  const prices: PriceRow[] = [];
  const origins: { file: string; row: number }[] = [];
  const rejects: LocatedReject[] = [];
  const passed = new Map<string, number>();
  let rows = 0;
  let otherShape: unknown;
  for (const { file, isNamed } of await expandInputs(inputs)) {
    let found: PriceFile;
    try {
      found = await readPrices(file, inputName(file), now);
    } catch (error) {
      if (isNamed || !(isUnknownShape(error) || isNoText(error))) throw error;
      otherShape ??= error;
      passedFiles.push(file);
      continue;
    }
    files.push(file);
    shapes.add(found.shape);
    rows += found.rows;
    for (const [reason, count] of found.passed) passed.set(reason, (passed.get(reason) ?? 0) + count);
    for (const reject of found.rejects) rejects.push({ ...reject, file });
    for (const { row, token: named, time, usd_price } of found.prices) {
      const address = named === undefined ? token : tokenOfFile(config, named);
      if (address === undefined) throw withoutToken(inputName(file), config);
      prices.push({ token: address, time, usd_price });
      origins.push({ file, row });
    }
  }
  if (files.length === 0 && otherShape !== undefined) throw otherShape;
  return { files, rows, shapes, prices, origins, rejects, passed, passedFiles };
}
