import { type Bundle, type EarlyTrade, findBundles, findSnipers } from '../../launch/early-trades.ts';
import type { Insider } from '../../launch/insiders.ts';
import { type LaunchRole, launchRoles } from '../../profiles/sections/launch.ts';
import { NO_ID } from '../../records/columns.ts';
import type { QueryContext } from '../context.ts';
import { findLaunch, type Launch, type Registered, readRegistered, readSpan } from './find.ts';
import { readInsiders } from './insiders.ts';

/** A buy in a bundle, with the place of the bundle among those of the launch. */
export interface BundledBuy {
  readonly trade: EarlyTrade;
  readonly bundle: number;
}

/** A launch with the roles that its rules give, by the ids of wallets. */
export interface LaunchRoles extends Registered {
  readonly token: number;
  readonly launch: Launch;
  /** Each with its first trade. */
  readonly snipers: ReadonlyMap<number, EarlyTrade>;
  /** `null` if nobody can know them: then `bundlers` is empty. */
  readonly bundles: readonly Bundle[] | null;
  /** Each with its first buy in a bundle. */
  readonly bundlers: ReadonlyMap<number, BundledBuy>;
  /** `null` if nobody can know them. */
  readonly insiders: ReadonlyMap<number, Insider> | null;
}

/** The roles of the launch of a token at the as-of time: `null` if no launch is known. */
export async function readRoles(context: QueryContext, token: number): Promise<LaunchRoles | null> {
  const registered = await readRegistered(context, token);
  const launch = await findLaunch(context, token, registered);
  if (launch === null) return null;
  const dev = registered.dev === NO_ID ? undefined : registered.dev;
  const trades = await readSpan(context, token, launch);
  const bundles = findBundles(launch, trades, dev, context.config.launch);
  const bundlers = new Map<number, BundledBuy>();
  for (const [bundle, own] of (bundles ?? []).entries())
    for (const trade of own.trades) if (!bundlers.has(trade.wallet)) bundlers.set(trade.wallet, { trade, bundle });
  return {
    ...registered,
    token,
    launch,
    snipers: findSnipers(trades, dev),
    bundles,
    bundlers,
    insiders:
      bundles === null
        ? null
        : await readInsiders(context, token, { ...registered, bundlers: firstBuys(trades, bundlers) }),
  };
}

/** Bundlers by where they first bought: from there on they may pass tokens on. */
function firstBuys(
  trades: readonly EarlyTrade[],
  bundlers: ReadonlyMap<number, BundledBuy>,
): ReadonlyMap<number, EarlyTrade> {
  const first = new Map<number, EarlyTrade>();
  for (const trade of trades)
    if (trade.isBuy && bundlers.has(trade.wallet) && !first.has(trade.wallet)) first.set(trade.wallet, trade);
  return first;
}

/** The roles of a wallet, in the order of their names. */
export function rolesOf(roles: LaunchRoles, wallet: number): LaunchRole[] {
  const has: Readonly<Record<LaunchRole, boolean>> = {
    dev: roles.dev === wallet,
    sniper: roles.snipers.has(wallet),
    bundler: roles.bundlers.has(wallet),
    insider: roles.insiders?.has(wallet) === true,
  };
  return launchRoles.filter((role) => has[role]);
}
