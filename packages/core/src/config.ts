import * as v from 'valibot';
import { type AddressFormat, addressFault, addressFormats, normalAddress } from './addresses/address.ts';
import { type ErrorDetail, SwapfoldError } from './errors.ts';
import { didYouMean, show } from './nearest.ts';
import { nativeAliases, presetNames, presets } from './presets.ts';
import { MAX_TIME } from './time.ts';

/** Seconds for which a reference price holds: a daily close holds for the day after it and an hour. */
export const REFERENCE_MAX_AGE = 90_000;

/** How many times off the last prints of its token a print is suspect. */
export const PRINT_FACTOR = 5;

const quoteToken = v.strictObject({
  address: v.pipe(v.string(), v.nonEmpty()),
  symbol: v.pipe(v.string(), v.nonEmpty()),
  kind: v.picklist(['stable', 'native', 'reference']),
  /** Other addresses that feeds write for the token. */
  aliases: v.optional(v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.maxLength(16))),
});

/** The name of a label. Sets of labels are stored as `|a|b|`. */
export const labelName = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'expected 1 to 64 of a-z, 0-9, _ and -, the first a letter or digit'),
);

/** A label rule: profiles for which `filter` holds get `label`, and `rule` names why. Checked against the metrics when a store opens. */
const labelRule = v.strictObject({
  label: labelName,
  rule: v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)),
  filter: v.record(v.string(), v.unknown()),
  /** Why the filter says what the label says; for people. */
  rationale: v.optional(v.string()),
});

const labelRules = v.strictObject({
  /** `extend` adds to the default rules, but for those of the same label and name, whose place it takes; `replace` drops them all. */
  mode: v.optional(v.picklist(['extend', 'replace']), 'extend'),
  /** Rules that ship and hold only if they are asked for, by their label. */
  optional: v.optional(v.array(v.picklist(['wash', 'explained'])), []),
  tokens: v.optional(v.array(labelRule), []),
  wallets: v.optional(v.array(labelRule), []),
  positions: v.optional(v.array(labelRule), []),
});

const [whole, atLeast0] = [
  v.pipe(v.number(), v.integer(), v.minValue(1)),
  v.pipe(v.number(), v.finite(), v.minValue(0)),
];

/**
 * When round trips of a position in a window count as wash: what a sell took from a buy, held for moments, for no result but fees.
 *
 * - `min_buys`, `min_sells`: at least so many of each with a round trip.
 * - `max_result`, `max_loss`: a round trip gains at most, and loses at most, this part of its volume.
 * - `max_holding`: seconds from the buy to the sell of a round trip at most.
 */
export interface WashRule {
  readonly min_buys: number;
  readonly min_sells: number;
  readonly max_result: number;
  readonly max_loss: number;
  readonly max_holding: number;
}

export const defaultWash: WashRule = {
  min_buys: 5,
  min_sells: 5,
  max_result: 0.002,
  max_loss: 0.03,
  max_holding: 120,
};

const washRule = v.strictObject({
  min_buys: v.optional(whole, defaultWash.min_buys),
  min_sells: v.optional(whole, defaultWash.min_sells),
  max_result: v.optional(atLeast0, defaultWash.max_result),
  max_loss: v.optional(atLeast0, defaultWash.max_loss),
  max_holding: v.optional(atLeast0, defaultWash.max_holding),
});

const configSchema = v.strictObject({
  preset: v.optional(
    v.picklist(
      presetNames,
      (issue) => `expected one of ${presetNames.join(', ')}.${didYouMean(String(issue.input), presetNames)}`,
    ),
  ),
  chain: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'expected 1 to 32 of a-z, 0-9 and -'))),
  address_format: v.optional(
    v.picklist(
      addressFormats,
      (issue) => `expected one of ${addressFormats.join(', ')}.${didYouMean(String(issue.input), addressFormats)}`,
    ),
  ),
  quote_tokens: v.optional(v.pipe(v.array(quoteToken), v.maxLength(16))),
  dust_usd: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  reference_max_age: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_TIME))),
  print_factor: v.optional(v.pipe(v.number(), v.finite(), v.gtValue(1, 'expected a number above 1'))),
  marks: v.optional(v.picklist(['clean', 'last'])),
  wash: v.optional(washRule),
  clock: v.optional(v.picklist(['chain', 'wall'])),
  api_keys: v.optional(v.array(v.pipe(v.string(), v.minLength(8, 'expected at least 8 characters')))),
  labels: v.optional(labelRules),
});

const fieldNames = [configSchema, washRule, quoteToken, labelRules, labelRule].flatMap((schema) =>
  Object.keys(schema.entries),
);

type Deep<T> = T extends readonly (infer Item)[]
  ? readonly Deep<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Deep<T[K]> }
    : T;

/** A configuration as it is given, whose filters may name anything: what is read from JSON. */
export type GivenConfig = Deep<v.InferInput<typeof configSchema>>;
/** A rule that gives profiles a label: a filter with a name. */
export type LabelRule = v.InferOutput<typeof labelRule>;
/** A token that others are quoted in. In a complete configuration its `aliases` are absent only if it has none. */
export interface QuoteToken extends Readonly<Omit<v.InferOutput<typeof quoteToken>, 'aliases'>> {
  readonly aliases?: readonly string[];
}

/** A complete configuration: every field has its value. docs/reference/configuration.md describes each. */
export interface Config {
  readonly chain: string;
  readonly address_format: (typeof addressFormats)[number];
  readonly quote_tokens: readonly QuoteToken[];
  readonly dust_usd: number;
  readonly reference_max_age: number;
  readonly print_factor: number;
  readonly marks: 'clean' | 'last';
  readonly wash: WashRule;
  readonly clock: 'chain' | 'wall';
  readonly api_keys: readonly string[];
  readonly labels: {
    readonly mode: 'extend' | 'replace';
    readonly optional: readonly ('wash' | 'explained')[];
    readonly tokens: readonly LabelRule[];
    readonly wallets: readonly LabelRule[];
    readonly positions: readonly LabelRule[];
  };
}

