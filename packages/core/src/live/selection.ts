import type { Candle } from '../market-data/candle-fold.ts';
import type { LatestPrice } from '../queries/prices.ts';
import type { Swap } from '../queries/swap.ts';
import type { Trade } from '../queries/trades.ts';
import type { Transfer } from '../queries/transfer.ts';
import { type Ask, type CommitView, type Eventual, type GoneTrade, mapped, type Wanted } from './view.ts';

/** What is taken back: all that is of a block slot and of later ones, candles from the bucket of a block time on; or single items. */
export interface Retracted {
  readonly from_block_slot?: number;
  /** Unix seconds. */
  readonly from_block_time?: number;
  /** Trades that there are no more although their transactions stay. */
  readonly trades?: readonly GoneTrade[];
  /** Transfers that there are no more although their slots stay. */
  readonly transfers?: readonly Pick<Transfer, 'tx_hash' | 'transfer_index'>[];
  /** Tokens that have no price. */
  readonly tokens?: readonly string[];
  /** Starts of buckets that have no candle, Unix seconds. */
  readonly timestamps?: readonly number[];
}

/** What a commit means for one subscription. */
export interface MessageBody<T> {
  readonly data: readonly T[];
  readonly retracted?: Retracted;
  /** Addresses of profiles that match from now on; they are in `data`. */
  readonly began?: readonly string[];
  /** Addresses of profiles that match no more. */
  readonly ended?: readonly string[];
  /** `data` is all that matches now. */
  readonly complete?: true;
}

export interface Selection<T = unknown> {
  /**
   * Reads what the subscription goes on from, which may refuse it, and gives its first message. `isMissed`: whether commits came since
   * the place that it goes on from.
   */
  begin?(ask: Ask, isMissed: () => boolean): Promise<MessageBody<T> | undefined>;
  /** `undefined` if the commit has nothing for it. */
  read(view: CommitView): Eventual<MessageBody<T> | undefined>;
}

const bodyOf = <T>(data: readonly T[], retracted: Retracted = {}): MessageBody<T> | undefined => {
  const isEmpty = Object.values(retracted).every((gone) => gone.length === 0);
  if (isEmpty) return data.length === 0 ? undefined : { data };
  return { data, retracted };
};

/** The message that every subscription gives of a rollback. */
export function retractionOf({ commit }: CommitView): MessageBody<never> | undefined {
  if (commit.kind !== 'retraction') return undefined;
  const { fromSlot, fromTime } = commit.rolledBack;
  return { data: [], retracted: { from_block_slot: fromSlot, from_block_time: fromTime } };
}

export const swapsWanted = (wanted: Wanted): Selection<Swap> => ({
  read: (view) =>
    view.commit.kind === 'rows' ? mapped(view.swaps(view.commit), (items) => bodyOf(items.choose(wanted))) : undefined,
});

export const tradesWanted = (wanted: Wanted): Selection<Trade> => ({
  read(view) {
    if (view.commit.kind !== 'rows') return undefined;
    return mapped(view.trades(view.commit), ({ items, gone }) => {
      const isWanted = ({ wallet, token }: GoneTrade): boolean =>
        wanted.wallet?.has(wallet) !== false && wanted.token?.has(token) !== false;
      return bodyOf(items.choose(wanted), { trades: gone.filter(isWanted) });
    });
  },
});

export const transfersWanted = (wanted: Wanted): Selection<Transfer> => ({
  read(view) {
    if (view.commit.kind !== 'transfers') return undefined;
    return mapped(view.transfers(view.commit), ({ items, gone }) => {
      const retracted = gone.choose(wanted).map(({ tx_hash, transfer_index }) => ({ tx_hash, transfer_index }));
      return bodyOf(items.choose(wanted), { transfers: retracted });
    });
  },
});

export const pricesWanted = (wanted: Wanted): Selection<LatestPrice> => ({
  read(view) {
    if (view.commit.kind !== 'rows') return undefined;
    return mapped(view.prices(view.commit), ({ items, gone }) =>
      bodyOf(items.choose(wanted), { tokens: gone.filter((token) => wanted.token?.has(token) !== false) }),
    );
  },
});

export const candlesWanted = (token: string, interval: number): Selection<Candle> => ({
  read(view) {
    if (view.commit.kind !== 'rows') return undefined;
    return mapped(view.candles(view.commit, token, interval), ({ found, gone }) => bodyOf(found, { timestamps: gone }));
  },
});
