import { readFileSync } from 'node:fs';
import { memory, Swapfold } from '@swapfold/core';
import { type EntityKind, knownLabels } from '@swapfold/core/host';
import { demoMarket } from '../../packages/cli/src/demo/market-store.ts';
import { parseSwapsCsv } from './csv.ts';
import { USDC } from './generated-day.ts';

/** The market of `swapfold demo` with its default options, in memory. */
export async function openDemoMarket(): Promise<Swapfold> {
  const market = demoMarket({ seed: 7, swaps: 200_000 });
  const dex = await Swapfold.open({ storage: memory(), config: market.config });
  await dex.ingest(market.swaps());
  await dex.tokens.upsert(market.tokens());
  await dex.wallets.upsert(market.wallets());
  await dex.refresh();
  return dex;
}

/** A day of Uniswap v3 pools in memory: WETH is a traded token, USDC counts as a dollar. */
export async function openUniswapDay(csv: string): Promise<Swapfold> {
  const config = { preset: 'ethereum', quote_tokens: [{ ...USDC, kind: 'stable' }] } as const;
  const dex = await Swapfold.open({ storage: memory(), config });
  await dex.ingest(parseSwapsCsv(csv));
  await dex.refresh();
  return dex;
}

/** For each label of a kind how many profiles carry it, as docs/reference/labels.md says it: `4 (0.10 %)`; and how many profiles there are. */
export async function labelShares(dex: Swapfold, kind: EntityKind): Promise<Readonly<Record<string, string>>> {
  const profiles = (await dex[kind].search({ limit: 1 })).count;
  const shares: Record<string, string> = { [kind]: String(profiles) };
  for (const label of knownLabels[kind]) {
    const { count } = await dex[kind].search({ filter: { labels: label }, limit: 1 });
    shares[label] = `${count} (${((100 * count) / profiles).toFixed(2)} %)`;
  }
  return shares;
}

if (process.argv[1] === import.meta.filename) {
  const [path] = process.argv.slice(2);
  const dex = path === undefined ? await openDemoMarket() : await openUniswapDay(readFileSync(path, 'utf8'));
  for (const kind of ['tokens', 'wallets'] as const)
    for (const [name, share] of Object.entries(await labelShares(dex, kind))) console.log(name.padEnd(12), share);
  await dex.close();
}
