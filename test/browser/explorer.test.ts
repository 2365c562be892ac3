import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Browser, launch, type Page } from './browser.ts';
import { engines, HOSTILE, KEY, leave, openSite, type Site, settled, until, type Visitor, visit } from './site.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const DAY = 86_400;
/** The preset "Best this week". */
const WEEK = `#/?window=7d&sort=pnl&filter=${encodeURIComponent('{"metrics.7d.trade_count":{"$gte":10}}')}`;

/** The page's own words for numbers. */
interface Format {
  format(unit: string, value: unknown): string;
  brief(unit: string, value: unknown): string;
  gain(unit: string, value: unknown): string;
}
const { format, brief, gain } = (await import(
  join(import.meta.dirname, '../../packages/explorer/page/format.js')
)) as Format;

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
    after(() => leave(visitor, site));

    const cells = (row: number): Promise<string[]> =>
      page.locator('main tbody tr').nth(row).locator('td').allInnerTexts();
    const show = async (view: string): Promise<void> => {
      await visitor.open(view);
      await settled(page);
    };
    /** The request that the view shows, of an operation. */
    const requests = async (operation: string): Promise<string[]> =>
      page.evaluate(
        `[...document.querySelectorAll("details.request")].filter((d) => d.querySelector("summary code")?.textContent === ${JSON.stringify(operation)}).map((d) => d.querySelector("pre").textContent)`,
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
        filter: { 'lifetime.trade_count': { $gte: 10 }, 'lifetime.unmatched_share': { $lt: 5 } },
        sort: { field: 'holding.floor_pnl', direction: 'desc' },
        limit: 25,
      });
      assert.equal(await page.locator('main tbody tr').count(), data.length);
      assert.equal(await page.locator('main tbody tr a').first().getAttribute('title'), data[0]!.wallet_address);
      await page.locator('.choice button').locator('text=30d').click();
      await page.locator('th button').locator('text=Volume').click();
      await page.locator('details.columns summary').click();
      await page.locator('details.columns label[title="metadata.name"]').click();
      await until(page, 'document.querySelector("th[aria-sort]")?.textContent.startsWith("Volume")');
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
      await page.locator('figure button.csv').first().click();
      const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
      const changes = ['5m', '1h', '6h', '1d'].map((window) => `usd_price_change_${window}`);
      assert.equal(lines[0], ['token,name,price', ...changes, 'labels'].join());
      assert.equal(lines.length - 2, await page.locator('main tbody tr').count());
      assert.ok(lines[1]!.startsWith(`${site.token},"'=HYPERLINK(""https://evil.example"")`), lines[1]);
    });

    test('a number leads to its terms and trades, and the parts of a sum add up', async () => {
      await show(WEEK);
      const shown = await page.locator('main tbody tr a.number').first().getAttribute('title');
      await page.locator('main tbody tr a.number').first().click();
      await page.locator('p.result').waitFor();
      await settled(page);
      const { value, formula } = await site.dex.wallets.explain({ wallet: site.wallet, metric: 'pnl', window: '7d' });
      assert.ok(shown!.startsWith(`${value}. `), shown!);
      assert.equal(await page.locator('p.result b').innerText(), format('USD', value));
      assert.equal(await page.locator('p.result code').innerText(), formula);
      while ((await page.locator('p.more button').count()) > 0) {
        const before = await page.locator('figure').nth(1).locator('tbody tr').count();
        await page.locator('p.more button').click();
        await until(page, `document.querySelectorAll("figure")[1].querySelectorAll("tbody tr").length > ${before}`);
      }
      const download = page.waitForEvent('download');
      await page.locator('figure').nth(1).locator('button.csv').click();
      const [head, ...rows] = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
      const at = head!.split(',').indexOf('adds');
      const sum = rows.reduce((total, row) => total + Number(row.split(',')[at]), 0);
      assert.ok(Math.abs(sum - value!) < 1e-6 * Math.abs(value!), `${sum} for ${value}`);
    });

    test('a token shows candles with the marks of a wallet, and its hostile names are text', async () => {
      await show(`#/token/${site.token}`);
      assert.equal(await page.locator('h1 bdi').first().innerText(), HOSTILE.symbol);
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

    test('a wallet shows who it is, its labels clause by clause, its positions, and every metric under its word', async () => {
      await show(`#/wallet/${site.wallet}?tab=labels`);
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
      await show(`#/wallet/${site.wallet}?state=open`);
      const texts = await page.locator('p.more span').allInnerTexts();
      assert.ok(texts.includes(`${Math.min(10, open.count)} of ${open.count} positions`), texts.join('; '));
      await page.locator('[role=tab]').locator('text="All metrics"').click();
      await page.locator('[aria-label=Metrics] input').fill('sharpe');
      assert.equal(await page.locator('[aria-label=Metrics] tbody tr').count(), 1);
      const word = page.locator('[aria-label=Metrics] tbody td span').first();
      assert.equal(await word.innerText(), 'Sharpe ratio');
      assert.match((await word.getAttribute('title'))!, /^sharpe_ratio: /);
    });

    test('the figures of a wallet are those of the window, and beside each stands what it was in the window before', async () => {
      const { answer, instant } = await windowOf(7);
      const before = await site.dex.at(instant - 7 * DAY).wallets.get(answer);
      const [now, was] = [await site.dex.wallets.get(answer), before].map(
        ({ metrics }) => metrics!['7d'] as unknown as Record<string, number | null>,
      );
      await show(`#/wallet/${site.wallet}?window=7d`);
      await until(page, 'document.querySelectorAll(".figure .before .number").length === 6');
      const shown = await page.evaluate<[string, string, string][]>(
        '[...document.querySelectorAll(".figure")].map((card) => [card.getAttribute("aria-label"), card.querySelector(".big").textContent, card.querySelector(".before .number").textContent])',
      );
      const expected: readonly (readonly [string, string, string, boolean])[] = [
        ['Profit', 'pnl', 'USD', true],
        ['Return', 'roi', 'percent', true],
        ['Win rate', 'winrate', 'percent', false],
        ['Volume', 'volume', 'USD', false],
        ['Trades', 'trade_count', 'count', false],
        ['Tokens sold', 'position_count', 'count', false],
      ];
      const said = (value: unknown, unit: string, isResult: boolean): string =>
        isResult ? gain(unit, value) : brief(unit, value);
      assert.deepEqual(
        shown,
        expected.map(([title, name, unit, isResult]) => [
          title,
          said(now![name], unit, isResult),
          said(was![name], unit, isResult),
        ]),
      );
      await page.locator('[aria-label="Currency of the results"] button').nth(1).click();
      const native = `${gain('native', now!.pnl_native)} SOL`;
      await until(page, `document.querySelector(".figure .big").textContent === ${JSON.stringify(native)}`);
    });

    test('a wallet shows its profit day by day, its equity over the window or all time, and its best and worst tokens', async () => {
      const { answer, instant } = await windowOf(30);
      await show(`#/wallet/${site.wallet}?span=all`);
      await page.locator('.lines canvas').first().waitFor();
      const { points } = await site.dex.wallets.history({ wallet: site.wallet, interval: DAY });
      const label = await page.locator('.lines').getAttribute('aria-label');
      assert.ok(label!.startsWith(`${points.length} points until `), label!);
      await page.locator('[aria-label="What to draw"] button').locator('text="Drawdown"').click();
      await until(page, '/: drawdown [$−<]/.test(document.querySelector(".lines")?.getAttribute("aria-label"))');
      await page.locator('[aria-label="How far back"] button').first().click();
      await until(page, '/^30 points/.test(document.querySelector(".lines")?.getAttribute("aria-label"))');
      await until(page, 'document.querySelectorAll(".calendar li:not(.empty)").length > 0');
      assert.equal(await page.locator('.calendar li').count(), 35);
      const day = await site.dex.at(instant).wallets.get({ ...answer, options: { include_metrics: ['1d'] } });
      const { pnl, trade_count } = day.metrics!['1d']!;
      const last = (await page.locator('.calendar li').nth(34).innerText()).trim();
      assert.ok(last.endsWith(`: ${gain('USD', pnl)} in ${trade_count} trades`), last);
      const best = async (direction: 'asc' | 'desc') => {
        const sort = { field: 'metrics.30d.pnl', direction } as const;
        const quotes = site.dex.config.quote_tokens.map(({ address }) => address);
        const filter = { wallet_address: site.wallet, token_address: { $nin: quotes } };
        const { data } = await site.dex.positions.search({ filter, sort, limit: 1 });
        return `#/position/${site.wallet}/${data[0]!.token_address}`;
      };
      const cards = await page.evaluate<string[]>(
        '[...document.querySelectorAll(".result-card")].map((a) => a.getAttribute("href"))',
      );
      assert.deepEqual([cards[0], cards.at(-1)], [await best('desc'), await best('asc')]);
    });

    /** The request of the wallet's profile of a window, and the instant at which the window ends. */
    async function windowOf(days: 7 | 30) {
      const window = `${days}d` as const;
      const answer = { wallet: site.wallet, options: { include_metrics: [window] } } as const;
      const { as_of } = await site.dex.wallets.explain({ wallet: site.wallet, metric: 'pnl', window });
      return { answer, instant: Date.parse(as_of) / 1000 };
    }

    test('the tabs of a view go by the arrow keys, and the chosen one is in the address', async () => {
      await show(`#/wallet/${site.wallet}`);
      await page.locator('[role=tab]').first().press('ArrowRight');
      await until(page, 'location.hash.includes("tab=trades")');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Trades');
      assert.equal(await page.locator('[role=tab][aria-selected=true]').innerText(), 'Trades');
      await page.locator('[role=tab]').nth(1).press('ArrowLeft');
      await until(page, 'document.querySelector("[aria-selected=true]").textContent === "Positions"');
    });

    test('the filter of a leaderboard is chips with words: taken away, added, written as JSON, or a preset', async () => {
      await show(WEEK);
      assert.equal(await page.locator('.presets [aria-current=true]').innerText(), 'Best this week');
      assert.deepEqual(await page.locator('.condition bdi').allInnerTexts(), ['Trades at least 10']);
      await page.locator('.condition .chip-x').click();
      const all = (await site.dex.wallets.search({ limit: 1 })).count;
      await until(
        page,
        `document.querySelector("p.more span").textContent.endsWith(" of ${all.toLocaleString('en-US')} wallets")`,
      );
      assert.equal(await page.locator('.condition').count(), 0);
      await page.locator('.chip.add').click();
      await page.locator('[aria-label="Value of condition 1"]').fill('100');
      await until(page, 'document.querySelector(".condition bdi")?.textContent === "Profit above $100.00"');
      await page.locator('text="Edit as JSON"').click();
      await page.locator('.filters textarea').fill('{"$not": {"labels": "swing"}}');
      await page.locator('.filters textarea').press('Tab');
      await until(page, 'document.querySelector(".filters .chip").textContent.startsWith("A filter of its own")');
      await settled(page);
      const [text] = await requests('wallets.search');
      assert.deepEqual(JSON.parse(text!).filter, { $not: { labels: 'swing' } });
      await page.locator('.presets a').locator('text="Whales"').click();
      await until(page, 'document.querySelector(".condition bdi")?.textContent === "Label whale"');
      assert.equal(await page.locator('.presets [aria-current=true]').innerText(), 'Whales');
    });

    test('rows of a leaderboard have their profit over the window as a line', async () => {
      await show(WEEK);
      await until(page, 'document.querySelectorAll("td .spark polyline").length >= 5');
      const points = await page.locator('td .spark polyline').first().getAttribute('points');
      assert.equal(points!.split(' ').length, 28);
    });

    test('two wallets stand side by side, with the better of each figure marked', async () => {
      const { data } = await site.dex.wallets.search({
        filter: { 'metrics.30d.trade_count': { $gte: 10 } },
        sort: { field: 'metrics.30d.pnl', direction: 'asc' },
        options: { include_metrics: ['30d'] },
        limit: 1,
      });
      await show(`#/wallet/${site.wallet}`);
      await page.locator('a.chip').locator('text="Compare"').click();
      await page.locator('input[name=second]').fill(data[0]!.wallet_address);
      await page.locator('form button').locator('text="Compare"').click();
      await page.locator('table.compare').waitFor();
      const own = await site.dex.wallets.get({ wallet: site.wallet });
      assert.deepEqual(await page.locator('.compare tbody tr').first().locator('.big').allInnerTexts(), [
        gain('USD', own.metrics!['30d']!.pnl),
        gain('USD', data[0]!.metrics!['30d']!.pnl),
      ]);
      assert.equal(await page.locator('.compare tbody tr').first().locator('td.better').count(), 1);
      await page.locator('.lines canvas').first().waitFor();
    });

    test('a watchlist stays in the browser, and says what the watched wallet does as it happens', async () => {
      await show(`#/wallet/${site.wallet}`);
      await page.locator('button.chip').locator('text="Watch"').click();
      await until(page, 'document.querySelector("header nav").textContent.includes("Watchlist 1")');
      await page.reload();
      await page.locator('header nav a').locator('text="Watchlist 1"').click();
      await settled(page);
      assert.equal(await page.locator('main tbody tr a').first().getAttribute('title'), site.wallet);
      await until(page, 'document.querySelector("[role=status]").textContent === "live"');
      const { data } = await site.dex.swaps.list({ wallet: site.wallet, limit: 1 });
      const swap = { ...data[0]!, tx_hash: `${data[0]!.tx_hash.slice(0, -4)}4444` };
      assert.equal((await site.dex.ingest([swap])).added, 1);
      await until(page, 'document.querySelector(".alerts p")');
      const text = await page.locator('.alerts p').first().innerText();
      assert.ok(text.startsWith(HOSTILE.wallet) && /(bought|sold)/.test(text), text);
      const told = await page.locator('.happened li').count();
      assert.equal(told, await page.locator('.alerts p').count());
      // Another swap of the same transaction makes the trade a larger one, in place of what was told of it.
      const before = JSON.stringify(await page.locator('.happened').innerText());
      assert.equal((await site.dex.ingest([{ ...swap, swap_index: swap.swap_index + 1 }])).added, 1);
      await until(page, `document.querySelector(".happened").innerText !== ${before}`);
      assert.equal(await page.locator('.happened li').count(), told);
      await page.locator('main tbody button.small').click();
      await until(page, 'document.querySelector("main").textContent.includes("You watch nothing yet")');
      assert.equal(await page.evaluate('localStorage.getItem("swapfold-watchlist")'), '[]');
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
      const time = format('time', swap.block_time);
      await until(page, `document.querySelector("[aria-label=Trades] tbody td").innerText === "${time}"`);
      await until(page, `document.querySelector(".chart").getAttribute("aria-label").includes("${time.slice(0, -3)}")`);
      await page.locator('[role=tab]').locator('text="All metrics"').click();
      const metrics = '[aria-label=Metrics] tbody';
      const before = await page.locator(metrics).first().innerText();
      await site.dex.refresh();
      await until(page, `document.querySelector("${metrics}").innerText !== ${JSON.stringify(before)}`);
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
      assert.equal(await page.locator('main tbody tr a.entity').first().innerText(), `${HOSTILE.symbol.slice(0, 23)}…`);
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
