import { readReferencePrices } from '../ingest/reference-prices.ts';
import { legsTable, nativePricesTable, swapsTable } from '../records/tables.ts';
import { and, compare, isIn } from '../storage/predicate.ts';
import { lastSeq, type QueryContext, untilAsOf } from './context.ts';

/** Swaps of a token that are looked through for one against the native token. */
const MOST_SWAPS = 1000;

/** USD per native token at the as-of time: its reference price, else its latest print against a stable token; `NaN` without either. */
export async function nativeUsdPrice(context: QueryContext): Promise<number> {
  const { reader, roles, config, asOf } = context;
  if (roles.native < 0) return Number.NaN;
  const scope = { roles, maxAge: config.reference_max_age };
  const reference = (await readReferencePrices(reader, scope, { from: asOf, to: asOf })).at(roles.native, asOf);
  if (!Number.isNaN(reference)) return reference;
  const { columns } = await reader.read({
    table: nativePricesTable,
    columns: ['price'],
    where: untilAsOf(context),
    order: [{ column: 'seq', direction: 'desc' }],
    limit: 1,
  });
  return columns.price[0] ?? Number.NaN;
}

/**
 * Native tokens per token at the as-of time: the USD price of the token over that of the native token, if both are known; else the price of
 * its newest swap against the native token, among its newest thousand swaps. Tokens without either are absent.
 */
export async function nativePricesOf(
  context: QueryContext,
  tokens: Int32Array,
  usdPriceOf: (token: number) => number,
): Promise<ReadonlyMap<number, number>> {
  const { native } = context.roles;
  const found = new Map<number, number>();
  const usd = await nativeUsdPrice(context);
  const unknown: number[] = [];
  for (const token of tokens) {
    const price = token === native ? 1 : usdPriceOf(token) / usd;
    if (Number.isFinite(price)) found.set(token, price);
    else unknown.push(token);
  }
  if (native >= 0 && unknown.length > 0) await addSwapPrices(context, Int32Array.from(unknown), found);
  return found;
}

/** Adds the prices of swaps: of the newest one of each token first, which are read together. */
async function addSwapPrices(context: QueryContext, tokens: Int32Array, found: Map<number, number>): Promise<void> {
  const { reader } = context;
  const newest = await reader.latest({
    table: legsTable,
    columns: ['token', 'seq'],
    key: 'token',
    keys: tokens,
    by: 'seq',
    until: lastSeq(context),
  });
  await addPricesAt(context, newest.columns.seq, found);
  for (const token of tokens) {
    if (found.has(token)) continue;
    const { columns } = await reader.read({
      table: legsTable,
      columns: ['seq'],
      where: and(compare('token', 'eq', token), untilAsOf(context)),
      order: [{ column: 'seq', direction: 'desc' }],
      limit: MOST_SWAPS,
    });
    await addPricesAt(context, columns.seq, found);
  }
}

/** Adds what the swaps at these places say of tokens against the native one, the newest of each token. */
async function addPricesAt({ reader, roles }: QueryContext, seqs: Float64Array, found: Map<number, number>) {
  const { columns: c, length } = await reader.read({
    table: swapsTable,
    columns: ['seq', 'token_in', 'token_out', 'token_amount_in', 'token_amount_out'],
    where: isIn('seq', seqs),
    order: [{ column: 'seq', direction: 'desc' }],
  });
  for (let row = 0; row < length; row++) {
    const isGiven = roles.isNative(c.token_in[row]!);
    if (isGiven === roles.isNative(c.token_out[row]!)) continue;
    const [token, amount, paid] = isGiven
      ? [c.token_out[row]!, c.token_amount_out[row]!, c.token_amount_in[row]!]
      : [c.token_in[row]!, c.token_amount_in[row]!, c.token_amount_out[row]!];
    const price = paid / amount;
    if (!found.has(token) && price > 0 && Number.isFinite(price)) found.set(token, price);
  }
}
