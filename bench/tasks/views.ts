import { SELF } from '@swapfold/core/engine';
import { openStore } from '../databases.ts';
import { type Engine, filesOf } from '../files.ts';
import { openPlain } from '../plain/sql.ts';
import { summary, type Times } from '../timing.ts';

export interface ViewFigures {
  readonly question: string;
  /** Processor time, milliseconds. */
  readonly view: Times;
  readonly raw: Times;
}

const ROUNDS = 5;

/** Asks the views of a store and the tables behind them the same, in turns. */
export async function askViews(task: {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
}): Promise<ViewFigures[]> {
  const path = filesOf(task.root, task.swaps).store[task.engine];
  const dex = await openStore(task.engine, path);
  const sort = { field: 'metrics.7d.trade_count' } as const;
  const [token] = (await dex.tokens.search({ limit: 1, sort })).data;
  const [wallet] = (await dex.wallets.search({ limit: 1, sort })).data;
  await dex.close();
  const sql = await openPlain(task.engine, path);
  const figures: ViewFigures[] = [];
  for (const [question, pair] of Object.entries(questions(token!.token_address, wallet!.wallet_address))) {
    const times: [number[], number[]] = [[], []];
    // The first round warms up.
    for (let round = -1; round < ROUNDS; round++)
      for (const side of [0, 1] as const) {
        const before = process.cpuUsage();
        await sql.query(pair[side]);
        const { user, system } = process.cpuUsage(before);
        if (round >= 0) times[side].push((user + system) / 1000);
      }
    figures.push({ question, view: summary(times[0]), raw: summary(times[1]) });
  }
  await sql.close();
  return figures;
}

/** Questions by name: to a view, and to the tables by somebody who knows them, of a token and a wallet. */
function questions(token: string, wallet: string): Readonly<Record<string, readonly [view: string, raw: string]>> {
  const idOf = (text: string): string => `(select id from texts where text = '${text}')`;
  const hour = '(seq >> 20) - (seq >> 20) % 3600';
  return {
    'sum over all trades': ['select sum(usd_amount) from v_trades', 'select sum(usd_amount) from trades'],
    'trades of a wallet': [
      `select * from v_trades where wallet = '${wallet}'`,
      `select * from trades where wallet = ${idOf(wallet)}`,
    ],
    'volume by protocol': [
      'select protocol, sum(usd_amount) from v_trades group by protocol',
      'select text, usd from (select protocol, sum(usd_amount) as usd from trades group by protocol) sums left join texts on id = protocol',
    ],
    'newest 100 swaps': [
      'select * from v_swaps order by seq desc limit 100',
      'select * from swaps order by seq desc limit 100',
    ],
    'candles of a token': [
      `select * from v_candles_1h where token = '${token}'`,
      `select ${hour}, max(price), min(price), sum(usd_amount), count(*) from legs where token = ${idOf(token)} and standing <> ${SELF} group by 1`,
    ],
    'ten best wallets': [
      'select wallet_address, metrics_7d_pnl from v_wallet_profiles order by metrics_7d_pnl desc limit 10',
      'select wallet_address, "metrics.7d.pnl" from wallet_profiles order by "metrics.7d.pnl" desc limit 10',
    ],
  };
}
