import type { SwapInput } from '@swapfold/core';

/**
 * Swaps in the shapes of other sources, as a script would export them: columns in an order of their own, numbers as texts, times as that source
 * writes them, and in between rows that are no swaps.
 */
export interface Shape {
  readonly preset: string;
  /** The end of the file's name. */
  readonly suffix: string;
  readonly write: (swaps: readonly SwapInput[]) => string;
  /** What the shape carries of a swap. */
  readonly reduce: (swap: SwapInput) => ReducedSwap;
  /** Rows that are no swaps, among those that `write` gives. */
  readonly others: number;
}

/** A swap with some of its fields. */
export type ReducedSwap = { readonly [N in keyof SwapInput]?: SwapInput[N] | undefined };

/** Decimals of tokens. Those of others are enough for every digit that a double of the day has. */
const decimals: Readonly<Record<string, number>> = { USDC: 6 };

/** The place of a swap's event in its block: unlike the place in its transaction, no other swap of the block has it. */
export function eventIndex({ tx_index, swap_index }: SwapInput): number {
  return (tx_index ?? 0) * 100 + swap_index;
}

/** `2024-01-05 00:00:23` */
export function spaced(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** A number without an exponent, as databases write it. */
export function plain(value: number): string {
  const [, sign, first, rest = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))!;
  const places = Number(exponent ?? 0);
  const digits = first! + rest;
  const point = first!.length + places;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The smallest units of an amount. */
export function rawOf(value: number, places: number): string {
  const [whole, rest = ''] = plain(value).split('.');
  const units = `${whole}${rest.padEnd(places, '0')}`;
  return units.replace(/^(-?)0+(?=\d)/, '$1');
}

export function decimalsOf(symbol: string | null | undefined): number {
  return decimals[symbol ?? ''] ?? 36;
}

/** The two tokens of a swap in the order of their addresses, and whether the wallet gave the first. */
export function legsOf(swap: SwapInput): {
  isFirstGiven: boolean;
  legs: readonly { address: string; symbol: string; amount: number }[];
} {
  const given = { address: swap.token_in, symbol: swap.token_symbol_in ?? '', amount: swap.token_amount_in };
  const received = { address: swap.token_out, symbol: swap.token_symbol_out ?? '', amount: swap.token_amount_out };
  const isFirstGiven = given.address < received.address;
  return { isFirstGiven, legs: isFirstGiven ? [given, received] : [received, given] };
}

/** CSV of rows, with the columns in an order that is no one's. */
export function csvOf(rows: readonly Readonly<Record<string, string | number | null | undefined>>[]): string {
  const names = Object.keys(rows[0]!).sort((a, b) =>
    a.split('').reverse().join('') < b.split('').reverse().join('') ? -1 : 1,
  );
  const cell = (value: string | number | null | undefined): string =>
    value == null ? '' : `"${String(value).replaceAll('"', '""')}"`;
  return [names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(',')), ''].join('\n');
}

/** What every shape carries. */
export function common(swap: SwapInput, swapIndex: number): ReducedSwap {
  const { tx_hash, block_time, wallet, token_in, token_out, token_amount_in, token_amount_out } = swap;
  return { tx_hash, swap_index: swapIndex, block_time, wallet, token_in, token_out, token_amount_in, token_amount_out };
}

export function symbols({ token_symbol_in, token_symbol_out }: SwapInput): ReducedSwap {
  return { token_symbol_in, token_symbol_out };
}

/** The value of a swap of which a shape has one: the first that is known. */
export function oneUsd({ usd_amount_in, usd_amount_out }: SwapInput): number | null {
  return usd_amount_in ?? usd_amount_out ?? null;
}

export function bothUsd(swap: SwapInput): ReducedSwap {
  return { usd_amount_in: oneUsd(swap), usd_amount_out: oneUsd(swap) };
}

export function written(value: number | null | undefined): string | null {
  return value == null ? null : plain(value);
}
