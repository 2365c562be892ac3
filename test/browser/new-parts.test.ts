import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Browser, launch, type Page } from './browser.ts';
import { leave, openLaunch, openSite, settled, until, type Visitor, visit } from './site.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const axe = createRequire(join(import.meta.dirname, 'package.json'));

/** The page's own words for numbers. */
interface Format {
  brief(unit: string, value: unknown): string;
  gain(unit: string, value: unknown): string;
}
const { brief, gain } = (await import(join(import.meta.dirname, '../../packages/explorer/page/format.js'))) as Format;

const widths = [390, 820, 1440] as const;
const colours = ['light', 'dark'] as const;
const ofRecord = { include_lifetime: true, include_holding: true };

/** Text that goes on behind an edge which does not scroll, and whatever makes the page scroll sideways. */
const CUT = `(() => {
  const width = document.documentElement.clientWidth;
  const isShown = (e) => e.offsetParent !== null && !e.closest("details:not([open]), .unseen");
  const found = [];
  if (document.documentElement.scrollWidth > width) found.push("the page scrolls sideways");
  for (const e of document.querySelectorAll("main *")) {
    if (!isShown(e) || e.closest(".chart, .lines, svg")) continue;
    const scrolls = e.closest(".scroll, .tabs");
    const isText = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!isText) continue;
    if (scrolls === null && e.getBoundingClientRect().right > width + 1) found.push(e.outerHTML.slice(0, 120));
    const { overflowX } = getComputedStyle(e);
    if (overflowX !== "visible" && overflowX !== "auto" && e.scrollWidth > e.clientWidth + 1) found.push(e.outerHTML.slice(0, 120));
  }
  return found;
})()`;

/** A field's name in the API, where words belong. The names of operations below each part are of that kind on purpose. */
const RAW = `[...document.querySelectorAll("main :is(h1, h2, dt, dd, th, td, p, button, .chip)")]
  .filter((e) => e.offsetParent !== null && !e.closest("details, .address") && !e.querySelector("code"))
  .map((e) => e.cloneNode(true))
  .map((e) => (e.querySelectorAll(".unseen").forEach((one) => one.remove()), e.textContent))
  .filter((text) => /[a-z]_[a-z]|undefined|NaN|\\[object/.test(text))`;

/** Looks at a view in three widths and both colours. */
async function look(visitor: Visitor, view: string, isThere: string): Promise<void> {
  const { page } = visitor;
  const source = await readFile(axe.resolve('axe-core/axe.min.js'), 'utf8');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await visitor.open(view);
    await page.reload();
    await until(page, isThere);
    await settled(page);
    assert.deepEqual(await page.evaluate<string[]>(CUT), [], `cut in ${view} at ${width}`);
    assert.deepEqual(await page.evaluate<string[]>(RAW), [], `raw names in ${view} at ${width}`);
    await page.addScriptTag({ content: source });
    for (const colorScheme of colours) {
      await page.emulateMedia({ colorScheme });
      const pale = await page.evaluate<string[]>(
        'axe.run({ exclude: [["tbody tr:nth-child(n+9)"]] }, { runOnly: ["color-contrast"] }).then(({ violations }) => violations.map(({ nodes }) => nodes[0].html))',
      );
      assert.deepEqual(pale, [], `contrast of ${view} at ${width} in ${colorScheme}`);
    }
  }
}

const look6 = { reducedMotion: 'reduce', bypassCSP: true } as const;

