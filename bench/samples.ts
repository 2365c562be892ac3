import type { PlainSql } from './plain/sql.ts';

/** An entity as the interface names it, and as the plain tables do. */
export interface Named {
  readonly address: string;
  readonly id: number;
}

/** What questions are asked about: many of each, so that no answer is asked for twice in a row. */
export interface Samples {
  readonly wallets: readonly Named[];
  readonly tokens: readonly Named[];
  readonly everyToken: readonly Named[];
  /** The token with the most trades. */
  readonly hottest: Named;
  /** The wallets that hold the most tokens. */
  readonly collectors: readonly Named[];
  /** The wallets that trade most, and the trades of a month in those 20 of their positions with the most volume. */
  readonly traders: readonly (Named & { readonly trades: number })[];
  readonly lastTime: number;
  /** The last second before the longest window. */
  readonly monthBefore: number;
}

/** How many wallets and tokens the questions go round. */
const VARIETY = 300;

const MONTH = 30 * 86_400;

export async function takeSamples(sql: PlainSql): Promise<Samples> {
  const named = async (query: string): Promise<Named[]> =>
    (
      await sql.query(`select t.text, q.id from (${query}) q join texts t on t.id = q.id order by q.place desc, q.id`)
    ).map(([address, id]) => ({ address: String(address), id: Number(id) }));
  const spread = (all: readonly Named[]): Named[] => {
    const step = Math.max(1, Math.floor(all.length / VARIETY));
    return all.filter((_, i) => i % step === 0).slice(0, VARIETY);
  };
  const everyToken = await named('select id, 0 as place from token_profiles');
  const [hottest] = await named('select token as id, count(*) as place from trades group by 1 order by 2 desc limit 1');
  const [last] = await sql.query('select max(time) from swaps');
  const lastTime = Number(last![0]);
  const monthBefore = lastTime - MONTH;
  const active = await named('select wallet as id, count(*) as place from trades group by 1 order by 2 desc limit 20');
  const behind = async ({ id }: Named): Promise<number> => {
    const tokens = 'select token from positions where wallet = ? order by "metrics.30d.volume" desc limit 20';
    const trades = `select count(*) from trades where wallet = ? and time > ? and token in (${tokens})`;
    return Number((await sql.query(trades, id, monthBefore, id))[0]![0]);
  };
  const traders: Samples['traders'][number][] = [];
  for (const wallet of active) traders.push({ ...wallet, trades: await behind(wallet) });
  return {
    wallets: spread(await named('select id, 0 as place from wallet_profiles')),
    tokens: spread(everyToken),
    everyToken,
    hottest: hottest!,
    collectors: await named('select wallet as id, count(*) as place from balances group by 1 order by 2 desc limit 20'),
    traders,
    lastTime,
    monthBefore,
  };
}

export function pick<T>(items: readonly T[], i: number): T {
  return items[i % items.length]!;
}

/** `count` tokens from place `i` on, around the end. */
export function tokensFrom(samples: Samples, i: number, count: number): readonly Named[] {
  const { everyToken } = samples;
  const many = Math.min(count, everyToken.length);
  return Array.from({ length: many }, (_, k) => pick(everyToken, i * 37 + k));
}

/** The search of the benchmark: four conditions, a sort, an exact count, 20 whole profiles. Its bounds move with `i`. */
export function searchBounds(i: number): readonly [pnl: number, winrate: number, trades: number, volume: number] {
  return [i % 40, 30 + (i % 21), 2 + (i % 4), 100 + (i % 83)];
}

export function searchRequest(i: number) {
  const [pnl, winrate, trades, volume] = searchBounds(i);
  return {
    filter: {
      'metrics.7d.pnl': { $gt: pnl },
      'metrics.30d.winrate': { $gte: winrate },
      'metrics.7d.trade_count': { $gte: trades },
      'metrics.30d.volume': { $gt: volume },
    },
    sort: { field: 'metrics.7d.pnl' as const },
    limit: 20,
  };
}
