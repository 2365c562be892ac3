import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigInput, memory, presets, Swapfold, type SwapInput, type TransferInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { engines, withFolder } from './support/engines.ts';
import { isWhole } from './support/whole.ts';

const config: ConfigInput = presets.ethereum;
const [usdc, , native] = presets.ethereum.quote_tokens.map((token) => token.address) as [string, string, string];
const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const [wallet, token, other] = [address(1), address(0xa1), address(0xa2)];
const START = 1_700_000_000;

type Row = { readonly swap: SwapInput } | { readonly transfer: TransferInput };

interface Options {
  readonly balances?: readonly [pre: number, post: number];
  /** Seconds after the start; each row its own by default. */
  readonly at?: number;
  readonly hash?: string;
  readonly token?: string;
}

/** A history that is written as the rows of its table: `b` and `s` for USDC, `o` and `i` for transfers out and in. */
class History {
  readonly rows: Row[] = [];
  #at = 0;

  b(amount: number, usd: number, options: Options = {}): this {
    return this.#swap(options, {
      token_in: usdc,
      token_amount_in: usd,
      token_out: options.token ?? token,
      token_amount_out: amount,
      ...(options.balances && {
        pre_token_balance_out: options.balances[0],
        post_token_balance_out: options.balances[1],
      }),
    });
  }

  s(amount: number, usd: number, options: Options = {}): this {
    return this.#swap(options, {
      token_out: usdc,
      token_amount_out: usd,
      token_in: options.token ?? token,
      token_amount_in: amount,
      ...(options.balances && {
        pre_token_balance_in: options.balances[0],
        post_token_balance_in: options.balances[1],
      }),
    });
  }

  /** Native tokens for another token. */
  pay(amount: number, options: Options = {}): this {
    return this.#swap(options, { token_in: native, token_amount_in: amount, token_out: other, token_amount_out: 100 });
  }

  /** Another token for native tokens. */
  get(amount: number, options: Options = {}): this {
    return this.#swap(options, { token_in: other, token_amount_in: 100, token_out: native, token_amount_out: amount });
  }

  o(amount: number, options: Options & Partial<TransferInput> = {}): this {
    return this.#transfer(options, { from: wallet, to: address(9), token_amount: amount });
  }

  i(amount: number, options: Options & Partial<TransferInput> = {}): this {
    return this.#transfer(options, { from: address(9), to: wallet, token_amount: amount });
  }

  #swap({ at, hash }: Options, sides: Partial<SwapInput>): this {
    const seconds = at ?? ++this.#at;
    const swap = {
      tx_hash: hash ?? `0x${String(this.rows.length).padStart(4, '0')}`,
      swap_index: this.rows.length,
      block_time: START + seconds,
      block_slot: seconds,
      wallet,
      ...sides,
    } as SwapInput;
    this.rows.push({ swap });
    return this;
  }

  #transfer({ at, hash, token: of, ...more }: Options & Partial<TransferInput>, sides: Partial<TransferInput>): this {
    const seconds = at ?? ++this.#at;
    const { balances: _, ...rest } = more;
    const transfer = {
      tx_hash: hash ?? `0x${String(this.rows.length).padStart(4, '0')}`,
      transfer_index: this.rows.length,
      block_time: START + seconds,
      block_slot: seconds,
      token: of ?? token,
      ...sides,
      ...rest,
    } as TransferInput;
    this.rows.push({ transfer });
    return this;
  }
}

interface Right {
  readonly pnl: number;
  readonly of?: string;
  readonly state?: 'open' | 'closed';
  readonly away?: number;
  readonly awayCost?: number;
  readonly cost?: number | null;
  readonly spent?: number;
  readonly unmatched?: number;
  readonly balance?: number;
  /** When the position opened last, seconds after the start. */
  readonly opened?: number;
  /** Of all trades together, whatever their sign. */
  readonly gaps?: number;
}

