import * as v from 'valibot';
import { faultError } from '../faults.ts';
import { MAX_QUANTITY } from '../ledger/value.ts';
import { MAX_SWAP_INDEX } from '../records/chain-order.ts';
import { type SwapFieldType, swapField, swapFieldNames } from '../records/swap-fields.ts';
import { priceRowSchema } from '../registry/reference-prices.ts';
import { registryRowSchemas } from '../registry/registry.ts';
import { described, named } from '../response.ts';
import { MAX_TIME } from '../time.ts';
import { integer, type RequestSchema, readRequest, requestObject } from './request.ts';

const wholeUpTo = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));

/** What a value of each type is in JSON. */
const values: Readonly<Record<SwapFieldType, v.GenericSchema>> = {
  hash: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  address: v.string(),
  name: v.pipe(v.string(), v.maxLength(256)),
  identifier: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  whole: wholeUpTo(Number.MAX_SAFE_INTEGER),
  index: wholeUpTo(MAX_SWAP_INDEX),
  time: wholeUpTo(MAX_TIME),
  quantity: v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_QUANTITY)),
};

function swapEntries(): Record<string, v.GenericSchema> {
  return Object.fromEntries(
    swapFieldNames.map((name) => {
      const { type, isRequired, meaning } = swapField(name);
      return [name, described(isRequired ? values[type] : v.nullish(values[type]), meaning)];
    }),
  );
}

/** The rows that a store can be sent, as descriptions have them: `ingest` and `upsert` check what comes. */
export const pushedRowSchemas: Readonly<Record<'swaps' | 'tokens' | 'wallets' | 'prices', v.GenericSchema>> = {
  swaps: named('PushedSwap', v.object(swapEntries())),
  tokens: named('PushedToken', registryRowSchemas.tokens),
  wallets: named('PushedWallet', registryRowSchemas.wallets),
  prices: named('PushedPrice', priceRowSchema),
};

/** What a store can be asked to do, beside taking rows. */
export const pushedCallSchemas = {
  rollback: requestObject({
    from_block_slot: described(integer(0, Number.MAX_SAFE_INTEGER), 'The first orphaned block slot.'),
  }),
  refresh: requestObject({
    scope: v.optional(
      described(
        v.picklist(['traded', 'all'], 'expected "traded" or "all"'),
        'What was traded since the last refresh, or all profiles.',
      ),
      'all',
    ),
  }),
} as const;

/** A request body that fits its schema. Errors: `invalid-request`, which lists every fault. */
export function parseRequest<T>(schema: RequestSchema<T>, body: unknown): T {
  const { request, faults } = readRequest(schema, body);
  if (faults.length > 0) throw faultError(faults);
  return request as T;
}
