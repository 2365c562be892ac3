import type { PlainSql } from './sql.ts';

/** Windows in seconds, the shortest first, as the profiles have them. */
const windows = {
  wallet: { '1d': 86_400, '3d': 259_200, '7d': 604_800, '14d': 1_209_600, '30d': 2_592_000 },
  token: { '1m': 60, '5m': 300, '1h': 3600, '6h': 21_600, '1d': 86_400, '7d': 604_800 },
} as const;

/** `swap_type` of a swap between quote tokens, which is no trade of a wallet's. */
const QUOTE_QUOTE = 3;

const aggregates = {
  trades: 'count(*)',
  buys: 'sum(case direction when 0 then 1 else 0 end)',
  sells: 'sum(case direction when 1 then 1 else 0 end)',
  volume: 'sum(usd_amount)',
  buy_volume: 'sum(case direction when 0 then usd_amount end)',
  sell_volume: 'sum(case direction when 1 then usd_amount end)',
  pnl: 'sum(pnl)',
  win_pnl: 'sum(case when pnl > 0 then pnl end)',
  loss_pnl: 'sum(case when pnl < 0 then pnl end)',
  wins: 'sum(case when pnl > 0 then 1 else 0 end)',
  losses: 'sum(case when pnl < 0 then 1 else 0 end)',
  largest_win: 'max(pnl)',
  largest_loss: 'min(pnl)',
} as const;

type Kind = keyof typeof windows;

/** How the statement begins that makes a table of a query. */
type Create = (table: string) => string;

/**
 * The SQL of a full refresh, as good as the engine runs it: each trade goes to the shortest window that it lies in (its ring), one
 * aggregation by entity and ring, then running sums over the rings give every window. Distinct partners by the least ring of each pair.
 */
function ringStatements(kind: Kind, asOf: number, tables: Readonly<Record<Kind, string>>, create: Create): string[] {
  const lengths = Object.values(windows[kind]);
  const longest = lengths.at(-1)!;
  const rings = lengths.slice(0, -1).map((seconds, ring) => `when time > ${asOf - seconds} then ${ring}`);
  const ring = `case ${rings.join(' ')} else ${lengths.length - 1} end`;
  const other = kind === 'wallet' ? 'token' : 'wallet';
  const counted = kind === 'wallet' ? `and swap_type <> ${QUOTE_QUOTE}` : '';
  const source = `${tables[kind]} where time > ${asOf - longest} and time <= ${asOf} ${counted}`;
  const over = `over (partition by ${kind} order by ring rows unbounded preceding)`;
  const running = Object.entries(aggregates).map(([name, sql]) => {
    const fold = sql.startsWith('max') ? 'max' : sql.startsWith('min') ? 'min' : 'sum';
    return `${fold}(${name}) ${over} as ${name}`;
  });
  const distinct = ['', 'and direction = 0', 'and direction = 1'].slice(0, kind === 'wallet' ? 1 : 3);
  return [
    `${create(`${kind}_rings`)} select ${kind}, ${ring} as ring, ${Object.entries(aggregates)
      .map(([name, sql]) => `${sql} as ${name}`)
      .join(', ')} from ${source} group by 1, 2`,
    `${create(`${kind}_windows`)} select ${kind}, ring, ${running.join(', ')} from ${kind}_rings`,
    ...distinct.map(
      (which, i) => `${create(`${kind}_distinct_${i}`)}
        select ${kind}, ring, sum(count(*)) over (partition by ${kind} order by ring rows unbounded preceding) as partners
        from (select ${kind}, ${other}, min(${ring}) as ring from ${source} ${which} group by 1, 2) group by 1, 2`,
    ),
  ];
}

/** Mean over deviation, over downside deviation, and the deepest fall, of each wallet's daily results in each window. */
function riskStatements(asOf: number, table: string, create: Create): string[] {
  const seconds = Object.values(windows.wallet).map((length) => `select ${length} as seconds`);
  return [
    `${create('wallet_days')} select wallet, (${asOf} - time) - (${asOf} - time) % 86400 as age, sum(pnl) as pnl
      from ${table} where time > ${asOf - windows.wallet['30d']} and time <= ${asOf} and swap_type <> ${QUOTE_QUOTE} and pnl is not null group by 1, 2`,
    `${create('wallet_risk')}
      with windows as (${seconds.join(' union all ')}),
      totals as (select wallet, seconds, pnl, age, sum(pnl) over w as total
        from wallet_days cross join windows where age < seconds window w as (partition by wallet, seconds order by age desc)),
      falls as (select *, max(total) over (partition by wallet, seconds order by age desc) - total as fall from totals),
      sums as (select wallet, seconds, seconds / 86400.0 as days, sum(pnl) as pnl, sum(pnl * pnl) as squares,
        sum(case when pnl < 0 then pnl * pnl end) as down, max(fall) as max_drawdown from falls group by 1, 2, 3)
      select wallet, seconds, max_drawdown, pnl / days / nullif(sqrt(abs(squares / days - pnl * pnl / days / days)), 0) as sharpe,
        pnl / days / nullif(sqrt(down / days), 0) as sortino from sums`,
  ];
}

const made = [
  ...(['wallet', 'token'] as const).flatMap((kind) => [`${kind}_rings`, `${kind}_windows`, `${kind}_distinct_0`]),
  'token_distinct_1',
  'token_distinct_2',
  'wallet_days',
  'wallet_risk',
];

/** Folds 13 aggregates, distinct counts and risk ratios of every wallet in 5 windows and every token in 6 into tables. */
export async function refreshPlain(sql: PlainSql, asOf: number, tokenTrades: string): Promise<void> {
  const tables = { wallet: 'trades', token: tokenTrades };
  const engine = sql.engine === 'clickhouse' ? ' engine = MergeTree order by tuple()' : '';
  const create: Create = (table) => `create table ${table}${engine} as`;
  await sql.run(
    ...made.map((table) => `drop table if exists ${table}`),
    ...ringStatements('wallet', asOf, tables, create),
    ...ringStatements('token', asOf, tables, create),
    ...riskStatements(asOf, tables.wallet, create),
  );
}

/** Sums over all entities, window by window: from the profiles, and from what `refreshPlain` folded. */
export async function windowSums(
  sql: PlainSql,
  kind: Kind,
): Promise<readonly { window: string; profiles: number[]; plain: number[] }[]> {
  const sums = [];
  for (const [ring, window] of Object.keys(windows[kind]).entries()) {
    const fields = ['trade_count', 'volume', 'pnl', ...(kind === 'token' ? ['makers_count'] : [])];
    const [profiles] = await sql.query(
      `select ${fields.map((name) => `coalesce(sum("metrics.${window}.${name}"), 0)`).join(', ')} from ${kind}_profiles`,
    );
    const [plain] = await sql.query(
      `select coalesce(sum(trades), 0), coalesce(sum(volume), 0), coalesce(sum(pnl), 0) from ${kind}_rings where ring <= ${ring}`,
    );
    const [makers] =
      kind === 'token'
        ? await sql.query(
            `select coalesce(sum(partners), 0) from (select max(partners) as partners from token_distinct_0 where ring <= ${ring} group by token)`,
          )
        : [[]];
    sums.push({ window, profiles: profiles!.map(Number), plain: [...plain!, ...makers!].map(Number) });
  }
  return sums;
}
