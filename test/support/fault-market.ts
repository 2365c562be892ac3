import { cases } from './whole.ts';

/** Swaps of the store that grows until its disk is full. */
export const diskSwaps = cases(6000, 1000);
