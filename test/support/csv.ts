import { readFileSync } from 'node:fs';
import type { SwapInput } from '@swapfold/core';

const texts = new Set([
  'protocol',
  'wallet',
  'token_in',
  'token_out',
  'token_symbol_in',
  'token_symbol_out',
  'tx_hash',
]);

/** The rows of a CSV file without quoted cells as swap objects; an empty cell is `null`. */
export function readSwapsCsv(path: string): SwapInput[] {
  return parseSwapsCsv(readFileSync(path, 'utf8'));
}

/** The same of the file's text. */
export function parseSwapsCsv(text: string): SwapInput[] {
  const [header, ...lines] = text.trim().split('\n');
  const names = header!.split(',');
  return lines.map(
    (line) =>
      Object.fromEntries(
        line.split(',').map((cell, i) => [names[i], cell === '' ? null : texts.has(names[i]!) ? cell : Number(cell)]),
      ) as unknown as SwapInput,
  );
}
