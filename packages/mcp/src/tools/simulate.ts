import type { Simulation } from '@swapfold/core';
import { requestObject } from '@swapfold/core/host';
import * as v from 'valibot';
import { limitEntry, requestEntries, responseEntries, says } from '../entries.ts';
import { type Tool, tool } from '../tool.ts';

const asked = ['wallet', 'size', 'delay', 'slots', 'delays', 'slippage', 'fee', 'limit'] as const;

export const simulateCopy: Tool = tool({
  name: 'simulate_copy',
  title: 'What following a wallet would have made',
  description:
    'Tries, from stored prints, what a follower would have made who repeats the trades of a wallet some seconds later: with fees and slippage, at the worst price that the prints leave open. `follower` is the copy, `leader` the same buys at the prices of the wallet, `leader_actual` what the wallet made, `decay` other delays. Of the past alone.',
  operations: ['wallets.simulate'],
  request: ({ config }) => {
    const { limit, ...entries } = requestEntries<Record<(typeof asked)[number], unknown>>(
      'wallets.simulate',
      config,
      asked,
    );
    const time = v.optional(says(v.pipe(v.string(), v.metadata({ format: 'date-time' })), 'RFC 3339.'));
    return requestObject({ ...entries, price_limit: limit, from: time, to: time, limit: limitEntry(50, 10) });
  },
  response: (store) => {
    const { cursor: _, rests: __, ...entries } = responseEntries('wallets.simulate', store);
    return v.strictObject(entries);
  },
  async answer(store, { limit, price_limit: over, ...rest }) {
    const request = { ...rest, ...(over === undefined ? {} : { limit: over }) };
    const { cursor: _, pairs, ...found } = (await store.call('wallets.simulate', request)) as Simulation;
    return { ...found, pairs: pairs.slice(0, limit) };
  },
});
