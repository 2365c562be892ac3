import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Browser, launch, type Page } from './browser.ts';
import { openSite, type Site, settled, until, visit } from './site.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const axe = createRequire(join(import.meta.dirname, 'package.json'));

describe('every view', () => {
  let site: Site;
  let held: string;
  let other: string;
  before(async () => {
    site = await openSite('sqlite');
    const filter = { wallet_address: site.wallet };
    held = (await site.dex.positions.search({ filter, limit: 1 })).data[0]!.token_address;
    const { data } = await site.dex.wallets.search({ filter: { wallet_address: { $ne: site.wallet } }, limit: 1 });
    other = data[0]!.wallet_address;
  });
  after(() => site.close());

  const views = (): string[] => [
    '#/',
    '#/tokens',
    '#/positions',
    '#/live',
    '#/watchlist',
    `#/token/${site.token}?wallet=${site.wallet}`,
    `#/token/${site.token}?tab=traders`,
    `#/token/${site.token}?tab=history`,
    `#/wallet/${site.wallet}`,
    `#/wallet/${site.wallet}?tab=portfolio&unit=native`,
    `#/wallet/${site.wallet}?tab=metrics`,
    `#/wallet/${site.wallet}?tab=labels`,
    '#/wallet/11111111111111111111111111111111',
    `#/compare/${site.wallet}`,
    `#/compare/${site.wallet}/${other}`,
    `#/position/${site.wallet}/${held}`,
    `#/explain/wallets/${site.wallet}/sharpe_ratio/30d`,
    '#/search/tokens?text=a&filter={"market.price":{"$gt":0}}',
    '#/docs/wallets.search',
  ];

  /** One wallet and one token are watched. */
  const watch = async (page: Page): Promise<void> => {
    const list = [
      { kind: 'wallet', address: site.wallet },
      { kind: 'token', address: site.token },
    ];
    await page.evaluate(`localStorage.setItem("swapfold-watchlist", ${JSON.stringify(JSON.stringify(list))})`);
    await page.reload();
  };

  /** The browser itself says that a wallet which is not there was not found. */
  const expected = (fault: string): boolean => /404/.test(fault);

  const sizes = {
    'on a wide screen': {},
    'on a phone': { viewport: { width: 390, height: 844 } },
  } as const;
  /** Rows of a table are alike, and each costs axe as much as a form. */
  const scope = '{ exclude: [["tbody tr:nth-child(n+7)"]] }';
  for (const [size, options] of Object.entries(sizes)) {
    test(`has no finding of axe ${size}, in light and in dark colours`, async () => {
      const source = await readFile(axe.resolve('axe-core/axe.min.js'), 'utf8');
      const visitor = await visit(browser, site.server.url, {
        ...options,
        reducedMotion: 'reduce',
        bypassCSP: true,
      });
      const { page } = visitor;
      const findings = async (colorScheme: 'light' | 'dark', rules: string): Promise<string[]> => {
        await page.emulateMedia({ colorScheme });
        return page.evaluate<string[]>(
          `axe.run(${scope}, ${rules}).then(({ violations }) => violations.map(({ id, nodes }) => "${colorScheme}: " + id + ": " + nodes[0].html))`,
        );
      };
      await visitor.open('#/');
      await watch(page);
      await page.addScriptTag({ content: source });
      const found: Record<string, string[]> = {};
      const look = async (place: string): Promise<void> => {
        // What does not depend on colours is looked for once.
        const here = [
          ...(await findings('dark', '{ runOnly: ["color-contrast"] }')),
          ...(await findings('light', '{}')),
        ];
        if (here.length > 0) found[place] = here;
      };
      for (const view of views()) {
        await visitor.open(view);
        await settled(page);
        await look(view);
      }
      await visitor.open('#/');
      await settled(page);
      await page.locator('#find').fill('a');
      await until(page, 'document.querySelector("#found [role=option]")');
      await look('suggestions');
      await page.keyboard.press('Escape');
      for (const opener of ['.settings summary', '.columns summary', '.chip.add']) {
        await page.locator(opener).click();
        await look(opener);
        await page.locator(opener).click();
      }
      assert.deepEqual(found, {});
      visitor.faults.splice(0, visitor.faults.length, ...visitor.faults.filter((fault) => !expected(fault)));
      await visitor.close();
    });
  }

  test('an address with mistakes says so, or shows what there is, and leaves the other views as they are', async () => {
    const visitor = await visit(browser, site.server.url);
    const { page, faults } = visitor;
    await visitor.open('#/');
    for (const place of [
      '#/?filter={"$or":{"labels":"whale"}}',
      '#/?filter={"$and":5}',
      '#/?filter={"$and":[null]}',
      '#/tokens?filter={"metadata.last_trade_at":{"$gt":1e20}}',
      '#/search/constructor',
      '#/explain/wallets',
      `#/explain/wallets/${site.wallet}`,
      '#/explain/constructor/a/b/c',
    ]) {
      await visitor.open(place);
      await settled(page);
      await visitor.open('#/positions');
      await until(page, 'document.querySelector("h1").textContent === "What paid"');
    }
    // The server refuses some of these filters.
    assert.deepEqual(
      faults.filter((fault) => !/status of 400/.test(fault)),
      [],
    );
    await visitor.context.close();
  });

  test('a filter that lines cannot say is edited as JSON, and a chip that goes leaves the others as they were', async () => {
    const visitor = await visit(browser, site.server.url);
    const { page } = visitor;
    const mixed = { $or: [{ 'metrics.7d.pnl': { $gt: 0, $lt: 10 } }, { labels: 'whale' }] };
    for (const filter of [mixed, { 'metrics.7d.roi': null }, { labels: { $in: ['a, b', 'c'] } }]) {
      await visitor.open(`#/?filter=${encodeURIComponent(JSON.stringify(filter))}`);
      await until(page, 'document.querySelector(".filters").innerText.includes("A filter of its own")');
    }
    const both = { 'metrics.7d.pnl': { $gt: 0 }, labels: 'whale' };
    await visitor.open(`#/?filter=${encodeURIComponent(JSON.stringify(both))}`);
    await page.locator('.chip.add').click();
    assert.equal(await page.locator('.builder .line').count(), 3);
    await page.locator('.chip.condition button').nth(1).click();
    await until(page, '!location.hash.includes("whale")');
    const [, text] = /filter=([^&]*)/.exec(page.url())!;
    assert.deepEqual(JSON.parse(decodeURIComponent(text!.replaceAll('+', ' '))), { 'metrics.7d.pnl': { $gt: 0 } });
    // A filter of null is refused: the page says so, and keeps it to be edited.
    assert.deepEqual(
      visitor.faults.filter((fault) => !/status of 400/.test(fault)),
      [],
    );
    await visitor.context.close();
  });

  test('a search field keeps every letter, however it is typed', async () => {
    const visitor = await visit(browser, site.server.url);
    const { page } = visitor;
    await visitor.open('#/search/wallets');
    await settled(page);
    for (const delay of [150, 160, 170]) {
      await page.locator('#text').fill('');
      await page.keyboard.type('abcdefghij', { delay });
      assert.equal(await page.locator('#text').inputValue(), 'abcdefghij', `${delay} ms from key to key`);
    }
    await until(page, 'location.hash.includes("text=abcdefghij")');
    await visitor.close();
  });

  test('a list stays where it is while its server fails, and goes on after it', async () => {
    const visitor = await visit(browser, site.server.url);
    const { page, faults } = visitor;
    let isDown = false;
    await page.route('**/search-profiles', (route) =>
      isDown ? route.fulfill({ status: 503, body: 'Bad gateway' }) : route.continue(),
    );
    await visitor.open('#/');
    await settled(page);
    const rows = await page.locator('main tbody tr').count();
    assert.ok(rows > 0);
    isDown = true;
    await page.locator('p.more button').click();
    await until(page, 'document.querySelector(".failure")?.innerText.includes("The server answered 503")');
    assert.equal(await page.locator('main tbody tr').count(), rows);
    isDown = false;
    await page.locator('.failure button').click();
    await until(page, '!document.querySelector(".failure")');
    await page.locator('p.more button').click();
    await until(page, `document.querySelectorAll("main tbody tr").length > ${rows}`);
    assert.deepEqual(
      faults.filter((fault) => !/status of 503/.test(fault)),
      [],
    );
    await visitor.context.close();
  });

  test('a late swap in the last candle but one is drawn without a fault', async () => {
    const visitor = await visit(browser, site.server.url);
    const { page } = visitor;
    await visitor.open(`#/token/${site.token}?interval=3600`);
    await until(page, 'document.querySelector("[role=status]").textContent === "live"');
    await until(page, 'document.querySelector(".chart canvas")');
    const candles = await site.dex.prices.candles({ token: site.token, interval: 3600, count: 500 });
    const before = candles.at(-2)!;
    const { data } = await site.dex.swaps.list({ token: site.token, limit: 1 });
    const late = { ...data[0]!, tx_hash: `${data[0]!.tx_hash.slice(0, -4)}7777`, block_time: before.timestamp + 1 };
    assert.equal((await site.dex.ingest([{ ...late, block_slot: null }])).added, 1);
    const { format } = (await import(join(import.meta.dirname, '../../packages/explorer/page/format.js'))) as {
      format(unit: string, value: number): string;
    };
    const time = format('time', before.timestamp);
    const rows = '[...document.querySelectorAll("[aria-label=Candles] details.request tbody tr")]';
    const isChanged = `row.textContent.includes("${time}") && row.children[6].textContent === "${before.count + 1}"`;
    await until(page, `${rows}.some((row) => ${isChanged})`);
    await visitor.close();
  });

  test('fits a phone: nothing but tables and charts is wider than the screen', async () => {
    const visitor = await visit(browser, site.server.url, { viewport: { width: 375, height: 740 } });
    await visitor.open('#/');
    await watch(visitor.page);
    for (const view of views()) {
      await visitor.open(view);
      await settled(visitor.page);
      const wide = await visitor.page.evaluate<string[]>(
        'document.documentElement.scrollWidth <= 375 ? [] : ["the document", ...document.querySelectorAll("body *")].filter((e) => !e.closest(".scroll, .chart, .tabs, .choice, header nav") && e.getBoundingClientRect().right > 375).map((e) => e.outerHTML.slice(0, 120))',
      );
      assert.deepEqual(wide, [], view);
    }
    visitor.faults.splice(0, visitor.faults.length, ...visitor.faults.filter((fault) => !expected(fault)));
    await visitor.close();
  });

  test('times follow the choice of UTC or local time, and colours the choice of dark', async () => {
    const visitor = await visit(browser, site.server.url, { timezoneId: 'Asia/Tokyo' });
    const { page } = visitor;
    await visitor.open(`#/trades`);
    await visitor.open(`#/wallet/${site.wallet}?tab=trades`);
    await settled(page);
    const last = '[aria-label=Trades] tbody td';
    const utc = await page.locator(last).first().innerText();
    await page.locator('details.settings summary').click();
    await page.locator('.settings select').first().selectOption('local');
    const local = await page.locator(last).first().innerText();
    assert.equal(Date.parse(`${local} UTC`) - Date.parse(`${utc} UTC`), 9 * 3600 * 1000);
    assert.equal(await page.locator('[aria-label=Trades] th').first().innerText(), 'Time, local');
    await page.locator('.settings select').nth(1).selectOption('dark');
    assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(12, 16, 22)');
    await visitor.close();
  });

  test('nothing moves for whoever asked for less motion', async () => {
    const visitor = await visit(browser, site.server.url, { reducedMotion: 'reduce' });
    await visitor.open(`#/wallet/${site.wallet}`);
    const moving = await visitor.page.evaluate<string[]>(
      '[...document.querySelectorAll("body, body *")].filter((e) => { const { animationName, transitionDuration } = getComputedStyle(e); return animationName !== "none" || transitionDuration !== "0s"; }).map((e) => e.className)',
    );
    assert.deepEqual(moving, []);
    await visitor.close();
  });
});
