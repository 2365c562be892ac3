import * as v from 'valibot';
import type { Config } from '../../config.ts';
import { SwapfoldError } from '../../errors.ts';
import type { GivenSwap, GivenTransfer } from '../../ingest/columns.ts';
import { rowSchema } from '../../ingest/field-rules.ts';
import type { Reject } from '../../ingest-result.ts';
import { fieldsOfSwaps, type SwapFieldName } from '../../records/swap-fields.ts';
import { fieldsOfTransfers, type TransferFieldName } from '../../records/transfer-fields.ts';
import { priceRowSchema } from '../../registry/reference-prices.ts';
import { registrySchemas } from '../../registry/registry.ts';
import { type Answer, described, integer, integerOrNull, listOf, named, number, text } from '../../response.ts';
import { type WritableStore, write, writeOfRows } from '../operation.ts';
import { requestObject, integer as wholeFrom } from '../request.ts';

/** Rows at fault, and warnings, that an answer lists. */
const MOST_LISTED = 100;
const listed = <T>(all: readonly T[]): readonly T[] => all.slice(0, MOST_LISTED);

const asOfSchema = integerOrNull(
  'Block time of the newest stored swap, Unix seconds; null without one, and if the store closed meanwhile.',
);
/** The write before it is stored: a store that closes meanwhile does not deny it. */
const asOfNow = (store: WritableStore): Promise<number | null> =>
  store.status().then(
    ({ newest_block_time }) => newest_block_time,
    () => null,
  );

const faultSchema = v.object({
  row: integer('Its place in what was sent, from 0.'),
  field: text('The field at fault.'),
  reason: text('What is wrong with it.'),
});
const rejectedEntries = {
  rejected: integer('Rows that cannot be stored.'),
  rows: described(listOf(faultSchema), 'The first 100 rows that were not stored.'),
};

/** The rows that were not stored, in their order. */
const faultsOf = (
  rejects: readonly Reject[],
  conflicts: readonly { readonly row: number; readonly reason: string }[],
) =>
  listed(
    [...rejects, ...conflicts.map(({ row, reason }) => ({ row, field: 'tx_hash', reason }))].sort(
      (a, b) => a.row - b.row,
    ),
  );

const unknownFieldsOf = (what: 'swap' | 'transfer') =>
  described(
    listOf(
      v.object({
        field: text(`A field that no ${what} has.`),
        rows: integer('Rows that carry it.'),
        nearest: described(
          v.nullable(v.string()),
          `The field of a ${what} that may have been meant, of those that the first such row lacks.`,
        ),
      }),
    ),
    `The first 100 fields that no ${what} has. The rows are stored without them.`,
  );

const oddHashesSchema = v.optional(
  integer(
    'Rows, not rejected, whose `tx_hash` is no hash of an EVM chain, in a store for one. Absent if there are none.',
  ),
);

const ingestedSchema = v.object({
  added: integer('Swaps that are new.'),
  duplicate: integer('Swaps that were stored before.'),
  conflicting: integer('Swaps that were stored before with other values; the stored ones stay.'),
  rejected: rejectedEntries.rejected,
  passed_over: v.optional(
    integer(
      'Rows of a token for itself under an alias, such as wraps, which are not stored. Absent if there are none.',
    ),
  ),
  odd_hashes: oddHashesSchema,
  aggregates: v.optional(
    integer('Stored swaps that are the sum of the others of their transaction. Absent if there are none.'),
  ),
  rows: rejectedEntries.rows,
  unknown_fields: unknownFieldsOf('swap'),
  as_of: asOfSchema,
});

const ingestedTransfersSchema = v.object({
  added: integer('Transfers that are new.'),
  duplicate: integer('Transfers that were stored before.'),
  conflicting: integer('Transfers that were stored before with other values; the stored ones stay.'),
  rejected: rejectedEntries.rejected,
  passed_over: v.optional(
    integer(
      'Rows that move nothing, of an amount of 0 or of the native token as it is wrapped, which are not stored. Absent if there are none.',
    ),
  ),
  odd_hashes: oddHashesSchema,
  rows: rejectedEntries.rows,
  unknown_fields: unknownFieldsOf('transfer'),
  as_of: asOfSchema,
});