const histories: readonly (readonly [what: string, history: History, right: Right])[] = [
  [
    'lots that a gap took away come back before the sell',
    new History()
      .b(10, 100, { balances: [0, 10] })
      .b(1, 10, { balances: [0, 1] })
      .s(11, 220, { balances: [11, 0] }),
    { pnl: 110, state: 'closed', away: 0 },
  ],
  [
    'an order whose tokens wait elsewhere keeps their cost',
    new History()
      .b(20, 200, { balances: [0, 20] })
      .s(10, 200, { balances: [10, 10] })
      .s(10, 200, { balances: [10, 0] }),
    { pnl: 200, state: 'closed', away: 0 },
  ],
  [
    'a sell of more than is here takes what is away',
    new History()
      .b(10, 100, { balances: [0, 10] })
      .o(10)
      .s(10, 200, { balances: [0, 0] }),
    { pnl: 100, state: 'closed', away: 0 },
  ],
  ['what returns keeps its cost', new History().b(100, 1000).o(100).i(100).s(100, 100), { pnl: -900, state: 'closed' }],
  [
    'balances put in order what no place does',
    new History()
      .b(10, 100, { balances: [0, 10], at: 1, hash: '0xb0' })
      .b(10, 100, { balances: [10, 20], at: 1, hash: '0xa0' })
      .s(20, 400, { balances: [20, 0], at: 2 }),
    { pnl: 200, state: 'closed', gaps: 0 },
  ],
  [
    'balances put in order what comes in two batches, too',
    new History()
      .b(10, 100, { balances: [10, 20], at: 1, hash: '0xa0' })
      .b(10, 100, { balances: [0, 10], at: 1, hash: '0xb0' }),
    { pnl: 0, state: 'open', away: 0, cost: 200, balance: 20, gaps: 0 },
  ],
  [
    'a transfer out of the transaction of a buy is no tax',
    new History()
      .b(100, 100, { balances: [0, 70], hash: '0xc0', at: 1 })
      .o(30, { hash: '0xc0', at: 1 })
      .s(70, 140, { balances: [70, 0], at: 2 }),
    { pnl: 70, state: 'closed', away: 30, awayCost: 30 },
  ],
  [
    'a transfer with a cost adds a lot',
    new History().i(10, { cost_usd: 150, hash: '0xc0', at: 1 }).s(10, 200, { hash: '0xc0', at: 1 }),
    { pnl: 50, state: 'closed' },
  ],
  [
    'what the native token loses to fees is no tax',
    new History()
      .b(0.0059, 1, { balances: [1.0, 1.0037], token: native })
      .s(0.0059, 1, { balances: [1.0037, 0.9978], token: native }),
    { pnl: 0, of: native, state: 'closed' },
  ],
  [
    'more than half of a buy that is missing is no tax',
    new History().b(100, 100, { balances: [100, 60] }),
    { pnl: 0, state: 'open', away: 40, awayCost: 40, cost: 60, balance: 60 },
  ],
  [
    'a balance after a buy of less than half of it cannot be',
    new History().b(100, 100, { balances: [0, 40] }),
    { pnl: 0, state: 'open', away: 0, cost: 100, balance: 100, gaps: 0 },
  ],
  [
    'what a balance has more by a millionth of it is no gap',
    new History().b(100, 100, { balances: [0, 100] }).s(50, 100, { balances: [100.00005, 50.00005] }),
    { pnl: 50, state: 'open', cost: 50, balance: 50.00005, gaps: 0 },
  ],
  [
    'what a balance has more by two millionths of it is one',
    new History().b(100, 100, { balances: [0, 100] }).s(50, 100, { balances: [100.0002, 50.0002] }),
    { pnl: 50, state: 'open', cost: 50, balance: 50.0002, gaps: 0.0002 },
  ],
  [
    'the newest lots come back first',
    new History().b(10, 100).b(10, 300).o(20).i(10).s(10, 400),
    { pnl: 100, state: 'closed', away: 10, awayCost: 100 },
  ],
  [
    'a rest that counts as nothing goes to the lots that are away',
    new History().b(100, 100).o(40).s(59.99999995, 120),
    { pnl: 120 - 59.99999995, state: 'closed', away: 40.00000005, awayCost: 40.00000005 },
  ],
  [
    'of such a rest nothing comes back as the balance falls: the next buy opens the position',
    new History()
      .b(100, 100)
      .o(0.001)
      .s(99.99899995, 120)
      .b(10, 50, { balances: [0.00000002, 10.00000002] }),
    { pnl: 120 - 99.99899995, state: 'open', opened: 4, away: 0.00100005, cost: 50, balance: 10.00000002 },
  ],
  [
    'as it rises, what the balance has of such a rest comes back with it, and opens the position before the buy',
    new History().b(100, 100).o(40).s(59.99999995, 120).i(4.99999995, { at: 4 }).b(10, 50, { at: 5 }),
    { pnl: 120 - 59.99999995, state: 'open', opened: 4, away: 35.00000005, cost: 55, balance: 15 },
  ],
  [
    'what a transaction gives before it receives it was there: as much comes back',
    new History().b(10, 100).o(10).s(4, 80, { hash: '0xc0', at: 3 }).b(6, 90, { hash: '0xc0', at: 3 }),
    { pnl: 0, state: 'open', opened: 3, away: 6, awayCost: 60, cost: 50, balance: 6 },
  ],
  [
    'what came back opens a position, whatever order of sells in one second balances tell',
    new History()
      .b(10, 100)
      .o(10)
      .i(10, { at: 5 })
      .s(6, 90, { balances: [10, 4], at: 7, hash: '0xb0' })
      .s(4, 60, { balances: [4, 0], at: 7, hash: '0xa0' }),
    { pnl: 50, state: 'closed', opened: 5, away: 0, gaps: 0 },
  ],
  [
    'rows that list all movements say what a tax took',
    new History()
      .b(100, 100, { hash: '0xc0', at: 1 })
      .i(95, { hash: '0xc0', at: 1, includes_swaps: true })
      .s(95, 95, { hash: '0xc1', at: 2 })
      .o(95, { hash: '0xc1', at: 2, includes_swaps: true }),
    { pnl: -5, state: 'closed', away: 0 },
  ],
  [
    'what arrived goes after the lots that are here',
    new History()
      .s(5, 50, { balances: [20, 15] })
      .b(5, 40, { balances: [15, 20] })
      .s(20, 200, { balances: [20, 0] }),
    { pnl: 10, state: 'closed', unmatched: 250 - 50 },
  ],
  [
    'quote tokens that are spent take their lots along',
    new History().b(10, 2000, { token: native }).pay(8).get(16).s(18, 4500, { token: native }),
    { pnl: 100, of: native, state: 'closed', spent: 1600, unmatched: 4000 },
  ],
];

