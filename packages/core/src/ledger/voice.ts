import { type Batch, NO_ID } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';

/** What says whether a print has a voice. */
type Exchanges = Batch<typeof swapsTable, 'tx' | 'pool' | 'token_in' | 'token_out'>;

/** Bits of a row of `mutesOf`: its transaction also moved the given, or the received, token the other way through its pool. */
export const MUTE_IN = 1;
export const MUTE_OUT = 2;

/** Swaps of a transaction that are compared with each other one by one. */
const FEW = 12;

/**
 * Which prints have no voice (docs/reference/metrics.md, "Prices"): their transaction, over all wallets, moved the token both in and out
 * through their pool, or without a pool against the same other token.
 *
 * - `swaps`: in chain order, transactions whole.
 * - Shape: a row of bits for each swap. A swap of a token for itself has none set, and takes no other's voice.
 */
export function mutesOf(swaps: Exchanges): Uint8Array {
  const { tx } = swaps.columns;
  const mutes = new Uint8Array(swaps.length);
  for (let start = 0; start < swaps.length; ) {
    let end = start + 1;
    while (end < swaps.length && tx[end] === tx[start]) end++;
    if (end - start > FEW) muteMany(swaps, start, end, mutes);
    else if (end - start > 1) muteFew(swaps, start, end, mutes);
    start = end;
  }
  return mutes;
}

function muteFew({ columns: c }: Exchanges, start: number, end: number, mutes: Uint8Array): void {
  for (let a = start; a < end; a++)
    for (let b = a + 1; b < end; b++) {
      if (c.pool[a] !== c.pool[b] || c.token_in[a] === c.token_out[a] || c.token_in[b] === c.token_out[b]) continue;
      const givesBack = c.token_in[a] === c.token_out[b];
      const takesBack = c.token_out[a] === c.token_in[b];
      if (c.pool[a] === NO_ID && !(givesBack && takesBack)) continue;
      if (givesBack) {
        mutes[a]! |= MUTE_IN;
        mutes[b]! |= MUTE_OUT;
      }
      if (takesBack) {
        mutes[a]! |= MUTE_OUT;
        mutes[b]! |= MUTE_IN;
      }
    }
}

/** As `muteFew`, in a time that does not grow with the square. */
function muteMany({ columns: c }: Exchanges, start: number, end: number, mutes: Uint8Array): void {
  const given = new Set<string>();
  const received = new Set<string>();
  const wayOf = (row: number, token: number, other: number): string =>
    c.pool[row] === NO_ID ? `${token} ${other}` : `${token} in ${c.pool[row]}`;
  for (const isNoting of [true, false])
    for (let row = start; row < end; row++) {
      const [tokenIn, tokenOut] = [c.token_in[row]!, c.token_out[row]!];
      if (tokenIn === tokenOut) continue;
      const [wayIn, wayOut] = [wayOf(row, tokenIn, tokenOut), wayOf(row, tokenOut, tokenIn)];
      if (isNoting) {
        given.add(wayIn);
        received.add(wayOut);
      } else {
        if (received.has(wayIn)) mutes[row]! |= MUTE_IN;
        if (given.has(wayOut)) mutes[row]! |= MUTE_OUT;
      }
    }
}
