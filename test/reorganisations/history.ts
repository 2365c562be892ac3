import { presets, type SwapInput } from '@swapfold/core';
import fc from 'fast-check';

const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;

/** The quote tokens of the preset (two stable ones, the native one) and three that trade against them and each other. */
export const tokens: readonly string[] = [
  ...presets.ethereum.quote_tokens.map((token) => token.address),
  ...[0xa1, 0xa2, 0xa3].map(address),
];
export const wallets: readonly string[] = [1, 2, 3, 4].map(address);

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** What a step does to the store; numbers choose among what is there when the step runs, so that every history can be shortened. */
export type Step =
  | { readonly kind: 'ingest'; readonly transactions: readonly NewTransaction[] }
  | { readonly kind: 'again'; readonly picks: readonly Pick[] }
  | { readonly kind: 'late'; readonly pick: number; readonly swap: NewSwap }
  | { readonly kind: 'rollback'; readonly slots: number }
  | {
      readonly kind: 'refresh';
      readonly scope: 'all' | 'traded';
      readonly as_of: AsOf;
      readonly how: 'here' | 'beside' | 'failing';
    }
  | { readonly kind: 'ask' }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'token'; readonly token: number; readonly supply: number | null; readonly age: number | null }
  | { readonly kind: 'wallet'; readonly wallet: number; readonly label: string };

/** The chain's clock, or so many seconds from the latest instant that any step has named. */
export type AsOf = number | undefined;

export interface NewTransaction {
  /** Seconds after the newest swap (of those present, or of all there ever were); negative is late. */
  readonly after: number;
  readonly from: 'present' | 'ever';
  readonly wallet: number;
  /** A chain of swaps, each giving what the one before received. */
  readonly swaps: readonly NewSwap[];
  /** How often the chain is repeated, a second apart: a busy wallet. */
  readonly times: number;
  /** Its slot is its time plus this; none at all with `null`. */
  readonly slot: number | null;
  readonly tx_index: number | null;
}

export interface NewSwap {
  readonly token_in: number;
  readonly token_out: number;
  readonly amount_in: number;
  readonly amount_out: number;
  readonly usd: number | null;
  /** The balance that the feed reports to be left of what is given, and to be there of what is received. */
  readonly balance: number | null;
  /** What the feed calls the token that is received. */
  readonly symbol: string | null;
}

/** A transaction that was there once, and how it comes again if it is gone; if it is present, it comes as it is. */
export interface Pick {
  readonly index: number;
  readonly as: 'same' | 'moved' | 'other amounts' | 'other hash';
}

const gaps = [0, 0, 1, 1, 30, MINUTE, 5 * MINUTE, HOUR, DAY, 3 * DAY, 8 * DAY, 31 * DAY, 100 * DAY];
const amounts = [1, 2, 7, 100, 0.3, 1e-4, 50_000];

const newSwap: fc.Arbitrary<NewSwap> = fc.record({
  token_in: fc.nat(tokens.length - 1),
  token_out: fc.nat(tokens.length - 1),
  amount_in: fc.constantFrom(...amounts),
  amount_out: fc.constantFrom(...amounts),
  usd: fc.option(fc.constantFrom(...amounts), { freq: 4 }),
  balance: fc.option(fc.constantFrom(0, ...amounts), { freq: 1 }),
  symbol: fc.option(fc.constantFrom('AAA', 'BBB'), { freq: 1 }),
});

const rarely = <T>(value: fc.Arbitrary<T>, otherwise: T, weight: number): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary: value });

const newTransaction: fc.Arbitrary<NewTransaction> = fc.record({
  after: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...gaps) },
    { weight: 1, arbitrary: fc.constantFrom(...gaps.slice(2).map((gap) => -gap)) },
  ),
  from: fc.constantFrom('present' as const, 'ever' as const, 'ever' as const),
  wallet: fc.nat(wallets.length - 1),
  swaps: fc.array(newSwap, { minLength: 1, maxLength: 3 }),
  times: rarely(fc.integer({ min: 16, max: 24 }), 1, 12),
  slot: rarely<number | null>(fc.constantFrom(-40, 3, 90_000, null), 0, 20),
  tx_index: fc.option(fc.nat(2)),
});

const pick: fc.Arbitrary<Pick> = fc.record({
  index: fc.nat(30),
  as: fc.constantFrom('same' as const, 'moved' as const, 'other amounts' as const, 'other hash' as const),
});

const asOf: fc.Arbitrary<AsOf> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 5, arbitrary: fc.constantFrom(...gaps) },
  { weight: 1, arbitrary: fc.constantFrom(-1, -HOUR, -8 * DAY) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ingest' as const),
      transactions: fc.array(newTransaction, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('again' as const),
      picks: fc.array(pick, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), pick: fc.nat(30), swap: newSwap }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('rollback' as const), slots: rarely(fc.nat(30), 0, 2) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('refresh' as const),
      scope: fc.constantFrom('all' as const, 'traded' as const),
      as_of: asOf,
      how: rarely(fc.constantFrom('beside' as const, 'failing' as const), 'here' as const, 6),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ask' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('token' as const),
      token: fc.nat(tokens.length - 1),
      supply: fc.option(fc.constantFrom(1000, 1e6)),
      age: fc.option(fc.constantFrom(...gaps)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wallet' as const),
      wallet: fc.nat(wallets.length - 1),
      label: fc.constantFrom('kol', 'insider'),
    }),
  },
);

