import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Browser, launch, type Page } from './browser.ts';
import { engines, HOSTILE, KEY, openSite, type Site, settled, until, type Visitor, visit } from './site.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const axe = createRequire(join(import.meta.dirname, 'package.json'));

for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
  describe(engine, () => {
    let site: Site;
    let visitor: Visitor;
    let page: Page;
    before(async () => {
      site = await openSite(engine);
      visitor = await visit(browser, site.server.url);
      page = visitor.page;
    });
    after(async () => {
      try {
        await visitor.close();
      } finally {
        await site.close();
      }
    });

    const cells = (row: number): Promise<string[]> =>
      page.locator('main tbody tr').nth(row).locator('td').allInnerTexts();
    const show = async (view: string): Promise<void> => {
      await visitor.open(view);
      await settled(page);
    };
    /** The request that the view shows, of an operation. */
    const requests = async (operation: string): Promise<string[]> =>
      page.evaluate(
        `[...document.querySelectorAll("details.request")].filter((d) => d.querySelector("summary code").textContent === ${JSON.stringify(operation)}).map((d) => d.querySelector("pre").textContent)`,
      );

    test('the key is asked for once, refused if it is wrong, and stays in the session', async () => {
      await page.goto(`${site.server.url}/`);
      await page.locator('input[type=password]').fill('a-wrong-key');
      await page.locator('main button').click();
      await page.locator('[role=alert]').waitFor();
      // The browser reports the 401 itself.
      assert.equal(visitor.faults.length, 1);
      assert.match(visitor.faults.pop()!, /401/);
      await page.locator('input[type=password]').fill(KEY);
      await page.locator('main button').click();
      await page.locator('main tbody tr').first().waitFor();
      await page.reload();
      await page.locator('main tbody tr').first().waitFor();
      assert.ok(!page.url().includes(KEY));
      assert.deepEqual(
        await page.evaluate('[Object.values(sessionStorage), JSON.stringify(localStorage).includes("key-of")]'),
        [[KEY], false],
      );
    });

    test('the overview ranks wallets, and window, sort, columns and filters are one address', async () => {
      await show('#/');
      const { data } = await site.dex.wallets.search({
        filter: { 'metrics.7d.trade_count': { $gte: 10 } },
        sort: { field: 'metrics.7d.pnl', direction: 'desc' },
        limit: 25,
      });
      assert.equal(await page.locator('main tbody tr').count(), data.length);
      assert.equal(await page.locator('main tbody tr a').first().getAttribute('title'), data[0]!.wallet_address);
      await page.locator('.choice button').locator('text=30d').click();
      await page.locator('th button').locator('text=volume').click();
      await page.locator('details.columns summary').click();
      await page.locator('details.columns label').locator('text="metadata.name"').click();
      await until(page, 'document.querySelector("th[aria-sort]")?.textContent.startsWith("volume")');
      await settled(page);
      const [first] = await cells(0);
      const address = page.url();
      await show('#/tokens');
      await page.goto(address);
      await settled(page);
      assert.equal((await cells(0))[0], first);
      const expected = await site.dex.wallets.search(JSON.parse((await requests('wallets.search'))[0]!));
      const ids = await page.evaluate(
        '[...document.querySelectorAll("main tbody tr")].map((tr) => tr.querySelector("a").title)',
      );
      assert.deepEqual(
        ids,
        expected.data.map((profile) => profile.wallet_address),
      );
    });

    test('a table is the same as CSV, where a formula is text', async () => {
      await show('#/tokens?columns=metadata.name,market.price&sort=makers_count&window=1d');
      const download = page.waitForEvent('download');
      await page.locator('figure button.small').first().click();
      const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
      assert.equal(lines[0], 'token,name,price,labels');
      assert.equal(lines.length - 2, await page.locator('main tbody tr').count());
      assert.ok(lines[1]!.startsWith(`${site.token},"'=HYPERLINK(""https://evil.example"")`), lines[1]);
    });

    test('a number leads to its terms and trades, and the parts of a sum add up', async () => {
      await show('#/');
      const shown = (await cells(0))[1];
      await page.locator('main tbody tr a.number').first().click();
      await page.locator('p.result').waitFor();
      await settled(page);
      assert.ok((await page.locator('p.result b').innerText()) === shown);
      const { value, formula } = await site.dex.wallets.explain({ wallet: site.wallet, metric: 'pnl', window: '7d' });
      assert.equal(await page.locator('p.result code').innerText(), formula);
      while ((await page.locator('p.more button').count()) > 0) {
        const before = await page.locator('figure').nth(1).locator('tbody tr').count();
        await page.locator('p.more button').click();
        await until(page, `document.querySelectorAll("figure")[1].querySelectorAll("tbody tr").length > ${before}`);
      }
      const download = page.waitForEvent('download');
      await page.locator('figure').nth(1).locator('button.small').click();
      const [head, ...rows] = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
      const at = head!.split(',').indexOf('adds');
      const sum = rows.reduce((total, row) => total + Number(row.split(',')[at]), 0);
      assert.ok(Math.abs(sum - value!) < 1e-6 * Math.abs(value!), `${sum} for ${value}`);
    });

    test('a token shows candles with the marks of a wallet, and its hostile names are text', async () => {
      await show(`#/token/${site.token}`);
      assert.equal(await page.evaluate('document.querySelector("h1").firstChild.data.trim()'), HOSTILE.symbol);
      assert.ok((await page.locator('h1 small').innerText()).startsWith('=HYPERLINK'));
      assert.equal(await page.locator('main img').count(), 0);
      await page.locator('.chart canvas').first().waitFor();
      for (const interval of ['5m', '1d']) {
        await page.locator('[aria-label="Interval of the candles"] button').locator(`text="${interval}"`).click();
        await settled(page);
      }
      const { data } = await site.dex.trades.list({ token: site.token, limit: 1 });
      await page.locator('input[name=wallet]').fill(data[0]!.wallet);
      await page.locator('form.controls button').click();
      await until(page, 'location.hash.includes("wallet=")');
      await settled(page);
      assert.deepEqual(
        (await requests('trades.list')).map((text) => JSON.parse(text)),
        [
          { wallet: data[0]!.wallet, token: site.token, limit: 100 },
          { token: site.token, limit: 25 },
        ],
      );
    });

    test('a wallet shows who it is, its labels clause by clause, its distribution and its positions', async () => {
      await show(`#/wallet/${site.wallet}`);
      assert.equal(await page.locator('h1').innerText(), HOSTILE.wallet);
      const profile = await site.dex.wallets.get({ wallet: site.wallet });
      assert.equal(await page.locator('details.rule').count(), Object.values(profile.matched_labels!).flat().length);
      if ((await page.locator('details.rule').count()) > 0) {
        await page.locator('details.rule summary').first().click();
        assert.equal(await page.locator('.clauses .held').first().innerText(), 'holds');
      }
      const open = await site.dex.positions.search({
        filter: { wallet_address: site.wallet, 'metadata.state': 'open' },
      });
      const texts = await page.locator('p.more span').allInnerTexts();
      assert.ok(texts.includes(`${Math.min(10, open.count)} of ${open.count} positions`), texts.join('; '));
      await page.locator('.lines canvas').first().waitFor();
      const { points } = await site.dex.wallets.history({ wallet: site.wallet, interval: 86_400 });
      const label = await page.locator('.lines').getAttribute('aria-label');
      assert.ok(label!.startsWith(`${points.length} points until `), label!);
      await page.locator('[aria-label="What to draw"] button').locator('text="drawdown"').click();
      await until(page, '/: drawdown [$−<]/.test(document.querySelector(".lines")?.getAttribute("aria-label"))');
      await page.locator('[aria-label=Metrics] input').fill('sharpe');
      assert.equal(await page.locator('[aria-label=Metrics] tbody tr').count(), 1);
    });

    test('a view follows the store: a new swap is in the trades and the last candle, and a refresh in the metrics', async () => {
      await show(`#/token/${site.token}?interval=60`);
      await until(page, 'document.querySelector("[role=status]").textContent === "live"');
      const { data } = await site.dex.swaps.list({ token: site.token, limit: 1 });
      const swap = {
        ...data[0]!,
        tx_hash: `${data[0]!.tx_hash.slice(0, -4)}${engine === 'sqlite' ? '1111' : '2222'}`,
        block_time: data[0]!.block_time + 61,
        block_slot: data[0]!.block_slot === null ? null : data[0]!.block_slot + 100,
      };
      const { added, rejected } = await site.dex.ingest([swap]);
      assert.deepEqual([added, rejected], [1, 0]);
      const time = new Date(swap.block_time * 1000).toISOString().slice(0, 19).replace('T', ' ');
      await until(page, `document.querySelector("[aria-label=Trades] tbody td").innerText === "${time}Z"`);
      await until(page, `document.querySelector(".chart").getAttribute("aria-label").includes("${time.slice(0, 16)}")`);
      const before = await page.locator('[aria-label=Metrics] tbody').innerText();
      await site.dex.refresh();
      await until(page, `document.querySelector("[aria-label=Metrics] tbody").innerText !== ${JSON.stringify(before)}`);
    });

    test('the console of a browser receives prices by a WebSocket, as docs/guides/live.md says, and by events', async () => {
      await show('#/');
      const { origin, host } = new URL(site.server.url);
      const guide = await readFile(join(import.meta.dirname, '../../docs/guides/live.md'), 'utf8');
      const [, code] = /```js\n(.*?)```/s.exec(guide)!;
      const given = {
        'localhost:8080': host,
        'change-me-please': KEY,
        'console.log': 'sent.push',
        'const live': 'let live',
      };
      const entered = Object.entries(given).reduce((text, [from, to]) => text.replace(from, to), code!);
      const stream = `fetch('${origin}/v1/solana/dex/stream', {
        method: 'POST',
        headers: { 'X-Api-Key': '${KEY}', 'Content-Type': 'application/json' },
        body: '{"topics": [{"topic": "prices"}]}',
      }).then(async ({ body }) => {
        for await (const text of body.pipeThrough(new TextDecoderStream())) events += text;
      });`;
      await page.evaluate(`globalThis.sent = []; globalThis.events = ''; { ${entered} ${stream} } undefined`);
      await until(page, 'sent.length === 2 && events.startsWith("id: ")');
      const [last] = (await site.dex.swaps.list({ limit: 1 })).data;
      await site.dex.ingest([{ ...last!, tx_hash: `${last!.tx_hash.slice(0, -4)}3333` }]);
      await until(page, 'sent.length === 3 && events.includes("data: ")');
      const { tokens, text } = await page.evaluate<{ tokens: string[]; text: string }>(
        '({ tokens: sent[2].data.map(({ token }) => token), text: events })',
      );
      assert.deepEqual(new Set(tokens), new Set([last!.token_in, last!.token_out]));
      for (const token of tokens) assert.ok(text.includes(token), text);
    });

    test('a position shows what is held, when it was traded, and every metric', async () => {
      const { data } = await site.dex.positions.search({ filter: { wallet_address: site.wallet }, limit: 1 });
      await show(`#/position/${site.wallet}/${data[0]!.token_address}`);
      await page.locator('.chart canvas').first().waitFor();
      assert.ok((await page.locator('[aria-label=Metrics] tbody tr').count()) > 45);
    });

    test('a search finds as one types, and its builder shows the JSON and a curl line that works', async () => {
      await show('#/');
      await page.keyboard.press('/');
      await page.locator('#find').fill('img src');
      await page.keyboard.press('Enter');
      await until(page, 'document.querySelector("#text")');
      await settled(page);
      assert.equal((await cells(0))[0], `${HOSTILE.symbol.slice(0, 23)}…`);
      await show('#/search/wallets');
      await page.locator('text="Add a condition"').click();
      await page.locator('[aria-label="Value of condition 1"]').fill('100');
      await until(page, 'location.hash.includes("100")');
      await settled(page);
      const [text] = await requests('wallets.search');
      assert.deepEqual(JSON.parse(text!).filter, { 'metrics.7d.pnl': { $gt: 100 } });
      const { count } = await site.dex.wallets.search(JSON.parse(text!));
      const shown = `${Math.min(25, count)} of ${count} wallets`;
      await until(page, `document.querySelector("p.more span").innerText === ${JSON.stringify(shown)}`);
      const line = await page.locator('pre[aria-label=curl]').innerText();
      const env = { ...process.env, SWAPFOLD_KEY: KEY };
      const { stdout: answer } = await promisify(execFile)('sh', ['-c', line], { env });
      assert.equal(JSON.parse(answer).count, count);
    });

    test('the reference lists every route, and the example of each can be sent', async () => {
      await show('#/docs/prices.candles');
      assert.equal(await page.locator('[aria-label=Routes] a').count(), await routeCount(site));
      await page.locator('textarea').fill(JSON.stringify({ token: site.token, interval: 3600, count: 2 }));
      await page.locator('text="Send"').click();
      const answer = JSON.parse(await page.locator('pre.answer').innerText());
      assert.deepEqual(answer, await site.dex.prices.candles({ token: site.token, interval: 3600, count: 2 }));
    });
  });
}

