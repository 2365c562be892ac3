import { type Config, type Swapfold, SwapfoldError } from '@swapfold/core';
import { parseRequest, pushedCallSchemas, pushedRowSchemas } from '@swapfold/core/host';
import * as v from 'valibot';
import type { PushPermission } from './permissions.ts';

/** What a route does with what it was sent. */
export interface PushCall {
  readonly signal: AbortSignal;
  /** Seconds that a swap may be ahead of the clock. */
  readonly maxAhead: number;
}

/** One route by which a store is written to: the server, OpenAPI and the client follow from it. */
export interface PushRoute {
  readonly name: string;
  /** After `/v1/{chain}`. */
  readonly path: string;
  readonly permission: PushPermission;
  readonly summary: string;
  readonly description: string;
  /** Whether the body is rows, JSON or NDJSON, or one object. */
  readonly takes: 'rows' | 'object';
  /** Whether it works for long beside other writes, so that it takes none of their places. */
  readonly isLong?: true;
  /** A row, or the object. */
  readonly request: v.GenericSchema;
  readonly answer: v.GenericSchema;
  readonly returns: string;
  readonly example: (config: Config) => unknown;
  readonly run: (dex: Swapfold, sent: unknown, call: PushCall) => Promise<object>;
}

/** Rows at fault that an answer lists. */
const MOST_LISTED = 100;

const count = (description: string) => v.pipe(v.number(), v.integer(), v.metadata({ description }));
const asOf = v.pipe(
  v.nullable(v.pipe(v.number(), v.integer())),
  v.metadata({ description: 'Block time of the newest stored swap, Unix seconds.' }),
);
const rowFault = v.object({
  row: count('Its place in what was sent, from 0.'),
  field: v.pipe(v.string(), v.metadata({ description: 'The field at fault.' })),
  reason: v.pipe(v.string(), v.metadata({ description: 'What is wrong with it.' })),
});
const rows = v.pipe(v.array(rowFault), v.metadata({ description: 'The first 100 rows that were not stored.' }));

const unknownField = v.object({
  field: v.pipe(v.string(), v.metadata({ description: 'A field that no swap has.' })),
  rows: count('Rows that carry it.'),
  nearest: v.pipe(
    v.nullable(v.string()),
    v.metadata({
      description: 'The field of a swap that may have been meant, of those that the first such row lacks.',
    }),
  ),
});

const pushedSwaps = v.object({
  added: count('Swaps that are new.'),
  duplicate: count('Swaps that were stored before.'),
  conflicting: count('Swaps that were stored before with other values; the stored ones stay.'),
  rejected: count('Rows that cannot be stored.'),
  passed_over: v.optional(
    count('Rows of a token for itself under an alias, such as wraps, which are not stored. Absent if there are none.'),
  ),
  odd_hashes: v.optional(
    count(
      'Rows, not rejected, whose `tx_hash` is no hash of an EVM chain, in a store for one. Absent if there are none.',
    ),
  ),
  aggregates: v.optional(
    count('Stored swaps that are the sum of the others of their transaction. Absent if there are none.'),
  ),
  rows,
  unknown_fields: v.pipe(
    v.array(unknownField),
    v.metadata({ description: 'The first 100 fields that no swap has. The rows are stored without them.' }),
  ),
  as_of: asOf,
});
const pushedRegistry = v.object({
  upserted: count('Addresses whose rows were stored.'),
  rejected: count('Rows that cannot be stored.'),
  rows,
  as_of: asOf,
});
const warnings = v.pipe(
  v.array(
    v.object({
      token: v.string(),
      time: count('When the price became known, Unix seconds.'),
      usd_price: v.number(),
      swaps_say: v.pipe(
        v.number(),
        v.metadata({ description: 'Median of what swaps of the token paid in the same hour, USD.' }),
      ),
    }),
  ),
  v.metadata({
    description:
      'The first prices of the native token that were stored although swaps say something else, by more than `print_factor`.',
  }),
);
const pushedPrices = v.object({
  stored: count('Prices that are new, or others than were stored.'),
  removed: count('Prices that were removed.'),
  rejected: count('Rows that cannot be stored.'),
  rows,
  warnings,
  as_of: asOf,
});
const rolledBack = v.object({
  swaps: count('Swaps that were removed.'),
  transactions: count('Transactions that were removed.'),
  as_of: asOf,
});
const refreshed = v.object({
  as_of: count('The instant of the stored profiles, Unix seconds.'),
  tokens: count('Profiles of tokens that were stored.'),
  wallets: count('Profiles of wallets that were stored.'),
  positions: count('Positions that were stored.'),
});

