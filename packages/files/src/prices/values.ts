import { show } from '@swapfold/core/host';

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number, or what a text stands for in decimal notation; `NaN` of anything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && decimal.test(value.trim()) ? Number(value) : Number.NaN;
}

/** Why a value of a file is no price; `undefined` if it is one. */
export function noPrice(value: unknown): string | undefined {
  const price = numberOf(value);
  return price > 0 && Number.isFinite(price) ? undefined : `expected a number above 0, received ${show(value)}`;
}