describe("a wallet's record and its copy", () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  let visitor: Visitor;
  let page: Page;
  before(async () => {
    site = await openSite('sqlite', 8000, { symbol: 'LARK', name: 'Meadowlark', wallet: 'early bird' });
    visitor = await visit(browser, site.server.url, look6);
    page = visitor.page;
  });
  after(() => leave(visitor, site));

  test('one sentence says what the record rests on, and figures what it comes to', async () => {
    await look(visitor, `#/wallet/${site.wallet}`, 'document.querySelector("[aria-label=Record] dd")');
    const { lifetime, holding } = await site.dex.wallets.get({ wallet: site.wallet, options: ofRecord });
    const sentence = await page.locator('[aria-label=Record] p').innerText();
    assert.ok(
      sentence.startsWith(
        `Rests on ${lifetime!.trade_count} trades of ${lifetime!.token_count} tokens on ${lifetime!.days_active} days since `,
      ),
      sentence,
    );
    assert.equal(sentence.match(/\.(?=\s|$)/g)?.length, 1, sentence);
    for (const part of [
      `${brief('percent', lifetime!.unmatched_share)} of its sales had no known cost`,
      `${brief('percent', lifetime!.best_token_share)} of its gains came from one token`,
    ])
      assert.ok(sentence.includes(part), sentence);
    assert.deepEqual(await page.locator('[aria-label=Record] dt').allInnerTexts(), [
      'Profit less open losses',
      'Realised in all',
      'Unrealised',
      'Tokens won of all',
    ]);
    assert.deepEqual(
      await page.locator('[aria-label=Record] dd a').allInnerTexts(),
      [holding!.floor_pnl, lifetime!.realized_pnl, holding!.unrealized_pnl].map((value) => gain('USD', value)),
    );
  });

  test('a figure of the record leads to its terms, token by token', async () => {
    await page.locator('[aria-label=Record] dd a').first().click();
    await until(page, 'location.hash.endsWith("/holding.floor_pnl/all")');
    await until(page, 'document.querySelector("p.result b")');
    await settled(page);
    const metric = 'holding.floor_pnl';
    const { value, parts } = await site.dex.wallets.explain({ wallet: site.wallet, metric, limit: 25 });
    const text = await page.locator('p.result b').innerText();
    assert.ok(Math.abs(Number(text.replace('−', '-').replaceAll(/[$,]/g, '')) - value!) < 0.01, text);
    assert.equal(await page.locator('[aria-label="Token by token"] tbody tr').count(), parts!.length);
    const sum = parts!.reduce((total, { part }) => total + part!, 0);
    assert.ok(Math.abs(sum - value!) < 1e-6 * Math.abs(value!), `${sum} for ${value}`);
  });

  test('its tab has every field of the record under a word of its own, shares in percent', async () => {
    await look(
      visitor,
      `#/wallet/${site.wallet}?tab=record`,
      'document.querySelectorAll("[role=tabpanel] .fields dt").length > 20',
    );
    const { lifetime, holding } = await site.dex.wallets.get({ wallet: site.wallet, options: ofRecord });
    const known = Object.values({ ...lifetime!, ...holding! }).filter((value) => value !== null);
    const words = await page.locator('[role=tabpanel] .fields dt').allInnerTexts();
    assert.equal(words.length, known.length);
    assert.equal(new Set(words).size, words.length, words.join());
    const shares = await page.evaluate<string[]>(
      '[...document.querySelectorAll("[role=tabpanel] .fields div")].filter((div) => /_(share|roi|winrate): /.test(div.querySelector("dt").title)).map((div) => div.querySelector("dd").innerText)',
    );
    assert.ok(shares.length >= 7, `${shares}`);
    for (const share of shares) assert.match(share, / %$/);
    // A phone shows which tab is chosen.
    await page.setViewportSize({ width: 390, height: 900 });
    await page.reload();
    await until(page, 'document.querySelector("[aria-selected=true]")?.getBoundingClientRect().right <= 390');
  });

  test('the copy draws what a follower makes at 0, 1, 5 and 30 seconds, with fees of one’s choice', async () => {
    await look(visitor, `#/wallet/${site.wallet}?tab=copy`, 'document.querySelectorAll(".copy tbody tr").length === 6');
    const shown = (): Promise<string[]> =>
      page.evaluate(
        '[...document.querySelectorAll(".copy tbody tr")].map((tr) => [tr.querySelector("th"), ...tr.querySelectorAll(".number")].map((e) => e.innerText).join())',
      );
    const expected = async (percent: number): Promise<string[]> => {
      const request = { wallet: site.wallet, size: 100, fee: { percent }, delays: [0, 1, 5, 30] };
      const { leader, leader_actual: actual, decay } = await site.dex.wallets.simulate(request);
      const rows = [
        ['The wallet', actual],
        ...decay.map((one) => [`${one.delay} s later`, one] as const),
        ['At its prices', leader],
      ] as const;
      return rows.map(([title, { roi, realized_pnl, unrealized_pnl }]) =>
        [title, gain('percent', roi), gain('USD', realized_pnl + unrealized_pnl)].join(),
      );
    };
    assert.deepEqual(await shown(), await expected(1));
    assert.equal(await page.locator('.copy .bar i').count(), 6);
    await page.locator('[aria-label="Fee of each trade"] button').locator('text="2 % fee"').click();
    await until(page, 'location.hash.includes("fee=2")');
    await settled(page);
    const dear = await expected(2);
    await until(page, `document.querySelectorAll(".copy tbody tr")[1].innerText.includes("${dear[1]!.split(',')[1]}")`);
    assert.deepEqual(await shown(), dear);
    await page.locator('[aria-label="Which trades are followed"] button').locator('text="7d"').click();
    await until(page, 'location.hash.includes("days=7")');
    await settled(page);
    assert.equal(await page.locator('.failure').count(), 0);
  });

  test('charts take the colours of the system when these change', async () => {
    await visitor.open(`#/token/${site.token}`);
    await until(page, 'document.querySelector(".chart canvas")');
    // A canvas of the test's own may be read as often as one likes.
    await page.evaluate(
      'globalThis.copied = document.createElement("canvas").getContext("2d", { willReadFrequently: true }); undefined',
    );
    const paper =
      '(() => { copied.drawImage(document.querySelector(".chart canvas"), 0, 0); return [...copied.getImageData(2, 2, 1, 1).data].slice(0, 3).join(); })()';
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(page, `${paper} === "19,25,34"`);
    await page.emulateMedia({ colorScheme: 'light' });
    await until(page, `${paper} === "255,255,255"`);
  });
});