/**
 * 66 lots of one token each, at 1 to 66 USD, leave. The oldest become one until 64 are left: three of 1, 2 and 3 USD, at 2 USD each. The 63
 * newest come back with their own cost, 4 + ... + 66 = 2205, and one of the three.
 */
function manyLots(): History {
  const history = new History();
  for (let usd = 1; usd <= 66; usd++) history.b(1, usd);
  return history.o(66).i(64).s(64, 6400);
}

type Engine = 'memory' | 'sqlite' | 'duckdb';

async function withStore<R>(engine: Engine, work: (storage: StorageAdapter) => Promise<R>): Promise<R> {
  return engine === 'memory' ? work(memory()) : withFolder((folder) => work(engines[engine]!(folder)));
}

async function store(dex: Swapfold, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    if ('swap' in row) assert.equal((await dex.ingest([row.swap])).added, 1);
    else assert.equal((await dex.transfers.ingest([row.transfer])).added, 1);
  }
}

/** Whose a history is, and when it starts. */
interface Whose {
  readonly wallet: string;
  readonly token: string;
  readonly start: number;
}

const alone: Whose = { wallet, token, start: START };

/** What a refreshed store says of a history. */
async function assertRight(dex: Swapfold, right: Right, what: string, { wallet, token, start } = alone): Promise<void> {
  const trades = (await dex.trades.list({ wallet })).data;
  const of = right.of ?? token;
  const pnl = trades.filter(({ token: t }) => t === of).reduce((sum, trade) => sum + (trade.realized_pnl_usd ?? 0), 0);
  assert.ok(Math.abs(pnl - right.pnl) < 1e-9, `${what}: pnl is ${pnl}`);
  const { holding, metadata } = (await dex.positions.get({ wallet, token: of })) as unknown as {
    holding: Record<string, number | null>;
    metadata: { state: string; opened_at: string };
  };
  const close = (name: string, wanted: number | null | undefined): void => {
    if (wanted === undefined) return;
    const found = holding[name] ?? null;
    const isRight = wanted === null || found === null ? wanted === found : Math.abs(found - wanted) < 1e-9;
    assert.ok(isRight, `${what}: holding.${name} is ${found}, not ${wanted}`);
  };
  if (right.state !== undefined) assert.equal(metadata.state, right.state, what);
  if (right.opened !== undefined) assert.equal(Date.parse(metadata.opened_at) / 1000 - start, right.opened, what);
  close('away_amount', right.away);
  close('away_cost', right.awayCost);
  close('cost_basis', right.cost);
  close('spent_cost', right.spent);
  close('balance', right.balance);
  if (right.gaps === undefined) return;
  const gaps = trades.reduce((sum, trade) => sum + Math.abs(trade.gap_before), 0);
  assert.ok(Math.abs(gaps - right.gaps) < 1e-9, `${what}: gaps of ${gaps}`);
}

