import { existsSync, readFileSync } from 'node:fs';
import type { ConfigInput, SwapInput } from '@swapfold/core';
import { parseSwapsCsv } from './csv.ts';
import { generateDay, USDC, WETH } from './generated-day.ts';
import { isWhole } from './whole.ts';

/** A day of three Uniswap v3 pools; `csv` is the text of its file. */
export interface UniswapDay {
  readonly title: string;
  readonly csv: () => string;
}

/** Recorded, whole (demeter-fetch test samples, Apache-2.0); it lies beside the project, if at all. */
const recorded = new URL('../../../shared/data/uniswap-v3-2024-01-05/swaps.csv', import.meta.url).pathname;
const SEED = 1;

/** The generated day, which every test of a day runs on everywhere, and the recorded one if it is there. */
export const uniswapDays: readonly UniswapDay[] = [
  {
    title: `a generated Uniswap day (seed ${SEED})`,
    csv: () => generateDay({ seed: SEED, transactions: 2000 }),
  },
  ...(existsSync(recorded) ? [{ title: 'the recorded Uniswap day', csv: () => readFileSync(recorded, 'utf8') }] : []),
];

/** WETH as a traded token; and WETH as the native quote token. */
const configs: Readonly<Record<string, ConfigInput>> = {
  'WETH is traded': { preset: 'ethereum', quote_tokens: [{ ...USDC, kind: 'stable' }] },
  'WETH is the native token': {
    preset: 'ethereum',
    quote_tokens: [
      { ...USDC, kind: 'stable' },
      { ...WETH, kind: 'native' },
    ],
  },
};

/** A day with a configuration of its pools. */
export interface UniswapCase {
  readonly title: string;
  readonly day: UniswapDay;
  readonly config: ConfigInput;
}

/**
 * Every day with every configuration, first the generated day with the first one. By default the recorded day, which is three times as
 * long, has the first configuration only.
 */
export const uniswapCases: readonly UniswapCase[] = uniswapDays.flatMap((day, i) =>
  Object.entries(configs)
    .slice(0, isWhole || i === 0 ? undefined : 1)
    .map(([title, config]) => ({ title: `${day.title}, ${title}`, day, config })),
);

/** Each configuration with the longest day that has it, the native one first; every case in a whole run. */
export const longestCases: readonly UniswapCase[] = isWhole
  ? uniswapCases
  : uniswapCases.filter(({ config }, i) => uniswapCases.findLastIndex((other) => other.config === config) === i);

/** The rows of a day as swap objects. */
export function readUniswapDay(day: UniswapDay): SwapInput[] {
  return parseSwapsCsv(day.csv());
}
