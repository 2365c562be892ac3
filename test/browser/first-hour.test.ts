import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SwapInput } from '@swapfold/core';
import { type Browser, launch, type Page } from './browser.ts';
import { leave, openSite, openStoreOf, type Site, settled, until, type Visitor, visit } from './site.ts';

/** What a route of the browser knows of its request. */
interface Sent {
  request(): { postDataJSON(): { readonly sort?: { readonly field: string; readonly direction: string } } };
}

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const COIN = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const ANN = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const BEN = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const START = 1_735_689_600;

/** A wallet buys or, with a negative amount, sells COIN for USDC. */
function swap(wallet: string, at: number, coins: number, usd: number): SwapInput {
  const isBuy = coins > 0;
  return {
    tx_hash: `tx-of-${wallet.slice(0, 4)}-at-${at}`,
    swap_index: 0,
    block_time: START + at,
    wallet,
    token_in: isBuy ? USDC : COIN,
    token_out: isBuy ? COIN : USDC,
    token_amount_in: isBuy ? usd : -coins,
    token_amount_out: isBuy ? coins : usd,
  };
}

/** Ann buys 100 for 100 and sells 250 for 1,000: 400 of that for what had cost 100, 600 for what nobody knows the cost of. */
const few: readonly SwapInput[] = [
  swap(ANN, 0, 100, 100),
  swap(BEN, 3600, 40, 80),
  swap(ANN, 7200, -250, 1000),
  swap(BEN, 9000, 10, 40),
];

