import { existsSync, readFileSync } from 'node:fs';
import type { ConfigInput, SwapInput } from '@swapfold/core';
import { parseSwapsCsv } from './csv.ts';
import { generateDay, USDC, WETH } from './generated-day.ts';
import { cases, isWhole } from './whole.ts';

/** A day of three Uniswap v3 pools; `csv` is the text of its file. */
export interface UniswapDay {
  readonly title: string;
  readonly csv: () => string;
}

/** Recorded, whole (demeter-fetch test samples, Apache-2.0); it lies beside the project, if at all. */
const recorded = new URL('../../../shared/data/uniswap-v3-2024-01-05/swaps.csv', import.meta.url).pathname;
const SEED = 1;

/** A generated day of so many transactions: a short one has what a long one has, fewer times. */
const generated = (transactions: number): UniswapDay => ({
  title: `a generated Uniswap day (seed ${SEED})`,
  csv: () => generateDay({ seed: SEED, transactions }),
});

/** The generated day, which every test of a day runs on everywhere, and the recorded one if it is there. */
export const uniswapDays: readonly UniswapDay[] = [
  generated(2000),
  ...(existsSync(recorded) ? [{ title: 'the recorded Uniswap day', csv: () => readFileSync(recorded, 'utf8') }] : []),
];

/** How much of the generated day is compared, question by question, with an independent computation. */
export const comparedPart = cases(1, 0.3);
/** The generated day with so much of its transactions. */
export const comparedDay = generated(2000 * comparedPart);

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

/** Those cases, the generated day no longer than what is compared. */
export const comparedCases: readonly UniswapCase[] = longestCases.map((one) =>
  one.day === uniswapDays[0] ? { ...one, day: comparedDay } : one,
);

/** The rows of a day as swap objects. */
export function readUniswapDay(day: UniswapDay): SwapInput[] {
  return parseSwapsCsv(day.csv());
}
