import { randomUUID } from 'node:crypto';
import { labelRulesOf } from '../labels/rules.ts';
import { compileRules } from '../refresh/labels.ts';
import { isAging, type RefreshResult, refreshProfiles } from '../refresh/refresh.ts';
import type { Writer } from '../storage/adapter.ts';
import { readMeta, writeMeta } from './meta.ts';
import { rederive } from './rebuild.ts';
import { type StoreSession, wallClock } from './session.ts';

/** What is to be brought up to date: see `RefreshCall`. */
export interface StoreRefresh {
  readonly asOf?: string | number | undefined;
  readonly scope?: Parameters<typeof isAging>[0];
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A refresh that was made in a transaction, by a name of its own; it counts once that is committed. */
export interface Refreshed {
  readonly result: RefreshResult;
  readonly name: string;
}

/** Brings the stored profiles up to date; all of them anew where `isFull`, or where what is stored cannot be continued. */
export async function refreshStore(
  session: StoreSession,
  writer: Writer,
  call: StoreRefresh,
  isFull = false,
): Promise<Refreshed> {
  const rules = labelRulesOf(session.config);
  const context = session.context(writer, call.asOf);
  const isBehind = session.profilesAsOf === null || context.asOf < session.profilesAsOf;
  const compiled = {
    tokens: compileRules('tokens', rules.tokens, context),
    wallets: compileRules('wallets', rules.wallets, context),
  };
  const name = randomUUID();
  const result = await refreshProfiles(writer, context, {
    metrics: session.metrics,
    rules: compiled,
    syncedAt: wallClock(),
    isFull: isFull || isBehind || session.areProfilesPartial,
    isAging: isAging(call.scope),
    kept: session.entities,
    before: (await readMeta(writer)).profiles_refresh,
    onProgress: call.onProgress,
  });
  await writeMeta(writer, {
    profiles_as_of: String(context.asOf),
    profiles_last_time: String(context.lastTime ?? 0),
    profiles_refresh: name,
  });
  return { result, name };
}

/** Derives everything from the stored swaps again, and all profiles. */
export async function rebuildStore(
  session: StoreSession,
  writer: Writer,
  call: StoreRefresh & { readonly onSwaps?: ((done: number) => void) | undefined },
): Promise<Refreshed & { readonly swaps: number }> {
  const swaps = await rederive(writer, session.applyContext(), call.onSwaps);
  return { swaps, ...(await refreshStore(session, writer, call, true)) };
}

/** Remembers a refresh that was committed. */
export function noteRefreshed(session: StoreSession, { result, name }: Refreshed): void {
  session.entities.settle(name);
  session.profilesAsOf = result.as_of;
  session.areProfilesPartial = result.as_of < (session.state.lastTime ?? 0);
}
