import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ConfigInput, memory, Swapfold, type TokenInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { roiBuckets } from '@swapfold/core/host';
import { readSwapsCsv } from './csv.ts';
import type { Entity, OracleAnswer, OracleRequest, OracleWallet } from './oracle.ts';
import { watched } from './scan.ts';

const fixtures = resolve(import.meta.dirname, '../fixtures');

export const frozenRequestPath = join(fixtures, 'frozen-market.request.json');
export const frozenAnswersPath = join(fixtures, 'frozen-answers.json');

/** What test/oracle/freeze.py writes: metrics and their scales as lists in the order of `names`. */
interface FrozenAnswer extends Omit<OracleAnswer, 'swaps' | 'trades' | 'pools' | 'tokens' | 'wallets'> {
  readonly names: Readonly<Record<'tokens' | 'wallets', readonly string[]>>;
  readonly trades: readonly (readonly [tx: string, token: string, state: string, pnl: number | null])[];
  readonly tokens: Readonly<Record<string, FrozenEntity>>;
  readonly wallets: Readonly<Record<string, FrozenEntity>>;
}

type FrozenEntity = Omit<Entity, 'metrics' | 'scales'> & {
  readonly windows: Readonly<
    Record<string, readonly [values: readonly (number | readonly number[] | null)[], scales: readonly number[]]>
  >;
};

export function frozenRequest(): OracleRequest {
  return JSON.parse(readFileSync(frozenRequestPath, 'utf8')) as OracleRequest;
}

/** The frozen answers in the shape that the oracle gives them, and the result of each trade. */
export function frozenAnswers(): { oracle: OracleAnswer; trades: FrozenAnswer['trades'] } {
  const frozen = JSON.parse(readFileSync(frozenAnswersPath, 'utf8')) as FrozenAnswer;
  const entities = (kind: 'tokens' | 'wallets') =>
    Object.fromEntries(
      Object.entries(frozen[kind]).map(([address, entity]) => [address, thawed(entity, frozen.names[kind])]),
    );
  return {
    oracle: {
      ...frozen,
      swaps: [],
      trades: [],
      pools: {},
      tokens: entities('tokens') as OracleAnswer['tokens'],
      wallets: entities('wallets') as Record<string, OracleWallet>,
    },
    trades: frozen.trades,
  };
}

function thawed({ windows, ...entity }: FrozenEntity, names: readonly string[]): Entity {
  const named = <T>(values: readonly T[]): Record<string, T> =>
    Object.fromEntries(names.map((name, i) => [name, values[i]!]));
  const distribution = (counts: readonly number[]): Record<string, number> =>
    Object.fromEntries(roiBuckets.map((bucket, i) => [bucket, counts[i]!]));
  const metrics: Entity['metrics'] = {};
  const scales: Entity['scales'] = {};
  for (const [window, [values, sizes]] of Object.entries(windows)) {
    metrics[window] = named(
      values.map((value) => (typeof value === 'object' && value !== null ? distribution(value) : value)),
    );
    scales[window] = named(sizes);
  }
  return { ...entity, metrics, scales };
}

/** A store that was fed the frozen market and refreshed. */
export async function openFrozenMarket(
  storage: StorageAdapter = memory(),
  config: ConfigInput = frozenRequest().config,
): Promise<Swapfold> {
  const dex = watched(await Swapfold.open({ storage, config }));
  const tokens = readFileSync(join(fixtures, 'frozen-tokens.ndjson'), 'utf8').trim().split('\n');
  await dex.tokens.upsert(tokens.map((line) => JSON.parse(line) as TokenInput));
  await dex.ingest(readSwapsCsv(join(fixtures, 'frozen-market.csv')));
  await dex.refresh();
  return dex;
}