describe("a token's launch", () => {
  let site: Awaited<ReturnType<typeof openLaunch>>;
  let visitor: Visitor;
  let page: Page;
  before(async () => {
    site = await openLaunch();
    visitor = await visit(browser, site.server.url, look6);
    page = visitor.page;
  });
  after(() => leave(visitor, site));

  test('says who bought first, what they were and hold, and who got tokens without a buy', async () => {
    await look(
      visitor,
      `#/token/${site.token}?tab=launch`,
      'document.querySelector("[aria-label=\'Who was there\'] tbody tr") && document.querySelector("[aria-label=Insiders] tbody tr")',
    );
    const text = await page.locator('[aria-label=Launch] p').first().innerText();
    assert.equal(text, 'Launched 14 Nov 2023, 22:13:20 UTC. One group of wallets bought together.');
    // 50,000 of 1,000,000 for the creator; four times 20,000, and 5,000 each of two more snipers.
    assert.deepEqual(
      await page.evaluate(
        '[...document.querySelectorAll("[aria-label=\'Who was there\'] tbody tr")].map((tr) => [...tr.children].slice(0, 4).map((td) => td.innerText.trim()).join())',
      ),
      ['Creator (dev),,5.0 %,5.0 %', 'Snipers,6,9.0 %,7.8 %', 'Bundlers,4,8.0 %,7.0 %', 'Insiders,1,0.0 %,0.6 %'],
    );
    const buyers = await page.evaluate<string[]>(
      '[...document.querySelectorAll("[aria-label=\'First buyers\'] tbody tr")].slice(0, 8).map((tr) => [tr.querySelector(".rank").innerText, tr.children[1].innerText, tr.lastElementChild.innerText.trim().replace(/\\s+/g, "+")].join())',
    );
    assert.deepEqual(buyers, [
      '1,0 s,dev',
      ...[2, 3, 4, 5].map((rank) => `${rank},0 s,sniper+bundler`),
      '6,0 s,sniper',
      '7,2 s,sniper',
      '8,20 s,',
    ]);
    assert.match((await page.locator('[aria-label=Insiders] .chip').first().getAttribute('title'))!, /^Got tokens of/);
  });

  test('a trader and a position have what the wallet was there', async () => {
    await look(
      visitor,
      `#/token/${site.token}?tab=traders`,
      'document.querySelectorAll("[aria-label^=\'Top traders\'] tbody tr").length === 10',
    );
    const roles = await page.evaluate<string[]>(
      "[...document.querySelectorAll(\"[aria-label^='Top traders'] tbody td[data-title='At the launch']\")].map((td) => td.innerText)",
    );
    assert.ok(roles.includes('sniper, bundler') && roles.includes('dev'), roles.join('; '));
    await look(visitor, `#/position/${site.sniper}/${site.token}`, 'document.querySelector("[aria-label=When] dt")');
    assert.equal(
      await page.evaluate(
        '[...document.querySelectorAll("[aria-label=When] .fields div")].find((div) => div.querySelector("dt").innerText === "At the launch").querySelector("dd").innerText',
      ),
      'sniper',
    );
  });
});