/** A random history, and at which instant it is looked at. */
export interface History {
  readonly steps: readonly Step[];
  readonly at: AsOf;
}

export const history: fc.Arbitrary<History> = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 14, size: 'max' }),
  at: fc.option(fc.constantFrom(...gaps), { nil: undefined, freq: 3 }),
});

/** The chain as it ought to be: transactions by hash, those that are present and those that are gone. */
export class Chain {
  readonly present = new Map<string, readonly SwapInput[]>();
  readonly #gone = new Map<string, readonly SwapInput[]>();
  #count = 0;
  /** The latest instant that was named. */
  latest = 1_700_000_000;

  get swaps(): SwapInput[] {
    return [...this.present.values()].flat();
  }

  get newest(): number {
    return this.swaps.reduce((newest, swap) => Math.max(newest, swap.block_time), 1_700_000_000);
  }

  ingest({ after, from, wallet, swaps, times, slot, tx_index }: NewTransaction): SwapInput[] {
    const start = (from === 'present' ? this.newest : this.latest) + after;
    return Array.from({ length: times }, (_, n) => {
      const block_time = start + n;
      const block_slot = slot === null ? null : block_time + slot;
      const shared = { tx_hash: this.#newHash(), block_time, block_slot, tx_index, wallet: wallets[wallet]! };
      return this.#add(swaps.map((swap, swap_index) => ({ ...shared, swap_index, ...sidesOf(swap) })));
    }).flat();
  }

  again({ index, as }: Pick): SwapInput[] {
    const known = [...this.#gone.values(), ...this.present.values()];
    if (known.length === 0) return [];
    const old = known[index % known.length]!;
    if (this.present.has(old[0]!.tx_hash)) return [...old];
    const hash = as === 'other hash' ? this.#newHash() : old[0]!.tx_hash;
    return this.#add(
      old.map((swap) => {
        if (as === 'moved')
          return { ...swap, block_time: swap.block_time + 3, block_slot: swap.block_slot! + 7 } satisfies SwapInput;
        if (as === 'other amounts') return { ...swap, token_amount_out: swap.token_amount_out * 1.5 };
        return { ...swap, tx_hash: hash };
      }),
    );
  }

  /** One more swap of a transaction that is present. */
  late(index: number, swap: NewSwap): SwapInput[] {
    const all = [...this.present.values()];
    if (all.length === 0) return [];
    const old = all[index % all.length]!;
    const { tx_hash, block_time, block_slot = null, tx_index = null, wallet } = old[0]!;
    const more = { tx_hash, block_time, block_slot, tx_index, wallet, swap_index: old.length, ...sidesOf(swap) };
    this.present.set(tx_hash, [...old, more]);
    return [more];
  }

  /** The slot from which so many newest ones, and one more, are given up. */
  slot(slots: number): number {
    const all = [...new Set(this.swaps.flatMap((swap) => swap.block_slot ?? []))].sort((a, b) => b - a);
    return all[Math.min(slots, all.length - 1)] ?? 0;
  }

  rollback(slot: number): void {
    for (const [hash, swaps] of this.present) {
      if ((swaps[0]!.block_slot ?? -1) < slot) continue;
      this.present.delete(hash);
      this.#gone.set(hash, swaps);
    }
  }

  instant(asOf: AsOf): number | undefined {
    if (asOf === undefined) return undefined;
    const instant = this.latest + asOf;
    this.latest = Math.max(this.latest, instant);
    return instant;
  }

  #newHash(): string {
    return `0x${(++this.#count).toString(16).padStart(64, '0')}`;
  }

  #add(swaps: readonly SwapInput[]): SwapInput[] {
    const { tx_hash, block_time } = swaps[0]!;
    this.present.set(tx_hash, swaps);
    this.#gone.delete(tx_hash);
    this.latest = Math.max(this.latest, block_time);
    return [...swaps];
  }
}

function sidesOf({ token_in, token_out, amount_in, amount_out, usd, balance, symbol }: NewSwap) {
  return {
    token_in: tokens[token_in]!,
    token_out: tokens[token_out]!,
    token_amount_in: amount_in,
    token_amount_out: amount_out,
    usd_amount_in: usd,
    usd_amount_out: usd,
    token_symbol_out: symbol,
    ...(balance !== null && {
      pre_token_balance_in: balance + amount_in,
      post_token_balance_in: balance,
      pre_token_balance_out: balance,
      post_token_balance_out: balance + amount_out,
    }),
  };
}