describe('a live store', () => {
  let site: Site;
  let visitor: Visitor;
  let page: Page;
  let count = 0;
  before(async () => {
    site = await openSite('sqlite', 8000, { symbol: 'LARK', name: 'Meadowlark', wallet: 'early bird' });
    visitor = await visit(browser, site.server.url);
    page = visitor.page;
  });
  after(() => leave(visitor, site));
  const show = async (view: string): Promise<void> => {
    await visitor.open(view);
    await settled(page);
  };

  /** Another swap of the token, stored and refreshed. */
  async function goOn(): Promise<number> {
    const { data } = await site.dex.swaps.list({ token: site.token, limit: 1 });
    const block_time = data[0]!.block_time + 1;
    const tx_hash = `${data[0]!.tx_hash.slice(0, -4)}${String(9000 + count++)}`.replaceAll('0', 'z');
    await site.dex.ingest([{ ...data[0]!, tx_hash, block_time, block_slot: null }]);
    await site.dex.refresh();
    return block_time;
  }

  test('answers every heading and switch of every view', async () => {
    const held = (await site.dex.positions.search({ filter: { wallet_address: site.wallet }, limit: 1 })).data[0]!;
    const views = [
      '#/',
      '#/tokens',
      '#/positions',
      '#/search/positions',
      `#/token/${site.token}`,
      `#/wallet/${site.wallet}`,
      `#/position/${site.wallet}/${held.token_address}`,
      `#/compare/${site.wallet}`,
      `#/explain/wallets/${site.wallet}/pnl/30d`,
    ];
    const switches =
      'main :is(button.heading, .choice button, [role=tab], .presets a), main nav.tabs[aria-label="Kinds of profiles"] a';
    let clicked = 0;
    for (const view of views) {
      await show(view);
      for (let i = 0; i < (await page.locator(switches).count()); i++) {
        const name = await page.locator(switches).nth(i).innerText();
        await page.locator(switches).nth(i).click();
        clicked++;
        if (clicked % 10 === 0) await goOn();
        await settled(page);
        const failure = await page.evaluate<string>('document.querySelector(".failure")?.innerText ?? ""');
        assert.equal(failure, '', `${name} of ${view}`);
      }
    }
    assert.ok(clicked > 100, `${clicked}`);
    // What is in a tab, which a click on another one takes away.
    const inside = '[role=tabpanel] :is(button.heading, .choice button)';
    const tabs = [
      ...['positions', 'record', 'copy'].map((tab) => `#/wallet/${site.wallet}?tab=${tab}`),
      ...['traders', 'launch', 'history'].map((tab) => `#/token/${site.token}?tab=${tab}`),
    ];
    for (const view of tabs) {
      await show(view);
      for (let i = 0; i < (await page.locator(inside).count()); i++) {
        const name = await page.locator(inside).nth(i).innerText();
        await page.locator(inside).nth(i).click();
        clicked++;
        await settled(page);
        const failure = await page.evaluate<string>('document.querySelector(".failure")?.innerText ?? ""');
        assert.equal(failure, '', `${name} of ${view}`);
      }
    }
    assert.ok(clicked > 120, `${clicked}`);
    assert.deepEqual(visitor.faults, []);
  });

  test('sorts positions by profit in SOL, by unrealised profit and by worth', async () => {
    await show('#/positions');
    for (const [heading, field] of [
      ['Unrealised', 'holding.unrealized_pnl'],
      ['Worth', 'holding.value'],
    ] as const) {
      await page.locator('th button').locator(`text="${heading}"`).click();
      await until(page, `document.querySelector("th[aria-sort]")?.textContent.startsWith("${heading}")`);
      await settled(page);
      await sameAs(field);
    }
    await show('#/positions?unit=native');
    await until(page, 'document.querySelector("th[aria-sort]")?.textContent.startsWith("Profit in SOL")');
    await settled(page);
    await sameAs('metrics.7d.pnl_native');
    async function sameAs(field: string): Promise<void> {
      const { data } = await site.dex.positions.search({ sort: { field, direction: 'desc' }, limit: 25 } as object);
      const shown = await page.evaluate<string[]>(
        '[...document.querySelectorAll("main tbody tr")].map((tr) => [...tr.querySelectorAll("a.entity")].slice(0, 2).map((a) => a.title).join())',
      );
      assert.deepEqual(
        shown,
        data.map((one) => `${one.wallet_address},${one.token_address}`),
      );
    }
  });

  test('leaves what is typed alone when it loads a view again', async () => {
    await show(`#/token/${site.token}`);
    await until(page, 'document.querySelector("[role=status]").textContent === "live"');
    await page.locator('input[name=wallet]').fill(site.wallet.slice(0, 9));
    const at = await goOn();
    const time = new Date(at * 1000).toISOString().slice(11, 19);
    await until(page, `document.querySelector("[aria-label=Trades] tbody td").innerText.endsWith("${time}")`);
    assert.equal(await page.locator('input[name=wallet]').inputValue(), site.wallet.slice(0, 9));

    await show('#/tokens');
    await until(page, 'document.querySelector("[role=status]").textContent === "live"');
    await page.locator('.chip.add').click();
    const field = page.locator('[aria-label="Field of condition 1"]');
    await field.focus();
    await page.evaluate('document.activeElement.select()');
    await page.keyboard.type('metrics.1d.vol');
    await answeredAnew('search-profiles', goOn);
    assert.equal(await field.inputValue(), 'metrics.1d.vol');
    await page.locator('text="Edit as JSON"').click();
    await page.locator('.filters textarea').fill('{"market.price": ');
    await answeredAnew('search-profiles', goOn);
    assert.equal(await page.locator('.filters textarea').inputValue(), '{"market.price": ');
    // Half a filter is said to be none, and stays.
    await page.locator('.filters textarea').press('Tab');
    await page.locator('.filters .failure').waitFor();
    assert.equal(await page.locator('.filters textarea').inputValue(), '{"market.price": ');
  });

  /** Does something, and waits until the page has an answer that it asked for afterwards. */
  async function answeredAnew(path: string, act: () => Promise<unknown>): Promise<void> {
    await page.evaluate('performance.clearResourceTimings()');
    await act();
    await until(page, `performance.getEntriesByType("resource").some(({ name }) => name.endsWith("${path}"))`);
    await page.waitForTimeout(50);
  }

  test('goes from the header to a whole address, symbol or name, and suggests what begins so', async () => {
    for (const [text, view] of [
      [site.wallet, `#/wallet/${site.wallet}`],
      [site.token, `#/token/${site.token}`],
      ['lark', `#/token/${site.token}`],
      ['Early Bird', `#/wallet/${site.wallet}`],
    ] as const) {
      await show('#/live');
      await page.locator('#find').fill(text);
      await page.keyboard.press('Enter');
      await until(page, `location.hash === "${view}"`);
    }
    await show('#/live');
    await page.locator('#find').fill('early b');
    await until(page, 'document.querySelectorAll("#found [role=option]").length === 1');
    assert.match(await page.locator('#found').innerText(), /early bird\s+wallet/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#found').count(), 0);
    await page.locator('#find').fill('meadow');
    await until(page, 'document.querySelector("#found [role=option]")?.textContent.includes("Meadowlark")');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('#find').getAttribute('aria-activedescendant'), 'found-0');
    await page.keyboard.press('Enter');
    await until(page, `location.hash === "#/token/${site.token}"`);
    assert.equal(await page.locator('#found').count(), 0);
    await page.locator('#find').fill('meadow');
    await until(page, 'document.querySelector("#found [role=option]")');
    await page.locator('#found [role=option]').first().click();
    await until(page, `location.hash === "#/token/${site.token}" && !document.querySelector("#found")`);
  });

  test('offers small typos where nothing is found', async () => {
    await show('#/live');
    await page.locator('#find').fill('meadowlrak');
    await until(page, 'document.querySelector("p#found")');
    await page.keyboard.press('Enter');
    await until(page, 'location.hash.includes("fuzzy=yes")');
    await settled(page);
    assert.equal(await page.locator('main tbody a.entity').first().innerText(), 'LARK');
    await show('#/search/tokens?text=meadowlrak');
    await page.locator('.empty input[type=checkbox]').click();
    await until(page, 'document.querySelector("main tbody a.entity")?.innerText === "LARK"');
  });

  test('closes what has opened on Esc, on a click elsewhere, and on the way to another view', async () => {
    for (const [name, view] of [
      ['settings', '#/'],
      ['columns', '#/tokens'],
    ] as const) {
      const isOpen = `document.querySelector("details.${name}")?.open === true`;
      const open = async (): Promise<void> => {
        await page.locator(`details.${name} summary`).click();
        await until(page, isOpen);
      };
      await show(view);
      await open();
      await page.keyboard.press('Escape');
      await until(page, `!(${isOpen})`);
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'SUMMARY');
      await open();
      await page.locator('h1').click();
      await until(page, `!(${isOpen})`);
      await open();
      await page.evaluate('location.hash = "#/watchlist"');
      await until(page, `!(${isOpen})`);
    }
    // A choice inside leaves it open.
    await show('#/tokens');
    await page.locator('details.columns summary').click();
    await page.locator('details.columns label[title="metadata.name"]').click();
    await until(page, 'location.hash.includes("metadata.name")');
    assert.equal(await page.evaluate('document.querySelector("details.columns").open'), true);
  });

  test('shows how prices have changed beside those of the board', async () => {
    await show('#/tokens');
    await until(page, 'document.querySelectorAll("main tbody td[data-title=\'24h\'] :is(.number, .none)").length > 5');
    const shown = await page.evaluate<string[]>(
      '[...document.querySelectorAll("main tbody tr")].slice(0, 5).map((tr) => [tr.querySelector("a").title, ...["5m", "1h", "6h", "24h"].map((name) => [...tr.children].find((td) => td.dataset.title === name).querySelector(".number, .none").title)].join())',
    );
    const stats = await site.dex.prices.stats({ tokens: shown.map((row) => row.split(',')[0]!) });
    const why = 'There was no price then.';
    assert.deepEqual(
      shown,
      stats.map((one) => {
        const { usd_price_change_5m: a, usd_price_change_1h: b, usd_price_change_6h: c, usd_price_change_1d: d } = one;
        return [one.token, ...[a, b, c, d].map((change) => change ?? why)].join();
      }),
    );
  });

  test('heads columns of a window, of the whole history and of now', async () => {
    await show('#/positions');
    assert.deepEqual(await page.locator('tr.groups th').allInnerTexts(), ['Last 7 days', 'Whole history', 'Now']);
    await page.locator('.choice button').locator('text="30d"').click();
    await until(page, 'document.querySelector("tr.groups th").innerText === "Last 30 days"');
    await show('#/');
    assert.deepEqual(await page.locator('tr.groups th').allInnerTexts(), ['Whole history', 'Last 30 days']);
    await show('#/?columns=pnl,roi');
    assert.equal(await page.locator('tr.groups').count(), 0);
  });

  test('ranks wallets by what no price that somebody raises adds to, and takes other orders', async () => {
    const addresses = (): Promise<string[]> =>
      page.evaluate('[...document.querySelectorAll("main tbody tr")].map((tr) => tr.querySelector("a").title)');
    const found = async (request: object): Promise<string[]> =>
      (await site.dex.wallets.search({ limit: 25, ...request } as object)).data.map((one) => one.wallet_address);
    const filter = { 'lifetime.trade_count': { $gte: 10 }, 'lifetime.unmatched_share': { $lt: 5 } };
    const sort = { field: 'holding.floor_pnl', direction: 'desc' };
    await show('#/');
    assert.equal(await page.locator('.presets [aria-current=true]').innerText(), 'Worth following');
    assert.equal(await page.locator('th[aria-sort]').innerText(), 'Profit less open losses ▼');
    assert.deepEqual(await addresses(), await found({ filter, sort }));
    await page.locator('.presets a').locator('text="Everyone"').click();
    await until(page, 'document.querySelector(".presets [aria-current=true]")?.innerText === "Everyone"');
    await settled(page);
    assert.deepEqual(await addresses(), await found({ sort }));
    // There is none in SOL: what was realised in it stands in its place.
    await page.locator('.choice button').locator('text="SOL"').click();
    await until(page, 'document.querySelector("th[aria-sort]")?.innerText === "Realised in all in SOL ▼"');
    await settled(page);
    assert.deepEqual(await addresses(), await found({ sort: { ...sort, field: 'lifetime.realized_pnl_native' } }));
    assert.equal(await page.locator('.presets [aria-current=true]').innerText(), 'Everyone');
  });

  test('sorts wallets by that order, and says so, where its server would complete too many for another one', async () => {
    const own = await visit(browser, site.server.url);
    await own.page.route('**/wallets/search-profiles', async (route) => {
      const { field, direction } = (route as never as Sent).request().postDataJSON().sort ?? {};
      if (!field?.startsWith('holding.') || (field === 'holding.floor_pnl' && direction === 'desc'))
        return route.continue();
      const refusal = { code: 'invalid-filter', error: 'The positions of these wallets are too many.' };
      return route.fulfill({ status: 400, body: JSON.stringify(refusal) });
    });
    await own.open('#/?columns=holding.floor_pnl,holding.value');
    await settled(own.page);
    const first = await own.page.locator('main tbody tr a').first().getAttribute('title');
    for (const heading of ['Worth', 'Profit less open losses']) {
      await own.page.locator('th button').locator(`text="${heading}"`).click();
      await until(
        own.page,
        'document.querySelector(".hint")?.innerText.startsWith("Sorted by profit less open losses")',
      );
      await settled(own.page);
      assert.equal(await own.page.locator('.failure').count(), 0);
      assert.equal(await own.page.locator('main tbody tr a').first().getAttribute('title'), first);
    }
    own.faults.splice(0, own.faults.length, ...own.faults.filter((fault) => !/status of 400/.test(fault)));
    await own.close();
  });

  test('says that a list is loading until the one that is wanted is there, whatever changes meanwhile', async () => {
    const own = await visit(browser, site.server.url);
    const isBusy = 'document.querySelector("figure.table").getAttribute("aria-busy") === "true"';
    await own.open('#/positions');
    await settled(own.page);
    await until(own.page, 'document.querySelector("[role=status]").textContent === "live"');
    let held = 0;
    let release = (): void => {};
    const open = new Promise<void>((resolve) => {
      release = resolve;
    });
    await own.page.route('**/positions/search-profiles', async (route) => {
      held++;
      await open;
      // A request that came too late is gone.
      await route.continue().catch(() => {});
    });
    await own.page.locator('th button').locator('text="Volume"').click();
    await until(own.page, isBusy);
    const before = held;
    await goOn();
    for (let waited = 0; held === before && waited < 30_000; waited += 20) await own.page.waitForTimeout(20);
    assert.ok(held > before, 'the change made the page ask again');
    await own.page.waitForTimeout(50);
    assert.equal(await own.page.evaluate(isBusy), true);
    release();
    await until(own.page, `!(${isBusy})`);
    await own.close();
  });

  test('offers no heading and no sort that its server would refuse', async () => {
    const own = await visit(browser, site.server.url);
    // A server with a bound of five positions.
    await own.page.route('**/openapi.json', async (route) => {
      const document = (await (await route.fetch()).json()) as {
        'x-computed-fields': { positions: readonly object[] };
      };
      const positions = document['x-computed-fields'].positions.map((one) => ({ ...one, most: 5 }));
      const body = { ...document, 'x-computed-fields': { positions } };
      await route.fulfill({ status: 200, body: JSON.stringify(body) });
    });
    await own.open('#/positions');
    await settled(own.page);
    const offered = await own.page.locator('th button').allInnerTexts();
    assert.deepEqual(offered, ['Profit ▼', 'Return', 'Volume', 'Realised', 'State']);
    await own.page.locator('.choice button').locator('text="SOL"').click();
    await until(own.page, 'document.querySelector(".hint")?.innerText.startsWith("Sorted by profit in USD")');
    await settled(own.page);
    assert.match(await own.page.locator('h1 + p').innerText(), /positions · largest profit first/);
    // Of a token with few positions all are offered.
    const filter = encodeURIComponent(JSON.stringify({ wallet_address: site.wallet, token_address: site.token }));
    await own.open(`#/positions?filter=${filter}`);
    await until(own.page, '[...document.querySelectorAll("th button")].some((b) => b.innerText === "Worth")');
    await own.close();
  });

  test('fits a phone: no value of a list, a figure or a position is cut', async () => {
    const own = await visit(browser, site.server.url, { viewport: { width: 375, height: 740 } });
    const held = (await site.dex.positions.search({ filter: { wallet_address: site.wallet }, limit: 1 })).data[0]!;
    for (const view of [
      '#/',
      '#/tokens',
      '#/positions?unit=native',
      '#/live',
      `#/wallet/${site.wallet}`,
      `#/wallet/${site.wallet}?tab=metrics`,
      `#/wallet/${site.wallet}?tab=portfolio`,
      `#/token/${site.token}`,
      `#/position/${site.wallet}/${held.token_address}`,
    ]) {
      await own.open(view);
      await settled(own.page);
      const cut = await own.page.evaluate<string[]>(
        '[...document.querySelectorAll("main :is(figure.table td, .figure .big, .flow dd, .fields dd, .result-card .big)")].filter((e) => e.offsetParent !== null && !e.closest("details:not([open])") && (e.getBoundingClientRect().right > 376 || e.scrollWidth > e.clientWidth + 1)).map((e) => e.outerHTML.slice(0, 160))',
      );
      assert.deepEqual(cut, [], view);
    }
    await own.close();
  });
});

