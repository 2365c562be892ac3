import * as v from 'valibot';
import { faultError } from '../faults.ts';
import { swapRowSchema } from '../ingest/field-rules.ts';
import { priceRowSchema } from '../registry/reference-prices.ts';
import { registrySchemas } from '../registry/registry.ts';
import { described, named } from '../response.ts';
import { integer, type RequestSchema, readRequest, requestObject } from './request.ts';

/** The rows that a store can be sent, as descriptions have them: `ingest` and `upsert` check what comes. */
export const pushedRowSchemas: Readonly<Record<'swaps' | 'tokens' | 'wallets' | 'prices', v.GenericSchema>> = {
  swaps: named('PushedSwap', swapRowSchema('any')),
  tokens: named('PushedToken', registrySchemas.tokens),
  wallets: named('PushedWallet', registrySchemas.wallets),
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