export const ingestSwaps = writeOfRows({
  name: 'ingest.swaps',
  path: '/ingest/swaps',
  grant: 'ingest.swaps',
  cost: 'write',
  summary: 'Store swaps.',
  description:
    'Stores swaps in any order, in one transaction. A swap that is stored already changes nothing, so a request without an answer is sent again.',
  example: (config) => [
    {
      tx_hash: '5h6x',
      swap_index: 0,
      block_time: 1_735_689_600,
      wallet: harmless(config).wallet,
      token_in: config.quote_tokens[0]?.address ?? 'A',
      token_out: harmless(config).token.address,
      token_amount_in: 100,
      token_amount_out: 0.5,
    },
  ],
  request: (config) => named('PushedSwap', rowSchema<GivenSwap, SwapFieldName>(fieldsOfSwaps, config.address_format)),
  returns: 'What became of the swaps, once they are durable.',
  response: () => ingestedSchema,
  async answer(store, swaps, options): Promise<Answer<typeof ingestedSchema>> {
    const { added, duplicate, conflicting, rejected, rejects, conflicts, ...told } = await store.ingest(swaps, options);
    const { passed_over, odd_hashes, aggregates, unknown_fields } = told;
    return {
      added,
      duplicate,
      conflicting,
      rejected,
      passed_over,
      odd_hashes,
      aggregates,
      rows: faultsOf(rejects, conflicts),
      unknown_fields,
      as_of: await asOfNow(store),
    };
  },
});

export const ingestTransfers = writeOfRows({
  name: 'ingest.transfers',
  path: '/ingest/transfers',
  grant: 'ingest.transfers',
  cost: 'write',
  summary: 'Store transfers.',
  description:
    'Stores transfers in any order, in one transaction. A transfer that is stored already changes nothing. Without `transfer_index`, equal rows of one request are as many transfers.',
  example: (config) => [
    {
      tx_hash: '5h6y',
      transfer_index: 0,
      block_time: 1_735_689_600,
      token: harmless(config).token.address,
      token_amount: 0.5,
      to: harmless(config).wallet,
      kind: 'airdrop',
    },
  ],
  request: (config) =>
    named('PushedTransfer', rowSchema<GivenTransfer, TransferFieldName>(fieldsOfTransfers, config.address_format)),
  returns: 'What became of the transfers, once they are durable.',
  response: () => ingestedTransfersSchema,
  async answer(store, transfers, options): Promise<Answer<typeof ingestedTransfersSchema>> {
    const { rejects, conflicts, ...counts } = await store.transfers.ingest(transfers, options);
    return { ...counts, rows: faultsOf(rejects, conflicts), as_of: await asOfNow(store) };
  },
});

const registryRows = <Kind extends 'tokens' | 'wallets'>(kind: Kind, example: (config: Config) => object) =>
  writeOfRows({
    name: `ingest.${kind}`,
    path: `/ingest/${kind}`,
    grant: 'ingest.registry',
    cost: 'write',
    summary: `Store what is known of ${kind}.`,
    description: `Adds or changes rows of the registry of ${kind}, in one transaction. A field that a row does not have keeps what is stored; null clears it. Profiles follow at the next refresh.`,
    example: (config) => [example(config)],
    request: () => named(kind === 'tokens' ? 'PushedToken' : 'PushedWallet', registrySchemas[kind]),
    returns: `What became of the rows, once they are durable. Of two rows of one ${kind.slice(0, -1)} the later wins.`,
    response: () =>
      v.object({ upserted: integer('Addresses whose rows were stored.'), ...rejectedEntries, as_of: asOfSchema }),
    async answer(store, rows: Parameters<WritableStore[Kind]['upsert']>[0], { signal }) {
      const { upserted, rejected, rejects } = await store[kind].upsert(rows, { signal });
      return { upserted, rejected, rows: listed(rejects), as_of: await asOfNow(store) };
    },
  });

export const ingestTokens = registryRows('tokens', (config) => harmless(config).token);
export const ingestWallets = registryRows('wallets', (config) => ({
  address: harmless(config).wallet,
  name: 'A market maker',
  labels: ['kol'],
}));

const warningSchema = v.object({
  token: v.string(),
  time: integer('When the price became known, Unix seconds.'),
  usd_price: v.number(),
  swaps_say: number('Median of what swaps of the token paid in the same hour, USD.'),
});

