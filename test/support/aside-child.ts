/**
 * Refreshes a DuckDB store while swaps come in, until they are all there or it is killed. It prints a line once it is ready, as profiles begin to
 * be stored aside, as that ends in the writer's place, and what is stored.
 */
import { Swapfold } from '@swapfold/core';
import { asideMarket, BESIDE, ROWS } from './aside-market.ts';
import { engines } from './engines.ts';

const [folder, refreshes] = process.argv.slice(2) as [string, string];
const { swaps, config } = asideMarket(Number(refreshes));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const storage = engines.duckdb!(folder);
const writeAside = storage.writeAside!.bind(storage);
storage.writeAside = (tables, work) => {
  say('aside');
  return writeAside(tables, (writer, end) =>
    work(writer, {
      write(last) {
        say('ending');
        return end.write(last);
      },
    }),
  );
};
const dex = await Swapfold.open({ storage, config });
let next = (await dex.swaps.list({ limit: 1 })).count;
say('ready');
for (let isTraded = false; next < swaps.length; isTraded = !isTraded) {
  await ingest();
  const refreshing = dex.refresh(isTraded ? { scope: 'traded', beside: true } : { beside: true });
  for (let piece = 0; piece < BESIDE && next < swaps.length; piece++) await ingest();
  await refreshing;
}
await dex.close();

async function ingest(): Promise<void> {
  const rows = swaps.slice(next, next + ROWS);
  await dex.ingest(rows);
  next += rows.length;
  say(`stored ${next}`);
}
