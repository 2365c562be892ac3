import * as v from 'valibot';
import { addressFault, normalAddress } from '../addresses/address.ts';
import { tokenAddress } from '../addresses/token-address.ts';
import { type Config, labelName } from '../config.ts';
import { carriedPairs, readHorizon } from '../ingest/carried.ts';
import { markDirty, unswapped } from '../ingest/changes.ts';
import type { Dictionary } from '../ingest/dictionary.ts';
import type { Reject } from '../ingest-result.ts';
import { MAX_QUANTITY } from '../ledger/value.ts';
import { didYouMean, show } from '../nearest.ts';
import { type Batch, type ColumnData, type ColumnName, newBatch, type Table } from '../records/columns.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import { metaTable, tokenRegistryTable, tradesTable, walletRegistryTable } from '../records/tables.ts';
import { anyTime, described } from '../response.ts';
import type { Writer } from '../storage/adapter.ts';
import { compare, isIn } from '../storage/predicate.ts';
import { formatTime, isTime, MAX_TIME, rfc3339Millis } from '../time.ts';
import { yielder } from '../yielder.ts';

/** What is known of a token beside its swaps. An absent field keeps what is stored, `null` clears it. */
export interface TokenInput extends Readonly<v.InferInput<typeof registrySchemas.tokens>> {}

/** What is known of a wallet beside its swaps. An absent field keeps what is stored, `null` clears it. */
export interface WalletInput extends Omit<Readonly<v.InferInput<typeof registrySchemas.wallets>>, 'labels'> {
  /** Labels that the wallet carries whatever the rules say, `kol` above all. */
  readonly labels?: readonly string[] | null | undefined;
}

/** What became of the rows of one upsert. */
export interface UpsertResult {
  readonly upserted: number;
  readonly rejected: number;
  readonly rejects: readonly Reject[];
}

const MAX_TEXT = 2048;

const text = v.pipe(
  v.string(),
  v.maxLength(MAX_TEXT, `expected at most ${MAX_TEXT} characters`),
  v.regex(/^[^\0\p{Cs}]*$/u, 'expected text without NUL and lone surrogates'),
);
const quantity = v.pipe(
  v.number(),
  v.minValue(0, 'expected a number from 0'),
  v.maxValue(MAX_QUANTITY, `expected a number up to ${MAX_QUANTITY}`),
);
const whole = (most: number) =>
  v.pipe(quantity, v.integer('expected a whole number'), v.maxValue(most, `expected a number up to ${most}`));
/** What a contract can say, which has a byte for it. */
const MAX_DECIMALS = 255;
const outside = `expected a time from 1970-01-01 to ${formatTime(MAX_TIME)}`;
/** Unix seconds of a time as rows have it; of a text and a `Date` whole ones. */
function secondsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  const millis = typeof value === 'string' ? rfc3339Millis(value) : isTime(value) ? value.getTime() : undefined;
  return millis === undefined ? undefined : Math.floor(millis / 1000);
}
/** A time as rows have it, read as whole Unix seconds. */
export const knownTime = v.pipe(
  v.custom<number | string | Date>(
    (value) => secondsOf(value) !== undefined,
    (issue) => `expected an RFC 3339 time, Unix seconds or a Date, received ${show(issue.input)}`,
  ),
  v.transform((value) => secondsOf(value)!),
  v.integer('expected whole Unix seconds'),
  v.minValue(0, outside),
  v.maxValue(MAX_TIME, outside),
  anyTime,
);
/** A field of a registry, with what it means: absent keeps what is stored, `null` clears it. */
const known = <const S extends v.GenericSchema>(schema: S, meaning: string) => v.nullish(described(schema, meaning));

export const registrySchemas = {
  tokens: v.strictObject({
    address: described(v.string(), 'Address.'),
    symbol: known(text, 'Symbol.'),
    name: known(text, 'Name.'),
    decimals: known(whole(MAX_DECIMALS), 'Decimals of the raw amounts.'),
    image: known(text, 'Address of its image.'),
    verified: known(v.pipe(v.boolean(), v.transform(Number)), 'Whether the registry vouches for it.'),
    creator_address: known(text, 'Address of the wallet that created it.'),
    created_at: known(knownTime, 'When it was created.'),
    twitter: known(text, 'Its account on Twitter.'),
    discord: known(text, 'Its Discord.'),
    website: known(text, 'Address of its website.'),
    telegram: known(text, 'Its Telegram.'),
    total_supply: known(quantity, 'Tokens that exist, whole tokens.'),
    circulating_supply: known(quantity, 'Tokens in circulation, whole tokens.'),
    liquidity: known(quantity, 'Liquidity of its pools, USD.'),
    holders: known(whole(MAX_QUANTITY), 'Wallets that hold it.'),
  }),
  wallets: v.strictObject({
    address: described(v.string(), 'Address.'),
    name: known(text, 'Name.'),
    twitter_username: known(text, 'Account on Twitter.'),
    telegram_username: known(text, 'Account on Telegram.'),
    labels: known(
      v.pipe(
        v.array(labelName),
        v.transform((labels) => (labels.length === 0 ? null : `|${[...new Set(labels)].sort().join('|')}|`)),
      ),
      'Labels that it carries whatever the rules say.',
    ),
  }),
} as const;

/** Names of the fields of a registry, in the order of the docs. */
export const registryFields = {
  tokens: Object.keys(registrySchemas.tokens.entries),
  wallets: Object.keys(registrySchemas.wallets.entries),
} as const;

const tables = { tokens: tokenRegistryTable, wallets: walletRegistryTable } as const;

type Row = Record<string, string | number | null | undefined> & { address: string };

