import { join } from 'node:path';
import { launch } from './browser.ts';
import { openSite, settled, visit } from './site.ts';

/** Makes the pictures of the documentation: `npm run docs:pictures`. */
const folder = join(import.meta.dirname, '../../docs/guides');
const names = { symbol: 'LARK', name: 'Meadowlark', wallet: 'morning-desk' };

const browser = await launch();
const site = await openSite('sqlite', 60_000, names);
try {
  const views = {
    'explorer-leaderboard': '#/',
    'explorer-token': `#/token/${site.token}?wallet=${site.wallet}&interval=14400&count=220`,
    'explorer-wallet': `#/wallet/${site.wallet}`,
  };
  for (const colorScheme of ['light', 'dark']) {
    const visitor = await visit(browser, site.server.url, { colorScheme, viewport: { width: 1280, height: 800 } });
    for (const [name, view] of Object.entries(views)) {
      await visitor.open(view);
      await settled(visitor.page);
      // Charts draw themselves in the frames that follow.
      await visitor.page.waitForTimeout(500);
      await visitor.page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
    await visitor.close();
  }
} finally {
  await site.close();
  await browser.close();
}
