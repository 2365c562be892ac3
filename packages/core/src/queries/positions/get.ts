import { SwapfoldError } from '../../errors.ts';
import { requireFunctions } from '../../metrics/metric.ts';
import type { ProfileOptions } from '../../profiles/sections/sections.ts';
import { pairOf } from '../../records/chain-order.ts';
import { type Batch, NO_ID, newBatch } from '../../records/columns.ts';
import { foldPositions } from '../../refresh/positions.ts';
import { readProfilesAsOf } from '../../storage/meta.ts';
import { compare } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import { addLaunches } from '../launch/on-request.ts';
import { type Profile, profileServer } from '../serve-profile.ts';
import { positionCompleter } from './complete.ts';

/** Addresses of a position. */
export interface PositionKey {
  readonly wallet: string;
  readonly token: string;
}

export interface PositionRequest extends PositionKey {
  readonly options?: ProfileOptions<'positions'> | undefined;
}

/** The position of a wallet in a token: the stored one, or folded for the as-of time that was asked for. Errors: `not-found`. */
export async function getPosition(context: QueryContext, request: PositionRequest): Promise<Profile> {
  const { columns, serve } = profileServer(
    context.shapes.positions,
    request.options,
    context.shapes.positions.defaults,
  );
  const { rows, asOf } = await readPosition(context, request, columns);
  if (rows.length === 0) throw noPosition(request);
  const profile = serve(rows, asOf)[0]!;
  const { wallet, token, options } = request;
  await addLaunches(context, [profile], { kind: 'positions', options, addresses: [{ wallet, token }], asOf });
  return profile;
}

/** The row of a position with the columns `wanted`, no row if there is none, and the instant that it holds for. */
export async function readPosition(
  context: QueryContext,
  key: PositionKey,
  wanted: Iterable<string>,
): Promise<{ readonly rows: Batch; readonly asOf: number }> {
  const storedAsOf = context.isAsOfAsked ? null : await readProfilesAsOf(context.reader);
  const asOf = storedAsOf ?? context.asOf;
  const completer = positionCompleter(context, asOf);
  const completion = completer.completionOf(wanted);
  const rows = await positionRow(context, key, completion.stored);
  return { rows: rows.length === 0 ? rows : await completer.complete(rows, completion), asOf };
}

async function positionRow(
  context: QueryContext,
  { wallet, token }: PositionRequest,
  columns: readonly string[],
): Promise<Batch> {
  const { reader, dictionary, shapes, isAsOfAsked } = context;
  const { table } = shapes.positions;
  const [walletId, tokenId] = (await dictionary.find(reader, [wallet, token])) as unknown as [number, number];
  if (walletId === NO_ID || tokenId === NO_ID) return newBatch(table, 0);
  const pair = pairOf(walletId, tokenId);
  if (isAsOfAsked) {
    requireFunctions(context.metrics, 'A profile as of another instant');
    return foldPositions(context, Float64Array.of(pair));
  }
  return (await reader.read({ table, columns, where: compare('id', 'eq', pair) })) as Batch;
}

export function noPosition({ wallet, token }: PositionKey): SwapfoldError {
  return new SwapfoldError(
    'not-found',
    `There is no position of wallet "${wallet}" in token "${token}": the wallet has not traded it, or no refresh has run since it did.`,
    { details: [{ path: 'wallet', message: 'without a position in this token' }] },
  );
}