/** A field that is `undefined` keeps what there is, as one that is absent. */
const withoutUnknown = (row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Row;

/** Adds or changes rows of a registry inside one transaction; rows at fault are left out and reported. Of two rows of one address the later wins, field by field. */
export async function upsertRegistry(
  writer: Writer,
  dictionary: Dictionary,
  config: Config,
  kind: EntityKind,
  inputs: readonly unknown[],
): Promise<UpsertResult> {
  const table: Table = tables[kind];
  const rejects: Reject[] = [];
  const rows = new Map<string, Row>();
  const addressesIn = addressRules(kind, config);
  const pause = yielder();
  for (const [i, input] of inputs.entries()) {
    if (pause.isDue()) await pause.take();
    const checked = checkRow(kind, input, addressesIn);
    if ('field' in checked) rejects.push({ row: i, field: String(checked.field), reason: String(checked.reason) });
    else rows.set(checked.address, { ...rows.get(checked.address), ...withoutUnknown(checked) });
  }
  const addresses = [...rows.keys()];
  const ids = await dictionary.intern(writer, addresses);
  const stored = (await writer.read({
    table,
    columns: Object.keys(table.columns) as ColumnName<Table>[],
    where: isIn('id', ids),
  })) as Batch;
  const storedRow = new Map(Array.from(stored.columns.id as Int32Array, (id, row) => [id, row]));
  const batch = newBatch(table, addresses.length);
  for (const [i, address] of addresses.entries()) {
    if (pause.isDue()) await pause.take();
    const row = rows.get(address)!;
    const before = storedRow.get(ids[i]!);
    (batch.columns.id as Int32Array)[i] = ids[i]!;
    for (const name of registryFields[kind]) {
      const isText = table.columns[name] === 'text';
      const given = row[name];
      const value =
        given !== undefined ? given : before === undefined ? null : (stored.columns[name] as ColumnData)[before]!;
      (batch.columns[name] as ColumnData)[i] = (value === null && !isText ? Number.NaN : value) as never;
    }
  }
  await writer.replace(table, batch);
  await markDirty(writer, kind, unswapped(ids));
  if (kind === 'tokens') await markTraders(writer, changedTokens(stored, storedRow, batch));
  return { upserted: addresses.length, rejected: rejects.length, rejects };
}

/** What wallet profiles take from the registry of tokens: market caps at the trades, and how soon a wallet came. */
const tokenFactsOfWallets = ['total_supply', 'circulating_supply', 'created_at'] as const;

/** The tokens of which `after` says other such facts than `before`; `rowBefore` finds their rows, but for those that are new. */
function changedTokens(before: Batch, rowBefore: ReadonlyMap<number, number>, after: Batch): Int32Array {
  return (after.columns.id as Int32Array).filter((id, row) => {
    const other = rowBefore.get(id);
    return tokenFactsOfWallets.some((name) => {
      const known = other === undefined ? Number.NaN : before.columns[name]![other];
      return !Object.is(known, after.columns[name]![row]);
    });
  });
}

/** Notes the wallets that ever traded the tokens for the next refresh. */
async function markTraders(writer: Writer, tokens: Int32Array): Promise<void> {
  if (tokens.length === 0) return;
  const wallets = new Set<number>();
  const trades = writer.stream({ table: tradesTable, columns: ['wallet'], where: isIn('token', tokens) });
  for await (const batch of trades) for (const wallet of batch.columns.wallet) wallets.add(wallet);
  const { time } = await readHorizon(writer);
  for (const wallet of (await carriedPairs(writer, time, isIn('token', tokens))).columns.wallet) wallets.add(wallet);
  if (wallets.size === 0) return;
  await markDirty(writer, 'wallets', unswapped(wallets));
  // What a process keeps of their trades has the market caps of before.
  await writer.remove(metaTable, compare('name', 'eq', 'profiles_refresh'));
}

/** What is wrong with a row that has these fields. */
export function rowFault(issue: v.BaseIssue<unknown>, fields: readonly string[]): Omit<Reject, 'row'> {
  const field = String(issue.path?.[0]?.key ?? '');
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return { field, reason: `unknown field.${didYouMean(field, fields)}` };
  const isOfType = issue.kind === 'schema' && issue.type !== 'custom';
  return { field, reason: isOfType ? `expected ${issue.expected}, received ${show(issue.input)}` : issue.message };
}

/** The fields of a registry that are addresses, and how each is stored. */
function addressRules(kind: EntityKind, config: Config): readonly AddressRule[] {
  const ofWallet = (text: string) => normalAddress(text, config.address_format);
  const rules = { address: kind === 'tokens' ? tokenAddress(config) : ofWallet, creator_address: ofWallet };
  const faultOf = (field: string, value: string) => addressFault(field, value, config.address_format).message;
  return Object.entries(rules).map(([field, normal]) => ({ field, normal, faultOf }));
}

interface AddressRule {
  readonly field: string;
  readonly normal: (text: string) => string | undefined;
  readonly faultOf: (field: string, value: string) => string;
}

function checkRow(kind: EntityKind, input: unknown, addresses: readonly AddressRule[]): Row | Omit<Reject, 'row'> {
  const parsed = v.safeParse(registrySchemas[kind], input);
  if (!parsed.success) {
    return rowFault(parsed.issues[0], registryFields[kind]);
  }
  const row = parsed.output as Row;
  for (const { field, normal, faultOf } of addresses) {
    const value = row[field];
    if (typeof value !== 'string') continue;
    const address = normal(value);
    if (address === undefined) return { field, reason: faultOf(field, value) };
    row[field] = address;
  }
  return row;
}
