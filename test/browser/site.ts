import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { type ExplorerOptions, explorerFiles } from '@swapfold/explorer';
import { type RunningServer, serve } from '@swapfold/server';
import { sqlite } from '@swapfold/sqlite';
import { demoMarket } from '../../packages/cli/src/demo/market-store.ts';
import { launchStore } from '../support/launches.ts';
import type { Browser, Context, Page } from './browser.ts';

export const engines = { sqlite, duckdb } as const;
export const KEY = 'key-of-the-tests';

/** Names that somebody may give a token or a wallet: they are text. */
export const HOSTILE = {
  symbol: '<img src=x onerror=alert(1)>',
  name: '=HYPERLINK("https://evil.example")</script><script>alert(2)</script>',
  wallet: '"><svg onload=alert(3)>',
};

export interface Site {
  readonly dex: Swapfold;
  readonly server: RunningServer;
  /** The token that most wallets traded in a day; its names are hostile. */
  readonly token: string;
  /** The wallet that earned most in a week by ten trades and more; its name is hostile. */
  readonly wallet: string;
  close(): Promise<void>;
}

/** A served market of some thousand swaps; `names` are those of the token and the wallet that stand first. */
export async function openSite(
  engine: keyof typeof engines,
  swaps = 8000,
  names = HOSTILE,
  market = demoMarket({ seed: 7, swaps }),
): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-explorer-'));
  const config = { ...market.config, api_keys: [KEY] };
  const dex = await Swapfold.open({ storage: engines[engine](join(folder, 'dex.db')), config });
  for (const batch of market.swaps()) await dex.ingest(batch);
  await dex.tokens.upsert(market.tokens());
  await dex.wallets.upsert(market.wallets());
  await dex.refresh();
  const quotes = dex.config.quote_tokens.map(({ address }) => address);
  const tokens = await dex.tokens.search({
    filter: { token_address: { $nin: quotes } },
    sort: { field: 'metrics.1d.makers_count', direction: 'desc' },
    limit: 1,
  });
  const wallets = await dex.wallets.search({
    filter: { 'metrics.7d.trade_count': { $gte: 10 } },
    sort: { field: 'metrics.7d.pnl', direction: 'desc' },
    limit: 1,
  });
  const token = tokens.data[0]!.token_address;
  const wallet = wallets.data[0]!.wallet_address;
  await dex.tokens.upsert([{ address: token, symbol: names.symbol, name: names.name }]);
  await dex.wallets.upsert([{ address: wallet, name: names.wallet }]);
  await dex.refresh();
  return { ...(await served(dex, folder)), token, wallet };
}

export type Served = Pick<Site, 'dex' | 'server' | 'close'>;

async function served(dex: Swapfold, folder: string, options?: ExplorerOptions): Promise<Served> {
  const server = await serve(dex, { port: 0, files: await explorerFiles(options) });
  return {
    dex,
    server,
    async close() {
      await server.close();
      await dex.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A served store in which a token is launched: its creator and a bundle of four that buys with it, two snipers, an insider who gets tokens of one of
 * the bundle and sells some, and twenty buyers who come later.
 */
export async function openLaunch(): Promise<Served & { readonly token: string; readonly sniper: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-explorer-'));
  const { dex, bought, sold, sent } = await launchStore({
    storage: sqlite(join(folder, 'dex.db')),
    config: { api_keys: [KEY] },
    registered: { symbol: 'LARK', name: 'Meadowlark' },
  });
  const of = (name: string): string => `${name}${'wallet'.repeat(6)}`;
  const together = [11, 12, 13, 14].map((index) => bought(of(`B${index}`), 20_000, { index }));
  await dex.ingest([bought('D', 50_000, { index: 10 }), ...together, bought(of('H'), 5_000, { index: 900 })]);
  await sent(of('B12'), of('I'), 10_000, { after: 30, slot: 175 });
  const later = Array.from({ length: 20 }, (_, i) => bought(of(`L${i}`), 100 * (i + 1), { after: 20 + i * 17 }));
  const sniper = of('S');
  await dex.ingest([
    bought(sniper, 5_000, { after: 2, slot: 105, index: 7 }),
    ...later,
    sold(of('I'), 4_000, { after: 600 }),
    sold(sniper, 2_500, { after: 700 }),
  ]);
  await dex.refresh();
  return { ...(await served(dex, folder)), token: 'T', sniper };
}

/** A served store of these swaps alone, refreshed; of none, an empty one. */
export async function openStoreOf(
  engine: keyof typeof engines,
  swaps: readonly SwapInput[],
  options?: ExplorerOptions,
): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-explorer-'));
  const config = { preset: 'solana', api_keys: [KEY] } as const;
  const dex = await Swapfold.open({ storage: engines[engine](join(folder, 'dex.db')), config });
  if (swaps.length > 0) await dex.ingest(swaps);
  await dex.refresh();
  return served(dex, folder, options);
}

/** A visitor with a page of their own: whatever goes wrong in it is in `faults`. */
export interface Visitor {
  readonly context: Context;
  readonly page: Page;
  readonly faults: string[];
  /** Opens a view, with the key if the page asks for one. */
  open(view: string): Promise<void>;
  close(): Promise<void>;
}

interface Happening {
  readonly type: () => string;
  readonly text: () => string;
  readonly url: () => string;
  readonly message: string;
  dismiss(): Promise<void>;
}

export async function visit(browser: Browser, base: string, options: object = {}): Promise<Visitor> {
  // The browser of a machine without a locale names a language that is none, which no visitor has.
  const context = await browser.newContext({ permissions: ['clipboard-write'], locale: 'en-US', ...options });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const faults: string[] = [];
  const on = (event: string, note: (it: Happening) => string | undefined): void =>
    page.on(event, (it: Happening) => {
      const fault = note(it);
      if (fault !== undefined) faults.push(`${event}: ${fault}`);
    });
  on('console', (message) => (['error', 'warning'].includes(message.type()) ? message.text() : undefined));
  on('pageerror', (error) => error.message);
  on('request', (request) =>
    request.url().startsWith(base) || request.url().startsWith('blob:') ? undefined : `to ${request.url()}`,
  );
  on('dialog', (dialog) => {
    void dialog.dismiss();
    return dialog.message;
  });
  return {
    context,
    page,
    faults,
    async open(view) {
      await page.goto(`${base}/${view}`);
      const key = page.locator('input[type=password]');
      await until(page, 'document.querySelector("main h1, input[type=password]")');
      if ((await key.count()) === 0) return;
      await key.fill(KEY);
      await page.locator('main button').click();
      await until(page, '!document.querySelector("input[type=password]")');
    },
    async close() {
      await context.close();
      assert.deepEqual(faults, []);
    },
  };
}

/** Ends a visit and what was visited, also if the page had faults. */
export async function leave(visitor: Visitor, site: { readonly close: () => Promise<void> }): Promise<void> {
  try {
    await visitor.close();
  } finally {
    await site.close();
  }
}

/** Waits until an expression holds in the page. (The browser's own way to wait compiles text in the page, which the policy forbids.) */
export async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await page.evaluate<boolean>(`Boolean(${expression})`).catch(() => false))) {
    if (performance.now() > end) throw new Error(`It did not come to hold in 30 s: ${expression}`);
    await page.waitForTimeout(20);
  }
}

/** Waits until every table and part of the view has its answer. */
export async function settled(page: Page): Promise<void> {
  await until(
    page,
    '!document.querySelector("[aria-busy=true]") && ![...document.querySelectorAll("main p.quiet")].some((p) => p.textContent.startsWith("Loading"))',
  );
}
