import type { StoreInfo } from '@swapfold/core';
import {
  labelNamesOf,
  metricPath,
  type ProfileKind,
  profileFields,
  profileWindows,
  requestObject,
} from '@swapfold/core/host';
import type { AskedStore } from '@swapfold/server';
import * as v from 'valibot';
import { limitEntry, offsetEntry, pageOf, says } from '../entries.ts';
import { type Tool, tool } from '../tool.ts';
import { fieldNames } from '../words.ts';

const kinds = ['wallets', 'tokens', 'positions'] as const satisfies readonly ProfileKind[];
const whole = v.pipe(v.number(), v.integer());
const textOrNull = v.nullable(v.string());
const fieldSchema = v.strictObject({
  name: says(v.string(), 'For `where`, `sort` and `fields`.'),
  type: v.string(),
  meaning: v.string(),
  unit: textOrNull,
  formula: textOrNull,
});
const second = says(v.nullable(whole), 'Unix seconds.');

export const storeInfo: Tool = tool({
  name: 'store_info',
  title: 'What the store holds',
  description:
    'What can be asked here: the chain, how many swaps, wallets and tokens there are, from when to when, as of when the profiles are, the windows of metrics and the labels. Call it first. With `fields_of` also what the fields of wallets, tokens or positions mean that can be searched, sorted by and explained.',
  operations: [],
  request: () =>
    requestObject({
      fields_of: v.optional(says(v.picklist(kinds), 'Whose fields to list: meaning, unit, formula.')),
      containing: v.optional(
        says(
          v.pipe(v.string(), v.maxLength(100)),
          'Only fields with this text in the name or the meaning, such as "win".',
        ),
      ),
      limit: limitEntry(100, 30),
      cursor: offsetEntry,
    }),
  response: () =>
    v.strictObject({
      chain: v.string(),
      address_format: v.string(),
      quote_tokens: v.array(
        v.strictObject({ symbol: v.string(), kind: v.string(), address: v.string(), aliases: v.array(v.string()) }),
      ),
      engine: v.string(),
      schema_version: whole,
      horizon: says(v.nullable(whole), 'Unix seconds: swaps before it are forgotten; null if none are.'),
      first_swap_at: second,
      last_swap_at: second,
      profiles_as_of: says(v.nullable(whole), 'Unix seconds: the end of every window.'),
      swaps: whole,
      transactions: whole,
      trades: whole,
      wallets: whole,
      tokens: whole,
      positions: whole,
      valuation: v.strictObject({
        unvalued: says(whole, 'Swaps without a value in USD.'),
        contradicted: whole,
        unpriced: v.array(v.strictObject({ token: v.string(), symbol: v.string(), swaps: whole })),
        stable_feeds: says(
          v.array(v.strictObject({ token: v.string(), symbol: v.string(), swaps: whole, median: v.number() })),
          'What feeds say of a stable token over what it says itself, the median of its newest swaps.',
        ),
      }) satisfies v.GenericSchema<unknown, StoreInfo['valuation']>,
      ledger: v.strictObject({
        trades_with_gaps: says(whole, 'Trades before which tokens came or went unseen.'),
        contradicted_balances: says(whole, 'Trades whose balances cannot be: they count as not reported.'),
        unmatched_share: says(v.nullable(v.number()), 'Percent of the value of all sells that has no known cost.'),
      }) satisfies v.GenericSchema<unknown, StoreInfo['ledger']>,
      windows: v.record(v.picklist(kinds), v.array(v.string())),
      labels: v.record(v.picklist(kinds), v.array(v.string())),
      fields: v.optional(v.array(fieldSchema)),
      field_count: v.optional(says(whole, 'Fields, on all pages.')),
      cursor: v.optional(says(v.string(), 'For the next page of fields; absent on the last.')),
    }),
  async answer(store, { fields_of: of, containing = '', limit, cursor }) {
    const { chain, address_format, quote_tokens } = store.config;
    return {
      chain,
      address_format,
      quote_tokens: quote_tokens.map(({ symbol, kind, address, aliases = [] }) => ({ symbol, kind, address, aliases })),
      ...(await store.info()),
      windows: profileWindows,
      labels: labelNamesOf(store.config),
      ...(of === undefined ? {} : fieldsPage(fieldsOf(of, store), containing.toLowerCase(), { limit, cursor })),
    };
  },
});

function fieldsPage(all: readonly Field[], text: string, page: Parameters<typeof pageOf>[1]): object {
  const found = all.filter(({ name, meaning }) => `${name} ${meaning}`.toLowerCase().includes(text));
  const { items, ...next } = pageOf(found, page);
  return { fields: items, field_count: found.length, ...next };
}

type Field = v.InferOutput<typeof fieldSchema>;

function fieldsOf(kind: ProfileKind, store: AskedStore): readonly Field[] {
  const metrics = new Map(store.metrics.filter(({ of }) => of.includes(kind)).map((one) => [metricPath(one), one]));
  const fields = new Map(profileFields(kind, store.metrics).map((field) => [field.path, field]));
  return [...fieldNames(kind, store, '7d')].map(([name, path]) => {
    const { sentence, unit = null, formula = null } = metrics.get(name) ?? {};
    const { type, meaning } = fields.get(path)!;
    return { name, type, meaning: sentence ?? meaning, unit, formula };
  });
}
