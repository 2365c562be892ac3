import { type ConfigInput, memory, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';

export const LAUNCH = 1_700_000_000;
/** The slot of the launch. */
export const SLOT = 100;
export const SUPPLY = 1_000_000;

const config: ConfigInput = {
  address_format: 'any',
  quote_tokens: [{ address: 'USDC', symbol: 'USDC', kind: 'stable' }],
};

/** Where a transaction stands: seconds after the launch, its slot, its index in the block, its hash. */
export interface At {
  readonly after?: number;
  readonly slot?: number | null;
  readonly index?: number | null;
  readonly tx?: string;
}

export interface LaunchStoreOptions {
  readonly storage?: StorageAdapter;
  readonly config?: ConfigInput;
  /** What the registry says of the token; `null`: it does not know it. */
  readonly registered?: object | null;
}

/** A store in which the token T is launched, by default with a creator D, a supply and a creation time. Each token costs one USD. */
export async function launchStore({ storage = memory(), registered = {}, ...more }: LaunchStoreOptions = {}) {
  const dex = await Swapfold.open({ storage, config: { ...config, ...more.config } });
  if (registered !== null)
    await dex.tokens.upsert([
      { address: 'T', creator_address: 'D', created_at: LAUNCH - 60, total_supply: SUPPLY, ...registered },
    ]);
  let made = 0;
  const swapOf = (wallet: string, given: [number, string], received: [number, string], at: At = {}): SwapInput => {
    const { after = 0, slot = SLOT + Math.round(after * 2.5), index = null, tx } = at;
    made++;
    return {
      tx_hash: tx ?? `tx${String(made).padStart(6, '0')}`,
      swap_index: made,
      block_time: LAUNCH + after,
      ...(slot === null ? {} : { block_slot: slot }),
      ...(index === null ? {} : { tx_index: index }),
      wallet,
      token_in: given[1],
      token_amount_in: given[0],
      token_out: received[1],
      token_amount_out: received[0],
    };
  };
  const bought = (wallet: string, amount: number, at?: At, token = 'T'): SwapInput =>
    swapOf(wallet, [amount, 'USDC'], [amount, token], at);
  const sold = (wallet: string, amount: number, at?: At, token = 'T'): SwapInput =>
    swapOf(wallet, [amount, token], [amount, 'USDC'], at);
  const sent = (from: string, to: string, amount: number, { after = 0, slot, index, tx }: At = {}, more = {}) => {
    made++;
    return dex.transfers.ingest([
      {
        tx_hash: tx ?? `tx${String(made).padStart(6, '0')}`,
        transfer_index: made,
        block_time: LAUNCH + after,
        ...(slot == null ? {} : { block_slot: slot }),
        ...(index == null ? {} : { tx_index: index }),
        token: 'T',
        token_amount: amount,
        from,
        to,
        ...more,
      },
    ]);
  };
  const launchOf = async (token = 'T') => {
    await dex.refresh();
    return (await dex.tokens.get({ token, options: { include_launch: true } })).launch!;
  };
  return {
    dex,
    bought,
    sold,
    sent,
    launch: launchOf,
    buy: (wallet: string, amount: number, at?: At) => dex.ingest([bought(wallet, amount, at)]),
    sell: (wallet: string, amount: number, at?: At) => dex.ingest([sold(wallet, amount, at)]),
    /** The roles of wallets that bought, or are insiders, by wallet. */
    async roles(): Promise<Readonly<Record<string, string>>> {
      const { data, insiders } = await dex.tokens.buyers({ token: 'T', limit: 100 });
      const all = [...data, ...(insiders ?? [])].filter(({ roles }) => roles.length > 0);
      return Object.fromEntries(all.map(({ wallet, roles }) => [wallet, roles.join(' ')]));
    },
  };
}
