import { profileWindows } from '../../bag/windows.ts';
import { noCache } from '../../cache/process-memory.ts';
import type { Fault } from '../../faults.ts';
import { MOST_LAUNCHES } from '../../profiles/sections/launch.ts';
import type { ProfileOptions } from '../../profiles/sections/sections.ts';
import type { ProfileKind } from '../../records/profile-fields.ts';
import type { QueryContext } from '../context.ts';
import type { Profile } from '../serve-profile.ts';
import { type LaunchRoles, readRoles, rolesOf } from './roles.ts';
import { tokenLaunch } from './section.ts';
import { sniperEntries } from './sniper-entries.ts';

interface Asked {
  readonly kind: ProfileKind;
  readonly options: ProfileOptions | undefined;
  /** The addresses of each profile: its own, or those of its wallet and token. */
  readonly addresses: readonly { readonly wallet?: string; readonly token?: string }[];
  /** The instant that the profiles hold for. */
  readonly asOf: number;
}

const isAsked = (options: ProfileOptions | undefined): boolean =>
  (options as { readonly include_launch?: boolean } | undefined)?.include_launch === true;

/** What is wrong with a search for too many profiles with what launches say. */
export function launchFaults({
  options,
  limit = MOST_LAUNCHES,
}: {
  readonly options?: ProfileOptions | undefined;
  readonly limit?: number | undefined;
}): readonly Fault[] {
  if (!isAsked(options) || limit <= MOST_LAUNCHES) return [];
  const message = `"options.include_launch" is computed when it is asked for: "limit" may be at most ${MOST_LAUNCHES} with it, and is ${limit}.`;
  return [{ code: 'invalid-request', path: 'limit', message }];
}

type Served = Record<string, unknown>;

/** Writes what launches say into profiles as they are served, if the request asks for it. */
export async function addLaunches(context: QueryContext, profiles: readonly Profile[], asked: Asked): Promise<void> {
  if (!isAsked(asked.options)) return;
  const ids = await idsOf(context, asked);
  const rolesByToken = new Map<number, LaunchRoles | null>();
  for (const [i, profile] of profiles.entries()) {
    const { wallet, token } = ids(i);
    const served = profile as Served;
    if (asked.kind === 'tokens') served.launch = await tokenLaunch(context, token);
    else if (asked.kind === 'wallets') await addEntries(context, served, wallet, asked);
    else {
      const known = rolesByToken.get(token);
      const roles = known === undefined ? await readRoles(context, token) : known;
      rolesByToken.set(token, roles);
      served.metadata = { ...(served.metadata as object), roles: roles === null ? null : rolesOf(roles, wallet) };
    }
  }
}

/** The ids of the wallet and the token of each profile. */
async function idsOf({ dictionary, reader }: QueryContext, { addresses }: Asked) {
  const texts = addresses.flatMap(({ wallet = '', token = '' }) => [wallet, token]);
  const ids = await dictionary.find(reader, texts);
  return (i: number) => ({ wallet: ids[2 * i]!, token: ids[2 * i + 1]! });
}

/** Windows of stored metrics end at the instant of the profile, and so do these. */
async function addEntries(
  context: QueryContext,
  served: Served,
  wallet: number,
  { options, asOf }: Asked,
): Promise<void> {
  const { include_metrics: chosen = [] } = options as { readonly include_metrics?: readonly string[] };
  const windows = chosen.length > 0 ? chosen : profileWindows.wallets;
  const counts = await sniperEntries({ ...context, asOf, cache: noCache }, wallet, windows);
  const metrics = (served.metrics ?? {}) as Readonly<Record<string, object>>;
  served.metrics = Object.fromEntries(
    windows.map((name) => [name, { ...metrics[name], sniper_entry_count: counts.get(name)! }]),
  );
}