/**
 * Checks a configuration and fills in the defaults.
 *
 * - Errors: `invalid-config`, naming every field at fault, the value received and what would do.
 */
export function parseConfig(input: unknown = {}): Config {
  const parsed = v.safeParse(configSchema, input);
  if (!parsed.success) {
    const details = parsed.issues.map((issue) => {
      const path = v.getDotPath(issue) ?? '';
      const unknownKey = issue.type === 'strict_object' && issue.expected === 'never';
      return {
        path,
        message: unknownKey
          ? `unknown field.${didYouMean(path.slice(path.lastIndexOf('.') + 1), fieldNames)}`
          : `${issue.message}${path.startsWith('api_keys') ? '' : ` (received ${show(issue.input)})`}`,
      };
    });
    throw new SwapfoldError(
      'invalid-config',
      `Configuration: ${details.map((d) => `"${d.path}": ${d.message}`).join('; ')}`,
      { details },
    );
  }
  const given = parsed.output;
  const base = presets[given.preset ?? 'solana'];
  const format = given.address_format ?? base.address_format;
  const quoteTokens: readonly GivenQuoteToken[] = given.quote_tokens ?? base.quote_tokens;
  const config: Config = {
    chain: given.chain ?? base.chain,
    address_format: format,
    quote_tokens: completeTokens(quoteTokens, format),
    dust_usd: given.dust_usd ?? 0.1,
    reference_max_age: given.reference_max_age ?? REFERENCE_MAX_AGE,
    print_factor: given.print_factor ?? PRINT_FACTOR,
    marks: given.marks ?? 'clean',
    wash: { ...defaultWash, ...given.wash },
    clock: given.clock ?? 'chain',
    api_keys: given.api_keys ?? [],
    labels: given.labels ?? { mode: 'extend', optional: [], tokens: [], wallets: [], positions: [] },
  };
  checkQuoteTokens(config);
  for (const kind of ['tokens', 'wallets', 'positions'] as const) checkLabelRules(config.labels[kind], kind);
  return config;
}

type GivenQuoteToken = Deep<v.InferOutput<typeof quoteToken>>;

/** The tokens with addresses as they are stored, and with the aliases of a native token that names none. */
function completeTokens(given: readonly GivenQuoteToken[], format: AddressFormat): QuoteToken[] {
  const tokens = given.map((token, i) => ({
    ...token,
    address: storedAddress(token.address, `quote_tokens.${i}.address`, format),
  }));
  const addresses = new Set(tokens.map(({ address }) => address));
  return tokens.map(({ aliases, ...token }, i) => {
    const named = aliases?.map((alias, at) => storedAddress(alias, `quote_tokens.${i}.aliases.${at}`, format));
    const ofKind = token.kind === 'native' ? nativeAliases(token.address, format) : [];
    const all = named ?? ofKind.filter((alias) => !addresses.has(alias));
    // An empty list stays: remembered without it, the token would have its defaults.
    return { ...token, ...(all.length > 0 || named !== undefined ? { aliases: all } : {}) };
  });
}

function storedAddress(address: string, path: string, format: AddressFormat): string {
  const normal = normalAddress(address, format);
  if (normal !== undefined) return normal;
  throw configError(addressFault(path, address, format));
}

function configError(fault: ErrorDetail): SwapfoldError {
  return new SwapfoldError('invalid-config', `Configuration: "${fault.path}": ${fault.message}`, { details: [fault] });
}

function checkLabelRules(rules: readonly LabelRule[], kind: 'tokens' | 'wallets' | 'positions'): void {
  const seen = new Map<string, number>();
  for (const [i, { label, rule }] of rules.entries()) {
    const first = seen.get(`${label} ${rule}`);
    if (first !== undefined) {
      throw configError({
        path: `labels.${kind}.${i}.rule`,
        message: `${show(rule)} of ${show(label)} is also the name of rule ${first}; give each its own.`,
      });
    }
    seen.set(`${label} ${rule}`, i);
  }
}

function checkQuoteTokens(config: Config): void {
  const native = config.quote_tokens.filter((token) => token.kind === 'native');
  if (native.length > 1) {
    throw new SwapfoldError(
      'invalid-config',
      `"quote_tokens" has ${native.length} tokens of kind "native"; at most one may be. Other addresses of the native token, such as that of its wrapped form, go into the "aliases" of one: {"address": ${show(native[0]!.address)}, "kind": "native", "aliases": [${show(native[1]!.address)}]}.`,
    );
  }
  const addresses = new Set(config.quote_tokens.map((token) => token.address));
  if (addresses.size !== config.quote_tokens.length) {
    throw new SwapfoldError('invalid-config', '"quote_tokens" names an address twice; each may stand once.');
  }
  for (const [i, { aliases = [] }] of config.quote_tokens.entries()) {
    for (const [at, alias] of aliases.entries()) {
      if (!addresses.has(alias)) {
        addresses.add(alias);
        continue;
      }
      const token = config.quote_tokens.find(({ address }) => address === alias);
      const whose =
        token === undefined ? 'an alias that is named already' : `the address of the quote token ${token.symbol}`;
      throw configError({
        path: `quote_tokens.${i}.aliases.${at}`,
        message: `${show(alias)} is ${whose}; an alias may name no quote token, and stand once.`,
      });
    }
  }
}
