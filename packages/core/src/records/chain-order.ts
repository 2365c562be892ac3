/**
 * Where a swap stands in chain order, as one exact double.
 *
 * Chain order is (block_time, block_slot or 0, tx_index or 0, moment, place in the file or 0, tx_hash, swap_index); a moment is made of the
 * log index and the fraction of the second (`records/moment.ts`). `seq` packs the second and the rank of the swap
 * among the swaps of that second: a function of which swaps are stored, not of how they arrived. A late swap re-ranks its second and
 * nothing else. Ranks step by 2, so that the two trades of a token-to-token swap have a place each.
 */
export const SECOND = 2 ** 20;

/** Swaps that may share one block_time. */
export const MAX_SWAPS_A_SECOND = SECOND / 2;

/** The greatest `swap_index`. */
export const MAX_SWAP_INDEX = 2 ** 31 - 1;

export function seqOf(blockTime: number, rank: number): number {
  return blockTime * SECOND + rank * 2;
}

export function timeOf(seq: number): number {
  return Math.floor(seq / SECOND);
}

export function rankOf(seq: number): number {
  return (seq - timeOf(seq) * SECOND) / 2;
}

/** The greatest seq a swap or trade at or before `time` can have. */
export function lastSeqAt(time: number): number {
  return (time + 1) * SECOND - 1;
}

/** The least seq a swap or trade at `time` or later can have. */
export function firstSeqAt(time: number): number {
  return time * SECOND;
}

const TOKENS = 2 ** 26;

/** Ids a dictionary may hold, so that a pair of two packs into one exact double. */
export const MAX_IDS = TOKENS;

export function pairOf(wallet: number, token: number): number {
  return wallet * TOKENS + token;
}

/** The least and the greatest key that a pair of this wallet can have: its pairs lie together. */
export function pairsOf(wallet: number): readonly [first: number, last: number] {
  return [pairOf(wallet, 0), pairOf(wallet, TOKENS - 1)];
}

export function pairWallet(pair: number): number {
  return Math.floor(pair / TOKENS);
}

export function pairToken(pair: number): number {
  return pair % TOKENS;
}

/** Orders text by code point, as every engine orders UTF-8 bytes; JavaScript's `<` compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      const isHighX = x >= 0xd800 && x <= 0xdfff;
      const isHighY = y >= 0xd800 && y <= 0xdfff;
      return isHighX === isHighY ? x - y : isHighX ? 1 : -1;
    }
  }
  return a.length - b.length;
}
