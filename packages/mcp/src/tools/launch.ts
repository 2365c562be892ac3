import type { TokenBuyers } from '@swapfold/core';
import { requestObject } from '@swapfold/core/host';
import * as v from 'valibot';
import { cursorEntry, limitEntry, requestEntries, responseEntries, says } from '../entries.ts';
import { type Tool, tool } from '../tool.ts';

/** The most bundles and insiders of an answer, and wallets of a bundle: an agent reads no more. */
const MOST = 10;

interface FirstBuyersWords {
  readonly token: string;
  readonly before?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export const firstBuyers: Tool = tool({
  name: 'first_buyers',
  title: 'First buyers of a token',
  description: `Who bought a token first, in chain order, and who was there at its launch: dev, snipers, bundlers, insiders, each with the transactions that show it; what each holds, sold and made. The first ${MOST} bundles and insiders of the launch come beside. A role says what a wallet did, not why.`,
  operations: ['tokens.buyers'],
  // Given on as it came: the operation reads its own times.
  request: ({ config }) =>
    requestObject({
      ...requestEntries<{ token: string }>('tokens.buyers', config, ['token']),
      before: v.optional(
        says(
          v.pipe(v.string(), v.metadata({ format: 'date-time' })),
          'Only wallets that bought first before it. RFC 3339.',
        ),
      ),
      limit: limitEntry(25, 10),
      cursor: cursorEntry,
    }),
  response: (store) => {
    const counted = (what: string) => says(v.nullable(v.pipe(v.number(), v.integer())), what);
    return v.strictObject({
      ...responseEntries('tokens.buyers', store),
      bundle_count: counted('Bundles, all of them.'),
      insider_count: counted('Insiders, all of them.'),
    });
  },
  async answer(store, request: FirstBuyersWords) {
    const { bundles, insiders, ...answer } = (await store.call('tokens.buyers', request)) as TokenBuyers;
    const first = <T>(list: readonly T[]): readonly T[] => list.slice(0, MOST);
    const shown = bundles?.map(({ wallets, transactions, rule }) => ({
      rule,
      wallets: first(wallets),
      transactions: first(transactions),
    }));
    return {
      ...answer,
      bundles: shown === undefined ? null : first(shown),
      insiders: insiders === null ? null : first(insiders),
      bundle_count: bundles?.length ?? null,
      insider_count: insiders?.length ?? null,
    };
  },
});
