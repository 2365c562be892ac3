import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import type { SwapColumns, Swapfold } from '@swapfold/core';
import { readSwapFile } from 'swapfold';
import { openStore } from '../databases.ts';
import { type Engine, filesOf, removeFile } from '../files.ts';
import { quantile, timed } from '../timing.ts';

/** What a large store takes, by what it is asked; milliseconds where the name says nothing else. */
export type LargeFigures = Readonly<Record<string, number>>;

const BLOCK = 1000;
/** The first after the import, the first after a start, and enough for a median. */
export const LEAST_BLOCKS = 20;
const QUESTIONS = 40;
/** Digits of addresses and signatures. */
const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

interface Task {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
  /** Blocks that arrive, at the end of the swaps. */
  readonly blocks: number;
}

/** Opens a store, asks it everything, and feeds it blocks that a search has to find. */
export async function askLarge({ engine, swaps, root, blocks }: Task): Promise<LargeFigures> {
  const files = filesOf(root, swaps);
  const figures: Record<string, number> = {};
  const begun = performance.now();
  let dex = await openStore(engine, files.store[engine]);
  figures.open = performance.now() - begun;
  assert.equal((await dex.info()).swaps, swaps - blocks * BLOCK, 'The market was laid out for other blocks.');
  figures['first search'] = await timed(() => dex.wallets.search({ limit: 20 }));
  for (const [kind, ask] of Object.entries(await questionKinds(dex, QUESTIONS))) {
    const times: number[] = [];
    for (let i = 0; i < QUESTIONS; i++) times.push(await timed(() => ask(i)));
    figures[kind] = quantile(times, 0.5);
  }
  const times: number[] = [];
  await dex.tokens.search({ limit: 1 });
  for await (const { batch } of readSwapFile(files.tail, { batchRows: BLOCK })) {
    times.push(await timed(() => arrive(dex, batch as SwapColumns)));
    if (times.length > 1) continue;
    await dex.close();
    dex = await openStore(engine, files.store[engine]);
    for (const kind of ['wallets', 'tokens'] as const) await dex[kind].search({ limit: 1 });
  }
  await dex.close();
  const [afterImport, afterStart, ...warm] = times as [number, number, ...number[]];
  figures['first block of 1,000 after the import'] = afterImport;
  figures['first after a start'] = afterStart;
  figures['block of 1,000, p50'] = quantile(warm, 0.5);
  figures['its p90'] = quantile(warm, 0.9);
  figures['longest block'] = Math.max(...times);
  return figures;
}

/** A block from its arrival until a search finds it. */
async function arrive(dex: Swapfold, block: SwapColumns): Promise<void> {
  await dex.ingest(block);
  await dex.refresh({ scope: 'traded' });
  await dex.wallets.search({ limit: 20, sort: { field: 'updated_at' } });
}

/** Lays copies of a market side by side, in order of time: each with wallets, tokens and signatures of its own. */
export async function copyMarket({
  from,
  swaps,
  root,
  blocks,
}: Omit<Task, 'engine'> & { readonly from: number }): Promise<void> {
  const [piece, whole] = [filesOf(`${root}/piece`, from), filesOf(root, swaps)];
  const copies = Math.ceil(swaps / from);
  if (copies > DIGITS.length) throw new Error(`${swaps} swaps are more than ${DIGITS.length} times ${from}.`);
  copyFileSync(piece.tokens, whole.tokens);
  const instance = await DuckDBInstance.create(whole.scratch('copies.duckdb'), { memory_limit: '8GB' });
  const connection = await instance.connect();
  // Digits move on by the number of the copy: nothing is spelled like its twin, which a column would store in fewer bytes.
  const moved = `translate(%, '${DIGITS}', right('${DIGITS}', ${DIGITS.length} - copy::int) || left('${DIGITS}', copy::int))`;
  const own = (name: string): string => `${moved.replace('%', name)} as ${name}`;
  // Quote tokens are those of every copy.
  const token = (name: string): string =>
    `case when ${name} in (from quotes) then ${name} else ${moved.replace('%', name)} end as ${name}`;
  const tail = blocks * BLOCK;
  await connection.run(
    `create table quotes as select token from (select unnest([token_in, token_out]) as token from '${piece.parquet}') group by 1 order by count(*) desc limit 4`,
  );
  await connection.run(
    `create table laid as select * replace (tx_index * ${copies} + copy as tx_index, ${own('tx_hash')}, ${own('wallet')}, ${token('token_in')}, ${token('token_out')})
       from (select copy, piece.* from '${piece.parquet}' piece, range(${copies}) copies(copy)) order by block_slot, tx_index, swap_index`,
  );
  const bulk = swaps - tail;
  const format = '(format parquet, row_group_size 122880)';
  await connection.run(`copy (select * exclude copy from laid limit ${bulk}) to '${whole.parquet}' ${format}`);
  await connection.run(
    `copy (select * exclude copy from laid limit ${tail} offset ${bulk}) to '${whole.tail}' ${format}`,
  );
  connection.closeSync();
  instance.closeSync();
  removeFile(whole.scratch('copies.duckdb'));
}

/** A question of each kind about many wallets and tokens, those that a search lists first. */
async function questionKinds(
  dex: Swapfold,
  subjects: number,
): Promise<Readonly<Record<string, (i: number) => Promise<unknown>>>> {
  const wallets = (await dex.wallets.search({ limit: subjects })).data.map((row) => row.wallet_address);
  const tokens = (await dex.tokens.search({ limit: subjects })).data.map((row) => row.token_address);
  const wallet = (i: number): string => wallets[i % wallets.length]!;
  const token = (i: number): string => tokens[i % tokens.length]!;
  return {
    search: (i) =>
      dex.wallets.search({
        filter: { 'metrics.30d.trade_count': { $gte: i } },
        sort: { field: 'metrics.30d.pnl' },
        limit: 20,
      }),
    profile: (i) => dex.wallets.get({ wallet: wallet(i), options: { include_metrics: ['30d', '7d', '1d'] } }),
    'swaps of a wallet': (i) => dex.swaps.list({ wallet: wallet(i) }),
    'trades of a token': (i) => dex.trades.list({ token: token(i) }),
    'candles of a token': (i) => dex.prices.candles({ token: token(i), interval: 3600, count: 300 }),
    portfolio: (i) => dex.portfolios.get({ wallet: wallet(i) }),
  };
}