async function routeCount({ server }: Site): Promise<number> {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, { post?: unknown }>;
  };
  return Object.values(paths).filter(({ post }) => post !== undefined).length;
}

describe('every view', () => {
  let site: Site;
  let held: string;
  before(async () => {
    site = await openSite('sqlite');
    const filter = { wallet_address: site.wallet };
    held = (await site.dex.positions.search({ filter, limit: 1 })).data[0]!.token_address;
  });
  after(() => site.close());

  const views = (): string[] => [
    '#/',
    '#/tokens',
    '#/positions',
    `#/token/${site.token}?wallet=${site.wallet}`,
    `#/wallet/${site.wallet}`,
    `#/position/${site.wallet}/${held}`,
    `#/explain/wallets/${site.wallet}/sharpe_ratio/30d`,
    '#/search/tokens?text=a&filter={"market.price":{"$gt":0}}',
    '#/docs/wallets.search',
  ];

  /** What does not depend on colours is looked for once. */
  const rules = { light: '{}', dark: '{ runOnly: ["color-contrast"] }' };
  /** Rows of a table are alike, and each costs axe as much as a form. */
  const scope = '{ exclude: [["tbody tr:nth-child(n+7)"]] }';
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has no serious fault of accessibility in ${colorScheme} colours`, async () => {
      const source = await readFile(axe.resolve('axe-core/axe.min.js'), 'utf8');
      const visitor = await visit(browser, site.server.url, { colorScheme, bypassCSP: true });
      await visitor.open('#/');
      await visitor.page.addScriptTag({ content: source });
      for (const view of views()) {
        await visitor.open(view);
        await settled(visitor.page);
        const found = await visitor.page.evaluate<string[]>(
          `axe.run(${scope}, ${rules[colorScheme]}).then(({ violations }) => violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) => id + ": " + nodes[0].html))`,
        );
        assert.deepEqual(found, [], view);
      }
      await visitor.close();
    });
  }

  test('fits a phone: nothing but tables and charts is wider than the screen', async () => {
    const visitor = await visit(browser, site.server.url, { viewport: { width: 375, height: 740 } });
    for (const view of views()) {
      await visitor.open(view);
      await settled(visitor.page);
      const wide = await visitor.page.evaluate<string[]>(
        'document.documentElement.scrollWidth <= 375 ? [] : ["the document", ...document.querySelectorAll("body *")].filter((e) => !e.closest(".scroll, .chart") && e.getBoundingClientRect().right > 375).map((e) => e.outerHTML.slice(0, 120))',
      );
      assert.deepEqual(wide, [], view);
    }
    await visitor.close();
  });

  test('times follow the choice of UTC or local time, and colours the choice of dark', async () => {
    const visitor = await visit(browser, site.server.url, { timezoneId: 'Asia/Tokyo' });
    const { page } = visitor;
    await visitor.open(`#/trades`);
    await visitor.open(`#/wallet/${site.wallet}`);
    await settled(page);
    const last = '[aria-label=Trades] tbody td';
    const utc = await page.locator(last).first().innerText();
    await page.locator('details.settings summary').click();
    await page.locator('.settings select').first().selectOption('local');
    const local = await page.locator(last).first().innerText();
    assert.equal(Date.parse(`${local.replace(' ', 'T')}Z`) - Date.parse(utc.replace(' ', 'T')), 9 * 3600 * 1000);
    await page.locator('.settings select').nth(1).selectOption('dark');
    assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(17, 23, 29)');
    await visitor.close();
  });
});
