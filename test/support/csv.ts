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
  const [header, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const names = header!.split(',');
  return lines.map(
    (line) =>
      Object.fromEntries(
        line.split(',').map((cell, i) => [names[i], cell === '' ? null : texts.has(names[i]!) ? cell : Number(cell)]),
      ) as unknown as SwapInput,
  );
}
