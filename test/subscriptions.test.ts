import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Message, presets, Swapfold, SwapfoldError } from '@swapfold/core';
import fc from 'fast-check';
import { Chain, type History, history, type NewTransaction, type Step } from './reorganisations/history.ts';
import { apply, assertSame, calls, listed } from './subscriptions/client.ts';
import { manyListeners, type Transport, transports } from './subscriptions/transports.ts';
import { engines, withFolder } from './support/engines.ts';
import { isWhole } from './support/whole.ts';

const seed = Number(process.env.SWAPFOLD_SEED ?? 24);
const few: Readonly<Record<string, number>> = { memory: 6, sqlite: 2, duckdb: 2 };
const config = presets.ethereum;

/** A client that reads the lists, then applies what it is sent. */
class Client {
  readonly #dex: Swapfold;
  readonly #transport: Transport;
  #states: Awaited<ReturnType<typeof listed>> = [];
  /** Of each subscription, the cursor of the message that was seen last. */
  #cursors: (string | undefined)[] = [];
  #abort = new AbortController();
  #reading: Promise<void>[] = [];
  #isExpired = false;

  constructor(dex: Swapfold, transport: Transport) {
    this.#dex = dex;
    this.#transport = transport;
  }

  /** Subscribes anew, and then reads the lists. */
  async begin(): Promise<void> {
    // Where it would go on if nothing came.
    const { cursor } = this.#dex.subscribe('prices');
    await this.#subscribe(calls.map(() => undefined));
    this.#cursors = calls.map(() => cursor);
    // What is sent meanwhile is applied to what the lists say, which may have it already.
    const lists = await listed(this.#dex);
    for (const [i, list] of lists.entries()) this.#states[i] = list;
  }

  async #subscribe(after: readonly (string | undefined)[]): Promise<void> {
    this.#abort = new AbortController();
    const signal = manyListeners(this.#abort);
    const subscriptions = calls.map((call, i) => this.#transport.subscribe(call, { signal, after: after[i] }));
    const ready = await Promise.allSettled(subscriptions.map((subscription) => subscription.ready));
    for (const one of ready) if (one.status === 'rejected') throw one.reason;
    this.#reading = subscriptions.map(({ messages }, i) => this.#read(messages, i));
  }

  async #read(messages: AsyncIterable<Message>, i: number): Promise<void> {
    try {
      for await (const message of messages) {
        apply(this.#states[i]!, message);
        this.#cursors[i] = message.cursor;
      }
    } catch (error) {
      if ((error as { code?: string }).code !== 'cursor-expired') throw error;
      this.#isExpired = true;
    }
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
      if ((error as { code?: string }).code !== 'cursor-expired') throw error;
      await this.leave();
      await this.begin();
      return 'began anew';
    }
  }

  /** Has what the lists say, once what was committed has arrived. */
  async check(): Promise<void> {
    const lists = await listed(this.#dex);
    for (const begun = performance.now(); ; ) {
      await nextTurn();
      if (this.#isExpired) {
        this.#isExpired = false;
        await this.leave();
        await this.begin();
      }
      try {
        assertSame(this.#states, lists);
        return;
      } catch (error) {
        if (performance.now() - begun > 5000) throw error;
      }
    }
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

const buys = (token: number, rest: Partial<NewTransaction> = {}): NewTransaction => ({
  after: 30,
  from: 'ever',
  wallet: 0,
  swaps: [{ token_in: 0, token_out: token, amount_in: 100, amount_out: 1, usd: null, balance: null, symbol: null }],
  times: 1,
  slot: 0,
  tx_index: null,
  ...rest,
});

/**
 * Lived before random ones, which may be too short to take anything back: a swap comes late, after which its transaction trades the token no more,
 * and blocks are taken back while the client looks and while it is away.
 */
const takenBack: History = {
  at: undefined,
  steps: [
    { kind: 'ingest', transactions: [buys(3), buys(4, { wallet: 1 })] },
    { kind: 'refresh', scope: 'all', as_of: undefined, how: 'here' },
    {
      kind: 'late',
      pick: 0,
      swap: { token_in: 3, token_out: 5, amount_in: 1, amount_out: 2, usd: null, balance: null, symbol: null },
    },
    { kind: 'rollback', slots: 0 },
    { kind: 'ingest', transactions: [buys(3, { wallet: 1 }), buys(3), buys(4)] },
    { kind: 'reopen' },
    { kind: 'rollback', slots: 1 },
    { kind: 'reopen' },
    { kind: 'rollback', slots: 0 },
    { kind: 'refresh', scope: 'all', as_of: undefined, how: 'here' },
  ],
};

/** How often clients went on where they had left, and began anew. */
const returns = { 'went on': 0, 'began anew': 0 };

/** Lives a history with a client that leaves and comes back: "reopen" of a history is that, and "ask" a look at everything. */
async function live(dex: Swapfold, transport: Transport, { steps }: History): Promise<void> {
  const chain = new Chain();
  const client = new Client(dex, transport);
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

interface Case {
  readonly engine: string;
  readonly way: string;
  /** Bytes; a thirty-second of them are for commits. */
  readonly memory?: number | undefined;
  readonly rounds: number;
}

const inProcess = { way: 'in-process' };
const all: readonly Case[] = [
  ...Object.entries(few).map(([engine, rounds]) => ({ engine, ...inProcess, rounds })),
  { engine: 'memory', way: 'in-process', memory: 128_000, rounds: 6 },
  { engine: 'memory', way: 'events', rounds: 2 },
  { engine: 'memory', way: 'events', memory: 128_000, rounds: 2 },
  { engine: 'memory', way: 'WebSockets', rounds: 2 },
  { engine: 'memory', way: 'WebSockets', memory: 128_000, rounds: 2 },
];
for (const { engine, way, memory: bytes, rounds: some } of all) {
  if ((process.env.SWAPFOLD_ENGINE ?? engine) !== engine) continue;
  const rounds = Number(process.env.SWAPFOLD_ROUNDS ?? (isWhole ? some * 25 : some));
  test(`${engine}, ${way}, ${bytes === undefined ? 'all' : 'few'} commits are kept: after each step of ${rounds} random histories a client has what the lists say (seed ${seed})`, () =>
    fc.assert(
      fc.asyncProperty(history, (lived) =>
        withFolder(async (folder) => {
          const dex = await Swapfold.open({ storage: engines[engine]!(folder), config, memory: bytes });
          const transport = await transports[way]!(dex);
          await live(dex, transport, lived);
          await transport.close();
          await dex.close();
        }),
      ),
      { seed, numRuns: rounds, examples: [[takenBack]] },
    ));
}

test('clients came back in both ways', () => {
  if ((process.env.SWAPFOLD_ENGINE ?? 'memory') !== 'memory') return;
  assert.ok(returns['went on'] > 0 && returns['began anew'] > 0, JSON.stringify(returns));
});