describe('a small store', () => {
  const sumOf = (texts: readonly string[]): number[] =>
    texts.map((text) => Number(text.replace('−', '-').replaceAll(/[^\d.-]/g, '')));

  test('shows its wallets at once and says that the first filter is relaxed', async () => {
    const site = await openStoreOf('duckdb', few);
    const visitor = await visit(browser, site.server.url);
    const { page } = visitor;
    await visitor.open('#/');
    await until(page, 'document.querySelectorAll("main tbody tr").length === 2');
    assert.equal(
      await page.locator('.hint').innerText(),
      'Fewer than ten wallets match Worth following: all of this store are shown.',
    );
    assert.equal(await page.locator('.condition').count(), 0);
    // A filter that somebody has chosen stays as it is.
    await visitor.open(`#/?filter=${encodeURIComponent('{"metrics.7d.trade_count":{"$gte":10}}')}`);
    await until(page, 'document.querySelector(".empty")?.innerText.includes("No wallets match")');
    await visitor.close();
    await site.close();
  });

  test('fills an empty board by itself once there is something', async () => {
    const site = await openStoreOf('sqlite', []);
    const visitor = await visit(browser, site.server.url);
    await visitor.open('#/');
    await until(visitor.page, 'document.querySelector(".empty")?.innerText.includes("This store has no wallets yet")');
    await site.dex.ingest(few);
    await site.dex.refresh();
    await until(visitor.page, 'document.querySelectorAll("main tbody tr").length === 2');
    await visitor.close();
    await site.close();
  });

  test('says beside what was bought, sold and realised what was sold without a known cost, so that they add up', async () => {
    const site = await openStoreOf('sqlite', few);
    const visitor = await visit(browser, site.server.url);
    const { page } = visitor;
    for (const [view, heading] of [
      [`#/position/${ANN}/${COIN}`, 'Whole history'],
      [`#/wallet/${ANN}`, 'Bought and sold, last 30 days'],
    ] as const) {
      await visitor.open(view);
      await until(page, 'document.querySelectorAll("[aria-label^=Bought] dd").length === 5');
      assert.equal(
        await page.evaluate(
          'document.querySelector("[aria-label^=Bought]").parentElement.querySelector("h2").innerText',
        ),
        heading,
      );
      // Bought 100; sold 1,000 = 100 of cost + 300 of profit + 600.
      assert.deepEqual(
        sumOf(await page.locator('[aria-label^=Bought] dd').allInnerTexts()),
        [100, 1000, 100, 300, 600],
      );
    }
    await visitor.open(`#/position/${ANN}/${COIN}`);
    await until(page, 'document.querySelectorAll(".fields dt").length > 5');
    const words = (await page.locator('[aria-label^=Bought] dt').allInnerTexts()).map((text) =>
      text.replace(/^[=+] /, ''),
    );
    words.push(...(await page.locator('.fields dt').allInnerTexts()));
    assert.deepEqual(
      words.filter((word, i) => words.indexOf(word) < i || /_|pnl|roi|usd/i.test(word)),
      [],
    );

    // Ben holds 50 that cost 120, at 4 each: worth 200, of which 80 is profit.
    await visitor.open(`#/wallet/${BEN}?tab=portfolio`);
    await until(page, 'document.querySelector("[aria-label=Portfolio] tbody tr")');
    const row = await page.locator('[aria-label=Portfolio] tbody tr').first().locator('td').allInnerTexts();
    assert.deepEqual(sumOf(row.slice(3)), [200, 120, 80, 0]);
    await visitor.close();
    await site.close();
  });

  test('links hashes to the site that its server names, and to none otherwise', async () => {
    const linked = await openStoreOf('sqlite', few, { transactions: 'https://scan.example/tx/{hash}' });
    const plain = await openStoreOf('sqlite', few);
    for (const site of [linked, plain]) {
      const visitor = await visit(browser, site.server.url);
      await visitor.open('#/live');
      await until(visitor.page, 'document.querySelector("main tbody tr code")');
      const links = await visitor.page.evaluate<string[]>(
        '[...document.querySelectorAll("main tbody td[data-title=Transaction] a")].map((a) => a.href)',
      );
      assert.deepEqual(
        links,
        site === plain ? [] : [...few].reverse().map(({ tx_hash }) => `https://scan.example/tx/${tx_hash}`),
      );
      await visitor.close();
      await site.close();
    }
  });

  test('has one way to write a time, in a list, a head and an explanation', async () => {
    const site = await openStoreOf('sqlite', few);
    const visitor = await visit(browser, site.server.url);
    const { page } = visitor;
    await visitor.open('#/live');
    await until(page, 'document.querySelectorAll("main tbody tr").length === 4');
    assert.equal(await page.locator('main tbody td').first().innerText(), '1 Jan 2025, 02:30:00');
    assert.match(await page.locator('main thead th').first().innerText(), /^Time, UTC$/);
    await visitor.open(`#/wallet/${ANN}`);
    await until(page, 'document.querySelector(".age")?.innerText.includes("data as of 1 Jan 2025, 02:30 UTC")');
    await visitor.open(`#/explain/wallets/${ANN}/pnl/7d`);
    await until(page, 'document.querySelector(".result .quiet")?.innerText === " as of 1 Jan 2025, 02:30:00 UTC"');
    await visitor.close();
    await site.close();
  });
});