const asOfNow = async (dex: Swapfold): Promise<number | null> => (await dex.status()).newest_block_time;

function registryRoute(kind: 'tokens' | 'wallets', noun: string, example: PushRoute['example']): PushRoute {
  return {
    name: `ingest.${kind}`,
    path: `/ingest/${kind}`,
    permission: 'ingest.registry',
    takes: 'rows',
    summary: `Store what is known of ${kind}.`,
    description: `Adds or changes rows of the registry of ${kind}, in one transaction. A field that a row does not have keeps what is stored; null clears it. Profiles follow at the next refresh.`,
    request: pushedRowSchemas[kind],
    answer: pushedRegistry,
    returns: `What became of the rows, once they are durable. Of two rows of one ${noun} the later wins.`,
    example,
    async run(dex, sent, { signal }) {
      const given = sent as Parameters<Swapfold['tokens']['upsert']>[0] & Parameters<Swapfold['wallets']['upsert']>[0];
      const { upserted, rejected, rejects } = await dex[kind].upsert(given, { signal });
      return { upserted, rejected, rows: rejects.slice(0, MOST_LISTED), as_of: await asOfNow(dex) };
    },
  };
}

const solanaExample = {
  token: { address: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm', symbol: 'WIF', decimals: 6 },
  wallet: '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
};

/** A token and a wallet that examples name, by the format of addresses: they do no harm where somebody sends one as it stands. */
const examples: Readonly<Record<Config['address_format'], typeof solanaExample>> = {
  any: solanaExample,
  solana: solanaExample,
  evm: {
    token: { address: '0x6982508145454ce325ddbe47a25d4ec3d2311933', symbol: 'PEPE', decimals: 18 },
    wallet: '0x00000000000000000000000000000000000000a1',
  },
  tron: {
    token: { address: 'TCFLL5dx5ZJdKnWuesXxi1VPwjLVmWZZy9', symbol: 'JST', decimals: 18 },
    wallet: 'TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb',
  },
  sui: {
    token: {
      address: '0x06864a6f921804860930db6ddbe2e16acdf8504495ea7481637a1c8b9a8fe54b::cetus::CETUS',
      symbol: 'CETUS',
      decimals: 9,
    },
    wallet: `0x${'a1'.padStart(64, '0')}`,
  },
};

/** Every route that writes. */
export const pushRoutes: readonly PushRoute[] = [
  {
    name: 'ingest.swaps',
    path: '/ingest/swaps',
    permission: 'ingest.swaps',
    takes: 'rows',
    summary: 'Store swaps.',
    description:
      'Stores swaps in any order, in one transaction. A swap that is stored already changes nothing, so a request without an answer is sent again.',
    request: pushedRowSchemas.swaps,
    answer: pushedSwaps,
    returns: 'What became of the swaps, once they are durable.',
    example: (config) => [
      {
        tx_hash: '5h6x',
        swap_index: 0,
        block_time: 1_735_689_600,
        wallet: examples[config.address_format].wallet,
        token_in: config.quote_tokens[0]?.address ?? 'A',
        token_out: examples[config.address_format].token.address,
        token_amount_in: 100,
        token_amount_out: 0.5,
      },
    ],
    async run(dex, sent, { signal, maxAhead }) {
      const given = sent as Parameters<Swapfold['ingest']>[0] & readonly unknown[];
      const { added, duplicate, conflicting, rejected, rejects, conflicts, ...told } = await dex.ingest(given, {
        signal,
        maxAhead,
      });
      const { passed_over, odd_hashes, aggregates, unknown_fields } = told;
      const faults = [...rejects, ...conflicts.map(({ row, reason }) => ({ row, field: 'tx_hash', reason }))].sort(
        (a, b) => a.row - b.row,
      );
      const as_of = await asOfNow(dex);
      return {
        added,
        duplicate,
        conflicting,
        rejected,
        ...{ passed_over, odd_hashes, aggregates },
        rows: faults.slice(0, MOST_LISTED),
        unknown_fields,
        as_of,
      };
    },
  },
  registryRoute('tokens', 'token', (config) => [examples[config.address_format].token]),
  registryRoute('wallets', 'wallet', (config) => [
    { address: examples[config.address_format].wallet, name: 'A market maker', labels: ['kol'] },
  ]),
  {
    name: 'ingest.prices',
    path: '/ingest/prices',
    permission: 'ingest.prices',
    takes: 'rows',
    summary: 'Store prices of quote tokens.',
    description:
      'Adds, changes or removes prices from outside, in one transaction, and derives again what depends on them, whenever the swaps came. A price holds from its time to the next one, at most as long as the configuration says. Profiles follow at the next refresh.',
    request: pushedRowSchemas.prices,
    answer: pushedPrices,
    returns: 'What became of the rows, once they are durable. Of two rows of one token and time the later wins.',
    example: ({ quote_tokens }) => [{ token: quote_tokens[0]?.address ?? 'T', time: 1_735_689_600, usd_price: 0.9998 }],
    async run(dex, sent, { signal }) {
      const given = sent as Parameters<Swapfold['prices']['upsert']>[0];
      const { stored, removed, rejected, rejects, warnings: told } = await dex.prices.upsert(given, { signal });
      const [listed, warned] = [rejects.slice(0, MOST_LISTED), told.slice(0, MOST_LISTED)];
      return { stored, removed, rejected, rows: listed, warnings: warned, as_of: await asOfNow(dex) };
    },
  },
  {
    name: 'ingest.rollback',
    path: '/ingest/rollback',
    permission: 'ingest.rollback',
    takes: 'object',
    summary: 'Take back orphaned blocks.',
    description:
      'Removes the swaps of a block slot and of all later ones, in one transaction. The swaps of the new branch can be sent then.',
    request: pushedCallSchemas.rollback,
    answer: rolledBack,
    returns: 'What was removed.',
    example: () => ({ from_block_slot: 250_000_000 }),
    async run(dex, sent, { signal }) {
      const { from_block_slot } = parseRequest(pushedCallSchemas.rollback, sent);
      try {
        return { ...(await dex.rollback({ from_block_slot, signal })), as_of: await asOfNow(dex) };
      } catch (error) {
        // Swaps without a slot: what was sent has a fault only together with them.
        if (error instanceof SwapfoldError && error.code === 'invalid-input')
          throw new SwapfoldError('invalid-request', error.message, { cause: error });
        throw error;
      }
    },
  },
  {
    name: 'ingest.refresh',
    path: '/ingest/refresh',
    permission: 'ingest.refresh',
    takes: 'object',
    isLong: true,
    summary: 'Bring the profiles up to date.',
    description:
      'Folds the profiles that changed, of what was traded or all, beside what is pushed meanwhile, and stores them in one transaction. What changes meanwhile is left to the next refresh.',
    request: pushedCallSchemas.refresh,
    answer: refreshed,
    returns: 'How many profiles were stored.',
    example: () => ({ scope: 'traded' }),
    run: (dex, sent, { signal }) =>
      dex.refresh({ ...parseRequest(pushedCallSchemas.refresh, sent), signal, beside: true }),
  },
];
