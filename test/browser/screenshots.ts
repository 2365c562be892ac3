import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateMarket } from '@swapfold/testing';
import { launch } from './browser.ts';
import { openSite, settled, until, visit } from './site.ts';

/** Makes the pictures of the documentation: `npm run docs:pictures`. */
const folder = join(import.meta.dirname, '../../docs/guides');
const names = { symbol: 'LARK', name: 'Meadowlark', wallet: 'early-bird' };

/** How a view is looked at: on a desk in both colours, and on a phone. */
const looks = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 1000 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 1000 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;

const browser = await launch();
const swaps = 60_000;
const site = await openSite('sqlite', swaps, names, generateMarket({ seed: 7, swaps, shape: 'launchpad' }));
try {
  // One of the few tokens that live for days, and still trade.
  const lasting = await site.dex.tokens.search({
    filter: {
      token_address: { $nin: site.dex.config.quote_tokens.map(({ address }) => address) },
      'metadata.age': { $gte: 5 * 86_400 },
    },
    sort: { field: 'metrics.1d.makers_count', direction: 'desc' },
    limit: 1,
  });
  const token = lasting.data[0]!.token_address;
  await site.dex.tokens.upsert([
    { address: site.token, symbol: 'WREN', name: 'Wren' },
    { address: token, symbol: names.symbol, name: names.name },
  ]);
  const busiest = await site.dex.positions.search({
    filter: { token_address: token, 'metrics.30d.trade_count': { $gte: 5, $lte: 9 } },
    sort: { field: 'metrics.30d.trade_count', direction: 'desc' },
    limit: 1,
  });
  const trader = busiest.data[0]!.wallet_address;
  const steady = await site.dex.wallets.search({
    filter: {
      'metrics.30d.trade_count': { $gte: 80 },
      'metrics.30d.best_token_share': { $lt: 0.7 },
      'metrics.7d.trade_count': { $gte: 10 },
    },
    sort: { field: 'metrics.30d.pnl', direction: 'desc' },
    limit: 2,
  });
  const [desk, rival] = steady.data.map(({ wallet_address }) => wallet_address);
  await site.dex.wallets.upsert([{ address: desk!, name: 'morning-desk' }]);
  await site.dex.refresh();
  const views = {
    leaderboard: ['#/', 'document.querySelectorAll("td .spark polyline").length >= 12 || innerWidth < 720'],
    token: [`#/token/${token}?wallet=${trader}&interval=14400&count=160`, 'document.querySelector(".chart canvas")'],
    wallet: [`#/wallet/${desk}`, 'document.querySelector(".lines canvas")'],
    compare: [`#/compare/${desk}/${rival}`, 'document.querySelector(".lines canvas")'],
  } as const;
  for (const [look, options] of Object.entries(looks)) {
    const visitor = await visit(browser, site.server.url, options);
    const session = await visitor.context.newCDPSession(visitor.page);
    for (const [name, [view, isDrawn]] of Object.entries(views)) {
      if (name === 'compare' && look !== 'light') continue;
      await visitor.open(view);
      await settled(visitor.page);
      await until(visitor.page, isDrawn);
      // Charts draw themselves in the frames that follow.
      await visitor.page.mouse.move(0, 0);
      await visitor.page.waitForTimeout(700);
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 84 });
      await writeFile(join(folder, `explorer-${name}-${look}.webp`), String(data), 'base64');
    }
    await visitor.close();
  }
} finally {
  await site.close();
  await browser.close();
}
