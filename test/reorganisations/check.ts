import assert from 'node:assert/strict';
import { type ConfigInput, memory, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { type Answers, answersAt, differencesOf, profilesAt, searchesOf } from './answers.ts';
import { Chain, type History, type Step, tokens, wallets } from './history.ts';

/** Rules about ages beside the default ones: time alone changes what they say. */
export const config: ConfigInput = {
  preset: 'ethereum',
  labels: {
    tokens: [{ label: 'quiet', rule: 'quiet', filter: { 'metadata.idle': { $gt: 3600 } } }],
    wallets: [{ label: 'back', rule: 'back', filter: { 'metadata.idle': { $lt: 86_400 } } }],
  },
};

/** Makes the adapter of a store, each time of the same one. */
export interface Engine {
  readonly storage: () => StorageAdapter;
  /** Whether the store can be closed and opened again. */
  readonly isLasting: boolean;
}

/** Lives through a history on an engine, and holds each answer to that of a store that has never had what was rolled back. */
export async function checkHistory({ steps, at }: History, engine: Engine): Promise<void> {
  const chain = new Chain();
  const upserts: Step[] = [];
  let dex = await Swapfold.open({ storage: engine.storage(), config });
  try {
    for (const step of steps) {
      if (step.kind === 'token' || step.kind === 'wallet') upserts.push(step);
      if (step.kind === 'reopen' && engine.isLasting) {
        await dex.close();
        dex = await Swapfold.open({ storage: engine.storage(), config });
      }
      await take(step, dex, chain);
    }
    await assertAsIfOnly(dex, chain.swaps, { upserts, at: chain.instant(at), newest: chain.newest });
  } finally {
    await dex.close();
  }
}

async function take(step: Step, dex: Swapfold, chain: Chain): Promise<void> {
  switch (step.kind) {
    case 'ingest':
      return stored(
        dex,
        step.transactions.flatMap((transaction) => chain.ingest(transaction)),
      );
    case 'again':
      return stored(
        dex,
        step.picks.flatMap((pick) => chain.again(pick)),
      );
    case 'late':
      return stored(dex, chain.late(step.pick, step.swap));
    case 'rollback':
      return rollBack(dex, chain, chain.slot(step.slots));
    case 'refresh': {
      const call = { scope: step.scope, asOf: chain.instant(step.as_of) };
      if (step.how === 'failing') return failRefresh(dex, call);
      await dex.refresh({ ...call, beside: step.how === 'beside' });
      return;
    }
    case 'ask':
      await answersAt(dex, chain.newest);
      await searchesOf(dex);
      return;
    case 'reopen':
      return;
    default:
      return upsert(dex, step);
  }
}

type Refresh = NonNullable<Parameters<Swapfold['refresh']>[0]>;

/** Stops a refresh at its first profiles, if it folds any. */
async function failRefresh(dex: Swapfold, call: Refresh): Promise<void> {
  const onProgress = (): void => assert.fail('stopped');
  await dex.refresh({ ...call, onProgress }).catch((error: Error) => assert.equal(error.message, 'stopped'));
}

async function stored(dex: Swapfold, swaps: readonly SwapInput[]): Promise<void> {
  const { conflicting, rejected } = await dex.ingest(swaps);
  assert.deepEqual({ conflicting, rejected }, { conflicting: 0, rejected: 0 });
}

async function rollBack(dex: Swapfold, chain: Chain, slot: number): Promise<void> {
  try {
    await dex.rollback({ from_block_slot: slot });
  } catch (error) {
    // Swaps without a slot may be as new as what is to go.
    assert.ok(
      chain.swaps.some(({ block_slot }) => block_slot === null),
      error as Error,
    );
    return;
  }
  chain.rollback(slot);
}

async function upsert(dex: Swapfold, step: Step): Promise<void> {
  if (step.kind === 'token') {
    const created_at = step.age === null ? null : 1_700_000_000 - step.age;
    const creator_address = wallets[step.token % wallets.length]!;
    await dex.tokens.upsert([{ address: tokens[step.token]!, total_supply: step.supply, created_at, creator_address }]);
  } else if (step.kind === 'wallet') {
    await dex.wallets.upsert([{ address: wallets[step.wallet]!, labels: [step.label] }]);
  }
}

interface Only {
  readonly upserts: readonly Step[];
  /** Where absent, the chain's clock. */
  readonly at: number | undefined;
  readonly newest: number;
}

/** Holds every answer of a store to that of one that was given these swaps and nothing else. */
async function assertAsIfOnly(
  dex: Swapfold,
  swaps: readonly SwapInput[],
  { upserts, at, newest }: Only,
): Promise<void> {
  const fresh = await Swapfold.open({ storage: memory(), config, memory: 0 });
  for (const step of upserts) await upsert(fresh, step);
  await fresh.ingest(swaps);
  await fresh.refresh({ asOf: at });
  assertEqual(await answersAt(dex, newest), await answersAt(fresh, newest), 'before a refresh');
  for (const instant of instantsOf(swaps)) {
    assertEqual(
      await answersAt(dex.at(instant), instant),
      await answersAt(fresh.at(instant), instant),
      `at ${instant}`,
    );
    assertEqual(await profilesAt(dex.at(instant)), await profilesAt(fresh.at(instant)), `at ${instant}`);
  }
  await dex.refresh({ asOf: at, scope: 'traded' });
  await assertHolding(dex, fresh);
  await dex.refresh({ asOf: at });
  assertEqual(await searchesOf(dex), await searchesOf(fresh), 'after a refresh');
  assertEqual(await profilesAt(dex), await profilesAt(fresh), 'after a refresh');
  assertEqual(await answersAt(dex, newest), await answersAt(fresh, newest), 'after a refresh');
  const { differences, compared_profiles } = await dex.verify();
  assert.deepEqual({ differences, compared_profiles }, { differences: [], compared_profiles: true });
  await fresh.close();
}

/** A second of the middle of a history, and the one before its newest. */
function instantsOf(swaps: readonly SwapInput[]): readonly number[] {
  const times = swaps.map((swap) => swap.block_time).sort((a, b) => a - b);
  return times.length === 0 ? [] : [times[times.length >> 1]!, times[times.length - 1]! - 1];
}

/** A profile that a refresh of the traded ones leaves behind says as of when it holds: it is that of this instant, the others of now. */
async function assertHolding(dex: Swapfold, fresh: Swapfold): Promise<void> {
  const current = await profilesAt(fresh);
  for (const [address, profile] of await profilesAt(dex)) {
    const { as_of, ...rest } = (profile.startsWith('{') ? JSON.parse(profile) : {}) as { readonly as_of?: string };
    const [found, expected] =
      as_of === undefined
        ? [profile, current.get(address)!]
        : [JSON.stringify(rest), (await profilesAt(fresh.at(as_of))).get(address)!];
    assertEqual(new Map([[address, found]]), new Map([[address, expected]]), `as of ${as_of ?? 'now'}`);
  }
}

function assertEqual(actual: Answers, expected: Answers, when: string): void {
  const differences = differencesOf(actual, expected);
  if (differences.length > 0)
    assert.fail(`${when}, ${differences.length} answers differ:\n${differences.slice(0, 3).join('\n')}`);
}
