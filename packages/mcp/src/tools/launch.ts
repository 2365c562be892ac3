import type { TokenBuyers } from '@swapfold/core';
import { requestObject } from '@swapfold/core/host';
import * as v from 'valibot';
import { cursorEntry, limitEntry, requestEntries, says } from '../entries.ts';
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
  // The fields of the operation, in words: their schemas would fill the list of tools.
  response: () => {
    const rows = (what: string) => says(v.array(v.record(v.string(), v.unknown())), what);
    const counted = (what: string) => says(v.nullable(v.pipe(v.number(), v.integer())), what);
    return v.strictObject({
      launch: says(v.nullable(v.record(v.string(), v.unknown())), 'null if none is known: then nobody has a role.'),
      count: counted('Buyers, at most 1,000.'),
      has_more: says(v.boolean(), 'Whether there are more than 1,000.'),
      cursor: v.optional(says(v.string(), 'For the next page; absent on the last.')),
      data: rows('Rank, wallet, when and how much it bought first, what it holds, sold and made, roles with evidence.'),
      bundles: v.nullable(rows('Wallets that bought together, and how.')),
      insiders: v.nullable(rows('Wallets that got tokens of the dev or a bundle, and sold some.')),
      bundle_count: counted('All of them; null if nobody can know.'),
      insider_count: counted('All of them; null if nobody can know.'),
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
