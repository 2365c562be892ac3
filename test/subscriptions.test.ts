import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { presets, Swapfold, SwapfoldError } from '@swapfold/core';
import fc from 'fast-check';
import { Chain, type History, history, type Step } from './reorganisations/history.ts';
import { apply, assertSame, calls, listed } from './subscriptions/client.ts';
import { engines, withFolder } from './support/engines.ts';
import { isWhole } from './support/whole.ts';

const seed = Number(process.env.SWAPFOLD_SEED ?? 24);
const few: Readonly<Record<string, number>> = { memory: 12, sqlite: 3, duckdb: 2 };
const config = presets.ethereum;

/** A client that reads the lists, then applies what it is sent. */
class Client {
  readonly #dex: Swapfold;
  #states: Awaited<ReturnType<typeof listed>> = [];
  /** Of each subscription, the cursor of the message that was seen last. */
  #cursors: (string | undefined)[] = [];
  #abort = new AbortController();
  #reading: Promise<void>[] = [];
  #places: (() => string)[] = [];
  #isExpired = false;

  constructor(dex: Swapfold) {
    this.#dex = dex;
  }

  /** Subscribes anew, and then reads the lists. */
  async begin(): Promise<void> {
    await this.#subscribe(calls.map(() => undefined));
    // What is sent meanwhile is applied to what the lists say, which may have it already.
    const lists = await listed(this.#dex);
    for (const [i, list] of lists.entries()) this.#states[i] = list;
  }

  async #subscribe(after: readonly (string | undefined)[]): Promise<void> {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    setMaxListeners(calls.length, signal);
    const subscriptions = calls.map(({ topic, params }, i) =>
      this.#dex.subscribe(topic as 'swaps', params as object, { signal, after: after[i] }),
    );
    await Promise.all(subscriptions.map(({ ready }) => ready));
    this.#cursors = subscriptions.map(({ cursor }) => cursor);
    this.#places = subscriptions.map((subscription) => () => subscription.cursor);
    this.#reading = subscriptions.map(async (subscription, i) => {
      try {
        for await (const message of subscription) {
          apply(this.#states[i]!, message);
          this.#cursors[i] = message.cursor;
        }
      } catch (error) {
        if (!(error instanceof SwapfoldError) || error.code !== 'cursor-expired') throw error;
        this.#isExpired = true;
      }
    });
  }

  async leave(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#reading);
  }

  /** Goes on where it left, or begins anew if that is too long ago. */
  async comeBack(): Promise<'went on' | 'began anew'> {
    try {
      await this.#subscribe(this.#cursors);
      return 'went on';
    } catch (error) {
      if (!(error instanceof SwapfoldError) || error.code !== 'cursor-expired') throw error;
      await this.leave();
      await this.begin();
      return 'began anew';
    }
  }

  /** Waits until it has all that is committed; then it has what the lists say. */
  async check(): Promise<void> {
    const { cursor: end } = this.#dex.subscribe('prices');
    while (!this.#isExpired && this.#places.some((place) => place() !== end)) await nextTurn();
    await nextTurn();
    if (this.#isExpired) {
      this.#isExpired = false;
      await this.leave();
      await this.begin();
      await nextTurn();
    }
    assertSame(this.#states, await listed(this.#dex));
  }
}

async function take(dex: Swapfold, chain: Chain, step: Step): Promise<void> {
  switch (step.kind) {
    case 'ingest':
      await dex.ingest(step.transactions.flatMap((transaction) => chain.ingest(transaction)));
      return;
    case 'again':
      await dex.ingest(step.picks.flatMap((pick) => chain.again(pick)));
      return;
    case 'late':
      await dex.ingest(chain.late(step.pick, step.swap));
      return;
    case 'refresh':
      await dex.refresh({ scope: step.scope });
      return;
    case 'rollback': {
      const slot = chain.slot(step.slots);
      try {
        await dex.rollback({ from_block_slot: slot });
      } catch (error) {
        if (error instanceof SwapfoldError && error.code === 'invalid-input') return;
        throw error;
      }
      chain.rollback(slot);
    }
  }
}

/** How often clients went on where they had left, and began anew. */
const returns = { 'went on': 0, 'began anew': 0 };

/** Lives a history with a client that leaves and comes back: "reopen" of a history is that, and "ask" a look at everything. */
async function live(dex: Swapfold, { steps }: History): Promise<void> {
  const chain = new Chain();
  const client = new Client(dex);
  await client.begin();
  let isAway = false;
  for (const step of steps) {
    await take(dex, chain, step);
    if (step.kind === 'reopen' || step.kind === 'token' || step.kind === 'wallet') {
      if (!isAway) await client.leave();
      else returns[await client.comeBack()]++;
      isAway = !isAway;
    } else if (!isAway) await client.check();
  }
  if (isAway) await client.comeBack();
  await client.check();
  await client.leave();
}

for (const [engine, open] of Object.entries(engines)) {
  const rounds = Number(process.env.SWAPFOLD_ROUNDS ?? (isWhole ? 300 : few[engine]));
  if ((process.env.SWAPFOLD_ENGINE ?? engine) !== engine) continue;
  for (const live_mb of engine === 'memory' ? [64, 0.004] : [64]) {
    test(`${engine}, ${live_mb} MB of commits: after each step of ${rounds} random histories a client has what the lists say (seed ${seed})`, () =>
      fc.assert(
        fc.asyncProperty(history, (lived) =>
          withFolder(async (folder) => {
            const dex = await Swapfold.open({ storage: open(folder), config, memory: { live_mb } });
            await live(dex, lived);
            await dex.close();
          }),
        ),
        { seed, numRuns: rounds },
      ));
  }
}

test('clients came back in both ways', () => {
  if ((process.env.SWAPFOLD_ENGINE ?? 'memory') !== 'memory') return;
  assert.ok(returns['went on'] > 0 && returns['began anew'] > 0, JSON.stringify(returns));
});
