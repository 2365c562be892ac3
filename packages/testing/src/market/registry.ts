import { formatTime } from '@swapfold/core/host';
import { walletNames } from './names.ts';
import type { Settled } from './options.ts';
import { Random } from './random.ts';
import { busyToken, type MarketAsset, QUOTES } from './tokens.ts';

/** What the registries say of wallets. */
export interface KnownWallets {
  readonly addresses: readonly string[];
  /** The first ones, which nobody knows by name. */
  readonly bots: number;
}

/** A row of the token registry. */
export interface MarketToken {
  readonly address: string;
  readonly symbol: string | null;
  readonly name: string;
  readonly decimals: number;
  readonly image: string | null;
  readonly verified: boolean;
  readonly creator_address: string | null;
  /** RFC 3339. */
  readonly created_at: string | null;
  readonly twitter: string | null;
  readonly discord: string | null;
  readonly website: string | null;
  readonly telegram: string | null;
  readonly total_supply: number;
  readonly circulating_supply: number | null;
  readonly liquidity: number | null;
  readonly holders: number | null;
}

/** Holders of the token of a rush. */
const RUSHED_HOLDERS = 31_000;

/** A row of the wallet registry. */
export interface MarketWallet {
  readonly address: string;
  readonly name: string;
  readonly twitter_username: string | null;
  readonly telegram_username: string | null;
  readonly labels: readonly string[];
}

export function tokenRows(options: Settled, assets: readonly MarketAsset[], traders: KnownWallets): MarketToken[] {
  const random = new Random(options.seed, 4);
  const rows: MarketToken[] = [];
  const rushed = options.rush > 0 ? busyToken(options, assets) : undefined;
  for (const [token, asset] of assets.entries()) {
    const isQuote = token < QUOTES;
    const isEstablished = asset.creator < 0;
    const site = random.chance(0.4) ? `https://${asset.address.slice(0, 8).toLowerCase()}.example` : null;
    const handle = random.chance(0.5) ? `t${asset.address.slice(0, 10)}` : null;
    const counted = random.chance(0.1) ? 10 + random.below(50_000) : null;
    const holders = token === rushed ? RUSHED_HOLDERS : counted;
    const supply = isEstablished ? Math.floor(asset.supply) + 1 : asset.supply;
    const part = random.chance(0.4) ? Math.floor(supply * random.between(0.5, 1)) : null;
    const liquidity = random.chance(0.9)
      ? Math.floor(supply * asset.path.at(options.endTime) * random.between(0.02, 0.2) * 100) / 100
      : null;
    const isListed = isQuote || !random.chance(0.05);
    if (!isListed && token !== rushed) continue;
    rows.push({
      address: asset.address,
      symbol: asset.symbol,
      name: asset.name,
      decimals: asset.decimals,
      image: site === null ? null : `${site}/logo.png`,
      verified: isEstablished,
      creator_address: asset.creator < 0 ? null : traders.addresses[asset.creator]!,
      created_at: isEstablished ? null : formatTime(asset.launchTime),
      twitter: handle === null ? null : `https://x.com/${handle}`,
      discord: null,
      website: site,
      telegram: handle === null ? null : `https://t.me/${handle}`,
      total_supply: supply,
      circulating_supply: part,
      liquidity,
      holders,
    });
  }
  return rows;
}

export function walletRows(options: Settled, traders: KnownWallets): MarketWallet[] {
  const random = new Random(options.seed, 5);
  const rows: MarketWallet[] = [];
  const step = Math.max(1, Math.floor(traders.addresses.length / 50));
  for (let wallet = traders.bots; wallet < traders.addresses.length; wallet += step) {
    const i = rows.length;
    const base = walletNames[i % walletNames.length]!;
    rows.push({
      address: traders.addresses[wallet]!,
      name: i < walletNames.length ? base : `${base} ${Math.floor(i / walletNames.length) + 1}`,
      twitter_username: random.chance(0.7) ? `trader_${i}` : null,
      telegram_username: random.chance(0.3) ? `tg_${i}` : null,
      labels: random.chance(0.4) ? ['kol'] : [],
    });
  }
  return rows;
}
