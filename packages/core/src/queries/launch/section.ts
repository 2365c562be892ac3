import type { LaunchRole, TokenLaunch } from '../../profiles/sections/launch.ts';
import { formatTime } from '../../time.ts';
import { orNull, type QueryContext } from '../context.ts';
import { type LaunchRoles, readRoles } from './roles.ts';
import { readStandings, type Standing } from './standings.ts';

const noRole = { bought_share: null, held_share: null, pnl: null } as const;

const nothing: TokenLaunch = {
  source: null,
  launched_at: null,
  after_creation: null,
  block_slot: null,
  tx_hash: null,
  sniper_count: null,
  bundle_count: null,
  bundler_count: null,
  insider_count: null,
  ...named('dev', noRole),
  ...named('sniper', noRole),
  ...named('bundler', noRole),
  ...named('insider', noRole),
};

interface RoleSums {
  readonly bought_share: number | null;
  readonly held_share: number | null;
  readonly pnl: number | null;
}

function named<const Role extends LaunchRole>(role: Role, sums: RoleSums) {
  const entries = Object.entries(sums).map(([name, value]) => [`${role}_${name}`, value]);
  return Object.fromEntries(entries) as { readonly [Name in keyof RoleSums as `${Role}_${Name}`]: number | null };
}

/** The section `launch` of a token at the as-of time. */
export async function tokenLaunch(context: QueryContext, token: number): Promise<TokenLaunch> {
  const roles = await readRoles(context, token);
  if (roles === null) return nothing;
  const { launch, createdAt, dev, creator, snipers, bundles, bundlers, insiders } = roles;
  const ofRole: Readonly<Record<LaunchRole, readonly number[] | null>> = {
    dev: creator === null ? null : [dev],
    sniper: [...snipers.keys()],
    bundler: bundles === null ? null : [...bundlers.keys()],
    insider: insiders === null ? null : [...insiders.keys()],
  };
  const standings = await readStandings(
    context,
    token,
    Object.values(ofRole).flatMap((wallets) => wallets ?? []),
  );
  const sumsOf = <const Role extends LaunchRole>(role: Role) =>
    named(role, ofRole[role] === null ? noRole : sumsOfWallets(roles, ofRole[role], standings));
  return {
    source: launch.source,
    launched_at: formatTime(launch.block_time),
    after_creation: orNull(launch.block_time - createdAt),
    block_slot: orNull(launch.block_slot),
    tx_hash: launch.tx_hash,
    sniper_count: snipers.size,
    bundle_count: bundles?.length ?? null,
    bundler_count: ofRole.bundler?.length ?? null,
    insider_count: ofRole.insider?.length ?? null,
    ...sumsOf('dev'),
    ...sumsOf('sniper'),
    ...sumsOf('bundler'),
    ...sumsOf('insider'),
  };
}

/** A dev that never had the token has bought nothing, and what else it has of it is unknown. */
function sumsOfWallets(
  { supply }: LaunchRoles,
  wallets: readonly number[],
  standings: ReadonlyMap<number, Standing>,
): RoleSums {
  let [bought, held, made] = [0, 0, 0];
  for (const wallet of wallets) {
    const standing = standings.get(wallet)!;
    bought += firstBuyOf(standing);
    held += standing.held;
    made += standing.trades.length === 0 ? Number.NaN : standing.made;
  }
  return {
    bought_share: orNull((bought * 100) / supply),
    held_share: orNull((held * 100) / supply),
    pnl: orNull(made),
  };
}

/** Whole tokens that the first buy of a wallet brought. */
export function firstBuyOf({ trades }: Standing): number {
  return trades.find(({ isBuy }) => isBuy)?.amount ?? 0;
}
