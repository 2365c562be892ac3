import { SwapfoldError } from '@swapfold/core';
import { didYouMean, show } from '@swapfold/core/host';
import { type ScenarioName, scenarioWeights } from './mix.ts';

/**
 * What kind of market it is.
 *
 * - `usual`: 50 swaps a wallet, tokens that trade for weeks, all that can happen in a transaction.
 * - `launchpad`: most wallets trade a handful of times, in thousands of tokens that live for about an hour on a bonding curve.
 */
export type MarketShape = 'usual' | 'launchpad';

/** How large the market is and what its feed says. */
export interface MarketOptions {
  /** Whole number; the same seed and options give the same market on every machine. */
  readonly seed: number;
  /** Number of swaps. */
  readonly swaps: number;
  /** Default 'usual'. 'launchpad' sets `wallets`, `tokens`, `bots`, `surge`, `rush` and `mix` itself, so that none of them may be given. */
  readonly shape?: MarketShape;
  /** Length of the period. Default 35, so that the 30-day window has something before it. */
  readonly days?: number;
  /** Unix seconds of the last swap. Default 1735689600, 2025-01-01T00:00:00Z. */
  readonly endTime?: number;
  /** Default: one in fifty swaps, at least 40. */
  readonly wallets?: number;
  /** Tokens beside the three quote tokens. Default: one in two thousand swaps, at least 24. */
  readonly tokens?: number;
  /** Wallets among `wallets` that trade without pause. Default: one in five hundred wallets, at least 3. */
  readonly bots?: number;
  /** Whether swaps report balances. Default true. */
  readonly withBalances?: boolean;
  /** Whether swaps report prices and USD amounts; without, valuation goes by stable and native quotes. Default true. */
  readonly withUsd?: boolean;
  /** Whether swaps report `tx_index`. Without, transactions of one slot are ordered by their hash, and balances within it may seem to jump. Default true. */
  readonly withTxIndex?: boolean;
  /** Most rows of a batch. Default 32768. */
  readonly batchRows?: number;
  /** Share of the swaps, below 1, that falls onto the last day beside that day's usual ones, as trades of one token. Default 0. Needs `days` above 1. */
  readonly surge?: number;
  /**
   * Share of the swaps, below 1, that falls onto the last hour beside that hour's usual ones, as trades of one token that rises and that
   * many hold; tokens are then launched up to the end. Default 0. Needs `days` above 1, and no surge.
   */
  readonly rush?: number;
  /** Weights of what happens, by name, in place of the default ones; 0 leaves it out. */
  readonly mix?: Partial<Readonly<Record<ScenarioName, number>>>;
}

export type Settled = Required<Omit<MarketOptions, 'mix'>> & { readonly mix: Readonly<Record<ScenarioName, number>> };

/** What a launchpad sets by itself. */
const setByLaunchpad = ['wallets', 'tokens', 'bots', 'surge', 'rush', 'mix'] as const;

/** Swaps of a launchpad by wallet and by token, and its wallets by bot. */
const LAUNCHPAD = { wallet: 9, token: 36, bot: 120 } as const;

export function settle(options: MarketOptions): Settled {
  const shape = options.shape ?? 'usual';
  if (shape !== 'usual' && shape !== 'launchpad') fault('shape', shape, "'usual' or 'launchpad'");
  const isLaunchpad = shape === 'launchpad';
  const contradicting = isLaunchpad ? setByLaunchpad.find((name) => options[name] !== undefined) : undefined;
  if (contradicting !== undefined) fault(contradicting, options[contradicting], "absent if its shape is 'launchpad'");
  const wallets = options.wallets ?? Math.max(40, Math.ceil(options.swaps / (isLaunchpad ? LAUNCHPAD.wallet : 50)));
  const settled = {
    seed: options.seed,
    shape,
    swaps: options.swaps,
    days: options.days ?? 35,
    endTime: options.endTime ?? 1_735_689_600,
    wallets,
    tokens: options.tokens ?? Math.max(24, Math.ceil(options.swaps / (isLaunchpad ? LAUNCHPAD.token : 2000))),
    bots: options.bots ?? Math.max(3, Math.ceil(wallets / (isLaunchpad ? LAUNCHPAD.bot : 500))),
    withBalances: options.withBalances ?? true,
    withUsd: options.withUsd ?? true,
    withTxIndex: options.withTxIndex ?? true,
    batchRows: options.batchRows ?? 32_768,
    surge: options.surge ?? 0,
    rush: options.rush ?? 0,
    mix: { ...scenarioWeights, ...options.mix },
  };
  whole('seed', settled.seed, 0, Number.MAX_SAFE_INTEGER);
  whole('swaps', settled.swaps, 1, 1e9);
  whole('endTime', settled.endTime, 86_400 * 3660, 2 ** 33 - 1);
  whole('wallets', settled.wallets, 20, 2 ** 24);
  whole('tokens', settled.tokens, 8, 2 ** 20);
  whole('bots', settled.bots, 1, Math.floor(settled.wallets / 4));
  whole('batchRows', settled.batchRows, 16, 2 ** 22);
  if (!(settled.days > 0 && settled.days <= 3650))
    fault('days', settled.days, 'a number of days above 0, at most 3650');
  if (!(settled.surge >= 0 && settled.surge < 1)) fault('surge', settled.surge, 'a share from 0 to below 1');
  if (!(settled.rush >= 0 && settled.rush < 1)) fault('rush', settled.rush, 'a share from 0 to below 1');
  if (settled.rush > 0 && settled.surge > 0) fault('rush', settled.rush, '0 if there is a surge');
  if (settled.surge + settled.rush > 0 && settled.days <= 1)
    fault('days', settled.days, `above 1 if there is a ${settled.surge > 0 ? 'surge' : 'rush'}`);
  for (const [name, weight] of Object.entries(settled.mix)) {
    if (!Object.hasOwn(scenarioWeights, name)) {
      throw new SwapfoldError(
        'invalid-input',
        `Unknown "mix.${name}" of the market.${didYouMean(name, Object.keys(scenarioWeights))}`,
      );
    }
    if (!(weight >= 0 && weight < Infinity)) fault(`mix.${name}`, weight, 'a weight of at least 0');
  }
  if (!(settled.mix.trade > 0)) fault('mix.trade', settled.mix.trade, 'a weight above 0');
  return settled;
}

function whole(name: string, value: number, least: number, most: number): void {
  if (!(Number.isInteger(value) && value >= least && value <= most))
    fault(name, value, `a whole number from ${least} to ${most}`);
}

function fault(name: string, value: unknown, expected: string): never {
  throw new SwapfoldError('invalid-input', `"${name}" of the market must be ${expected}, not ${show(value)}.`);
}
