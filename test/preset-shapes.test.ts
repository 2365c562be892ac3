import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { type ConfigInput, columnsToObjects, memory, Swapfold, type SwapInput } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';
import { builtInPresets, parsePreset, readSwapFile, type SwapFileOptions } from 'swapfold';
import { withFolder } from './support/engines.ts';
import { evmShapes } from './support/evm-shapes.ts';
import { decimalsOf, eventIndex, legsOf, rawOf, type Shape } from './support/shapes.ts';
import { solanaShapes } from './support/solana-shapes.ts';
import { readUniswapDay, uniswapDays } from './support/uniswap.ts';
import { isWhole } from './support/whole.ts';

const seed = 7;
const market = generateMarket({ seed, swaps: isWhole ? 5000 : 600, withBalances: false });
const marketSwaps = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
const [generated, recorded] = uniswapDays;
const evm: ConfigInput = {
  preset: 'ethereum',
  quote_tokens: [{ address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', kind: 'stable' }],
};

/** Every answer of a store that the swaps decide, as the bytes that a client would get. */
async function answers(dex: Swapfold): Promise<string[]> {
  await dex.refresh();
  const all: unknown[] = [];
  const pages = async (
    ask: (page: { limit: number; cursor?: string }) => Promise<{ cursor?: string; data: readonly unknown[] }>,
  ) => {
    let cursor: string | undefined;
    do {
      // A cursor is of one store.
      const { cursor: after, ...page } = await ask({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      all.push(page);
      cursor = after;
    } while (cursor !== undefined);
  };
  await pages((page) => dex.swaps.list(page));
  await pages((page) => dex.trades.list(page));
  const { data: tokens } = await dex.tokens.search({
    limit: 100,
    options: { include_market: true, include_metrics: ['7d'] },
  });
  const { data: wallets } = await dex.wallets.search({ limit: 100, options: { include_metrics: ['7d', '30d'] } });
  all.push(tokens, wallets);
  const names = tokens.map((token) => token.token_address).slice(0, 20);
  all.push(await dex.prices.latest({ tokens: names }));
  for (const token of names.slice(0, 3)) all.push(await dex.prices.candles({ token, interval: 3600, count: 100 }));
  for (const { wallet_address } of wallets.slice(0, 20)) all.push(await dex.portfolios.get({ wallet: wallet_address }));
  // The clock of the machine, of which the swaps decide nothing.
  return all.map((answer) => JSON.stringify(answer).replaceAll(/"synced_at":"[^"]*"/g, ''));
}

async function storeOf(config: ConfigInput, fill: (dex: Swapfold) => Promise<void>): Promise<string[]> {
  const dex = await Swapfold.open({ storage: memory(), config });
  try {
    await fill(dex);
    return await answers(dex);
  } finally {
    await dex.close();
  }
}

/** Throws with the place of the first difference: the answers themselves are long. */
function same(read: readonly string[], expected: readonly string[]): void {
  assert.equal(read.length, expected.length);
  for (const [i, text] of expected.entries()) {
    if (read[i] === text) continue;
    const at = [...text].findIndex((character, place) => read[i]![place] !== character);
    const around = (answer: string): string => answer.slice(Math.max(0, at - 150), at + 50);
    assert.equal(around(read[i]!), around(text), `answer ${i}, character ${at}`);
  }
}

interface Found {
  rows: number;
  others: number;
  preset: string;
}

/** The answers of a store that the file was read into. */
async function readInto(config: ConfigInput, path: string, options: SwapFileOptions): Promise<[string[], Found]> {
  const found: Found = { rows: 0, others: 0, preset: '' };
  const read = await storeOf(config, async (dex) => {
    for await (const { batch, rejects, passed, preset } of readSwapFile(path, { batchRows: 500, ...options })) {
      assert.deepEqual(rejects, []);
      const { added } = await dex.ingest(batch, { onReject: (reject) => assert.fail(JSON.stringify(reject)) });
      found.rows += added;
      for (const count of passed.values()) found.others += count;
      found.preset = preset;
    }
  });
  return [read, found];
}

async function compare(shape: Shape, swaps: readonly SwapInput[], config: ConfigInput): Promise<void> {
  await withFolder(async (folder) => {
    const path = join(folder, `export${shape.suffix}`);
    writeFileSync(path, shape.write(swaps));
    const reduced = swaps.map(shape.reduce) as SwapInput[];
    const expected = await storeOf(config, async (dex) => {
      const { added } = await dex.ingest(reduced);
      assert.equal(added, swaps.length);
    });
    const [read, found] = await readInto(config, path, {});
    assert.deepEqual(found, { rows: swaps.length, others: shape.others, preset: shape.preset });
    assert.ok(read.length > 20);
    same(read, expected);
  });
}

for (const shape of evmShapes) {
  test(`${generated!.title} in the shape of ${shape.preset} gives the answers of its rows, to the byte`, () =>
    compare(shape, readUniswapDay(generated!).slice(0, isWhole ? undefined : 400), evm));

  test(
    `the recorded Uniswap day in the shape of ${shape.preset} gives the answers of its rows, to the byte`,
    { skip: isWhole && recorded !== undefined ? false : 'part of npm run test:whole, if the recorded day is there' },
    () => compare(shape, readUniswapDay(recorded!).slice(0, isWhole ? undefined : 600), evm),
  );
}

for (const shape of solanaShapes) {
  test(`a generated Solana market (seed ${seed}) in the shape of ${shape.preset} gives the answers of its rows, to the byte`, () =>
    compare(shape, marketSwaps, market.config));
}

test('every shape here is of a built-in preset', () => {
  const names: readonly string[] = builtInPresets.map(({ name }) => name);
  for (const { preset } of [...evmShapes, ...solanaShapes]) assert.ok(names.includes(preset), preset);
});

/** A Parquet file of a DuckDB query over a CSV file with a header. */
async function parquetOf(csv: string, columns: string): Promise<string> {
  const path = csv.replace('.csv', '.parquet');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(
    `copy (select ${columns} from read_csv('${csv}', all_varchar = true)) to '${path}' (format parquet)`,
  );
  connection.closeSync();
  return path;
}

test('the Parquet of a Dune query, with bytes, timestamps and decimals, gives the answers of its rows', () =>
  withFolder(async (folder) => {
    const [shape] = evmShapes;
    const swaps = readUniswapDay(generated!).slice(0, 400);
    writeFileSync(join(folder, 'dune.csv'), shape!.write(swaps));
    const bytes = ['tx_hash', 'tx_from', 'token_bought_address', 'token_sold_address', 'project_contract_address'];
    const path = await parquetOf(
      join(folder, 'dune.csv'),
      `* replace (${bytes.map((name) => `unhex(${name}[3:]) as ${name}`).join(', ')}, (block_time[:19])::timestamp as block_time,
        token_sold_amount::decimal(38, 24) as token_sold_amount, evt_index::bigint as evt_index)`,
    );
    const expected = await storeOf(evm, async (dex) => {
      await dex.ingest(swaps.map(shape!.reduce) as SwapInput[]);
    });
    const [read, { preset }] = await readInto(evm, path, {});
    assert.equal(preset, 'dune-evm');
    same(read, expected);
  }));

test("raw amounts with decimals in a preset of one's own give the doubles that whole tokens give", () =>
  withFolder(async (folder) => {
    const swaps = readUniswapDay(generated!).slice(0, 400);
    const rows = swaps.map((swap) => {
      const { isFirstGiven, legs } = legsOf(swap);
      const raws = legs.map(({ amount, symbol }) => rawOf(amount, decimalsOf(symbol)));
      const signed = isFirstGiven ? [`-${raws[0]}`, raws[1]] : [raws[0], `-${raws[1]}`];
      return {
        log: { i: eventIndex(swap), at: swap.block_time * 1e6 },
        tx: swap.tx_hash,
        who: swap.wallet,
        t0: legs[0]!.address,
        t1: legs[1]!.address,
        d0: decimalsOf(legs[0]!.symbol),
        d1: decimalsOf(legs[1]!.symbol),
        a0: signed[0],
        a1: signed[1],
      };
    });
    const path = join(folder, 'events.json');
    writeFileSync(path, JSON.stringify(rows, null, 2));
    const [a0, a1] = ['less(0, units(a0, d0))', 'less(0, units(a1, d1))'];
    const mine = parsePreset(
      `-- name: mine
-- source: my indexer
-- needs: tx, log.i, log.at, who, t0, t1, a0, a1, d0, d1
select
  tx as tx_hash,
  "log.i" as swap_index,
  "log.at" as block_time,
  who as wallet,
  case when gives_first(${a0}, ${a1}) then t0 else t1 end as token_in,
  case when gives_first(${a0}, ${a1}) then t1 else t0 end as token_out,
  given_amount(${a0}, ${a1}) as token_amount_in,
  received_amount(${a0}, ${a1}) as token_amount_out
from input`,
      'mine',
    );
    const expected = await storeOf(evm, async (dex) => {
      await dex.ingest(
        swaps.map(
          ({ tx_hash, block_time, wallet, token_in, token_out, token_amount_in, token_amount_out, ...rest }) => ({
            ...{ tx_hash, block_time, wallet, token_in, token_out, token_amount_in, token_amount_out },
            swap_index: eventIndex({ tx_index: rest.tx_index, swap_index: rest.swap_index } as SwapInput),
          }),
        ),
      );
    });
    const [read, { preset }] = await readInto(evm, path, { presets: [mine] });
    assert.equal(preset, 'mine');
    same(read, expected);
  }));