for (const engine of ['memory', 'sqlite', 'duckdb'] as const)
  for (const [what, { rows }, right] of isWhole || engine === 'memory' ? histories : [])
    test(`${engine}: ${what}`, () =>
      withStore(engine, async (storage) => {
        const dex = await Swapfold.open({ storage, config });
        await store(dex, rows);
        await dex.refresh();
        await assertRight(dex, right, 'row by row');
        await dex.rebuild();
        await dex.refresh();
        await assertRight(dex, right, 'rebuilt');
        await dex.close();
      }));

/** Seconds from the start of a history to that of the next in a store that holds several. */
const APART = 1000;

/** A history as that of wallet and token number `n` of a store: of two rows of a second, the order of their hashes stays. */
function movedTo(n: number, rows: readonly Row[]): { readonly rows: readonly Row[]; readonly whose: Whose } {
  const whose = { wallet: address(0x1000 + n), token: address(0xa000 + n), start: START + n * APART };
  const addresses = new Map([
    [wallet, whose.wallet],
    [token, whose.token],
  ]);
  const moved = <T extends SwapInput | TransferInput>(row: T): T => {
    const entries = Object.entries(row).map(([key, value]) => [key, addresses.get(value as string) ?? value]);
    return {
      ...Object.fromEntries(entries),
      tx_hash: `${row.tx_hash}${address(n).slice(-4)}`,
      block_time: Number(row.block_time) + n * APART,
      block_slot: Number(row.block_slot) + n * APART,
    };
  };
  return {
    rows: rows.map((row) => ('swap' in row ? { swap: moved(row.swap) } : { transfer: moved(row.transfer) })),
    whose,
  };
}

// A store of its own costs a hundred times of its rows there.
for (const engine of isWhole ? [] : (['sqlite', 'duckdb'] as const))
  test(`${engine}: the same histories, each of a wallet and a token of its own in one store`, () =>
    withStore(engine, async (storage) => {
      const dex = await Swapfold.open({ storage, config });
      const moved = histories.map(([, { rows }], n) => movedTo(n, rows));
      for (const { rows } of moved) await store(dex, rows);
      for (const how of ['row by row', 'rebuilt']) {
        if (how === 'rebuilt') await dex.rebuild();
        await dex.refresh();
        for (const [n, [what, , right]] of histories.entries())
          await assertRight(dex, right, `${what}, ${how}`, moved[n]!.whose);
      }
      await dex.close();
    }));

test('memory: beyond 64 lots away the oldest are one, at their mean cost', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  await store(dex, manyLots().rows);
  await dex.refresh();
  await assertRight(dex, { pnl: 6400 - 2205 - 2, state: 'closed', away: 2, awayCost: 4 }, 'many lots');
  await dex.close();
});

test('memory: histories give the same when their rows come in reverse', async () => {
  for (const [what, { rows }, right] of histories) {
    const dex = await Swapfold.open({ storage: memory(), config });
    await store(dex, [...rows].reverse());
    await dex.refresh();
    await assertRight(dex, right, what);
    await dex.close();
  }
});