export const ingestPrices = writeOfRows({
  name: 'ingest.prices',
  path: '/ingest/prices',
  grant: 'ingest.prices',
  cost: 'write',
  summary: 'Store prices of quote tokens.',
  description:
    'Adds, changes or removes prices from outside, in one transaction, and derives again what depends on them, whenever the swaps came. A price holds from its time to the next one, at most as long as the configuration says. Profiles follow at the next refresh.',
  example: ({ quote_tokens }) => [{ token: quote_tokens[0]?.address ?? 'T', time: 1_735_689_600, usd_price: 0.9998 }],
  request: () => named('PushedPrice', priceRowSchema),
  returns: 'What became of the rows, once they are durable. Of two rows of one token and time the later wins.',
  response: () =>
    v.object({
      stored: integer('Prices that are new, or others than were stored.'),
      removed: integer('Prices that were removed.'),
      ...rejectedEntries,
      warnings: described(
        listOf(warningSchema),
        'The first prices of the native token that were stored although swaps say something else, by more than `print_factor`.',
      ),
      as_of: asOfSchema,
    }),
  async answer(store, prices, { signal }) {
    const { stored, removed, rejected, rejects, warnings } = await store.prices.upsert(prices, { signal });
    const as_of = await asOfNow(store);
    return { stored, removed, rejected, rows: listed(rejects), warnings: listed(warnings), as_of };
  },
});

const rolledBackSchema = v.object({
  swaps: integer('Swaps that were removed.'),
  transactions: integer('Transactions of swaps that were removed.'),
  transfers: v.optional(integer('Transfers that were removed. Absent if there were none.')),
  as_of: asOfSchema,
});

export const ingestRollback = write({
  name: 'ingest.rollback',
  path: '/ingest/rollback',
  grant: 'ingest.rollback',
  cost: 'write',
  summary: 'Take back orphaned blocks.',
  description:
    'Removes the swaps and transfers of a block slot and of all later ones, in one transaction. Those of the new branch can be sent then.',
  example: () => ({ from_block_slot: 250_000_000 }),
  request: () =>
    requestObject({
      from_block_slot: described(wholeFrom(0, Number.MAX_SAFE_INTEGER), 'The first orphaned block slot.'),
    }),
  returns: 'What was removed.',
  response: () => rolledBackSchema,
  async answer(store, { from_block_slot }, { signal }): Promise<Answer<typeof rolledBackSchema>> {
    try {
      return { ...(await store.rollback({ from_block_slot, signal })), as_of: await asOfNow(store) };
    } catch (error) {
      // Rows without a slot: what was sent has a fault only together with them.
      if (error instanceof SwapfoldError && error.code === 'invalid-input')
        throw new SwapfoldError('invalid-request', error.message, { cause: error });
      throw error;
    }
  },
});

export const ingestRefresh = write({
  name: 'ingest.refresh',
  path: '/ingest/refresh',
  grant: 'ingest.refresh',
  cost: 'refresh',
  summary: 'Bring the profiles up to date.',
  description:
    'Folds the profiles that changed, of what was traded or all, beside what is pushed meanwhile, and stores them in one transaction. What changes meanwhile is left to the next refresh.',
  example: () => ({ scope: 'traded' }),
  request: () =>
    requestObject({
      scope: v.optional(
        described(
          v.picklist(['traded', 'all'], 'expected "traded" or "all"'),
          'What was traded since the last refresh, or all profiles.',
        ),
        'all',
      ),
    }),
  returns: 'How many profiles were stored.',
  response: () =>
    v.object({
      as_of: integer('The instant of the stored profiles, Unix seconds.'),
      tokens: integer('Profiles of tokens that were stored.'),
      wallets: integer('Profiles of wallets that were stored.'),
      positions: integer('Positions that were stored.'),
    }),
  answer: (store, { scope }, { signal }) => store.refresh({ scope, signal, beside: true }),
});

const ofSolana = {
  token: { address: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm', symbol: 'WIF', decimals: 6 },
  wallet: '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
};

const examples: Readonly<Record<Config['address_format'], typeof ofSolana>> = {
  any: ofSolana,
  solana: ofSolana,
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

/** A token and a wallet that do no harm where somebody sends an example as it stands. */
const harmless = ({ address_format }: Config): typeof ofSolana => examples[address_format];
