import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { SwapInput } from '@swapfold/core';
import { type Browser, launch } from './browser.ts';
import { engines, openSite, openStoreOf, settled, until, type Visitor, visit } from './site.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const SOL = 'So11111111111111111111111111111111111111112';
const COIN = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const ANN = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const START = 1_735_689_600;

/** Right to left, an emoji of several characters, and characters that turn the text around it: names that somebody may give. */
const NAMES = { rtl: 'עברית‮abc', family: '👩‍👩‍👧‍👦'.repeat(30), blank: '\u200b\u202e ' };

/** Ann buys 100 COIN for 1 SOL and sells them for 3, ten times: nothing says what a SOL is worth. */
const inSol: readonly SwapInput[] = Array.from({ length: 20 }, (_, i) => {
  const isBuy = i % 2 === 0;
  return {
    tx_hash: `tx${i}`,
    swap_index: 0,
    block_time: START + i * 3600,
    wallet: ANN,
    token_in: isBuy ? SOL : COIN,
    token_out: isBuy ? COIN : SOL,
    token_amount_in: isBuy ? 1 : 100,
    token_amount_out: isBuy ? 100 : 3,
  };
});

/** The browser itself says of an answer that it was a failure. */
const withoutFailures = ({ faults }: Visitor): void => {
  faults.splice(
    0,
    faults.length,
    ...faults.filter((fault) => !/the server responded with a status of (404|503)/.test(fault)),
  );
};

for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
  describe(`a store on ${engine}`, () => {
    test('without a value in USD shows dashes with the reason, and results in the native token', async () => {
      const site = await openStoreOf(engine, inSol);
      const visitor = await visit(browser, site.server.url);
      const { page } = visitor;
      await visitor.open('#/');
      await until(page, 'document.querySelector("main tbody tr td")');
      await settled(page);
      const cells = await page.locator('main tbody tr').first().locator('td').allInnerTexts();
      assert.match(cells[1]!, /^–/);
      assert.deepEqual(cells.slice(2, 4), ['– +20 SOL', '–']);
      const why = 'No trade of this window has a value in USD.';
      const title = await page.locator('main tbody td a.none').first().getAttribute('title');
      assert.ok(title!.startsWith(why), title!);
      await page.locator('.hint button').click();
      await until(page, 'document.querySelector("main tbody td:nth-child(2)").innerText === "+20 SOL"');
      assert.match(page.url(), /unit=native/);
      await visitor.open(`#/wallet/${ANN}?window=3d`);
      await settled(page);
      await until(page, 'document.querySelector(".lines canvas")');
      assert.match(await page.locator('.figure .big').first().innerText(), /^–/);
      assert.equal(await page.locator('.figure .why').first().innerText(), why);
      assert.match(await page.locator('.figure').first().innerText(), /\+20 SOL/);
      assert.deepEqual(await page.locator('[aria-label=Record] dd').allInnerTexts(), ['+20 SOL']);
      assert.match((await page.locator('.result-card').first().innerText()).replaceAll('\n', ' '), /Best .*\+20 SOL/);
      await page.locator('[role=tab]').locator('text="Trades"').click();
      await settled(page);
      assert.match(await page.locator('[aria-label=Trades] tbody tr').first().innerText(), /–.*3 SOL/s);
      await visitor.open(`#/token/${COIN}`);
      await settled(page);
      assert.match(await page.locator('.figure .big').first().innerText(), /^–/);
      await until(page, 'document.body.innerText.includes("No trade has set a price in USD.")');
      for (const view of [
        '#/tokens',
        '#/positions',
        '#/live',
        `#/position/${ANN}/${COIN}`,
        `#/explain/wallets/${ANN}/pnl/7d`,
      ]) {
        await visitor.open(view);
        await settled(page);
      }
      await visitor.close();
      await site.close();
    });

    test('without a swap says what to do in each view', async () => {
      const site = await openStoreOf(engine, []);
      const visitor = await visit(browser, site.server.url);
      const { page } = visitor;
      const advice = {
        '#/': /This store has no wallets yet.*swapfold import swaps/s,
        '#/?filter={"labels":"whale"}': /No wallets match.*swapfold import swaps/s,
        '#/?filter=null': /This store has no wallets yet.*swapfold import swaps/s,
        '#/tokens': /This store has no tokens yet/,
        '#/positions': /This store has no positions yet/,
        '#/live': /No trades yet/,
        '#/watchlist': /You watch nothing yet/,
        '#/compare': /First wallet/,
        [`#/wallet/${ANN}`]: /No such wallet/,
        [`#/token/${COIN}`]: /No such token/,
        '#/nowhere': /There is no such view/,
      };
      for (const [view, text] of Object.entries(advice)) {
        await visitor.open(view);
        await settled(page);
        await until(page, `${text}.test(document.querySelector("main").innerText)`);
      }
      withoutFailures(visitor);
      await visitor.close();
      await site.close();
    });

    test('whose server is slow shows the head at once, the rest as it comes, and says that it waits', async () => {
      const site = await openStoreOf(engine, inSol);
      const visitor = await visit(browser, site.server.url);
      const { page } = visitor;
      let release: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await visitor.open('#/docs/wallets.get');
      await page.route('**/get-history', async (route) => {
        await held;
        await route.continue();
      });
      await page.route('**/positions/**', async (route) => {
        await held;
        await route.continue();
      });
      await visitor.open(`#/wallet/${ANN}?unit=native&span=all`);
      await until(page, 'document.querySelector(".figure .big")?.innerText === "+20 SOL"');
      assert.equal(await page.locator('.before .number').count(), 0);
      await until(page, 'document.querySelector(".history").innerText.includes("The server is slow to answer")');
      release();
      await until(
        page,
        'document.querySelectorAll(".before .number").length > 0 && document.querySelector(".lines canvas")',
      );
      await settled(page);
      await visitor.close();
      await site.close();
    });
  });
}

test('names are shown as they are written, and turn nothing else around', async () => {
  const site = await openSite('sqlite', 2000, { symbol: NAMES.rtl, name: NAMES.family, wallet: NAMES.blank });
  const visitor = await visit(browser, site.server.url);
  const { page } = visitor;
  await visitor.open(`#/token/${site.token}`);
  await settled(page);
  const [symbol, name] = await page.evaluate<[string, string]>(
    '[...document.querySelectorAll("h1 bdi")].map((e) => e.textContent)',
  );
  assert.deepEqual([symbol, name], [NAMES.rtl, NAMES.family]);
  assert.equal(await page.evaluate('getComputedStyle(document.querySelector("h1 bdi")).unicodeBidi'), 'isolate');
  await visitor.open(`#/wallet/${site.wallet}`);
  await settled(page);
  const short = `${site.wallet.slice(0, 5)}…${site.wallet.slice(-4)}`;
  assert.equal(await page.locator('h1').innerText(), short);
  await visitor.close();
  await site.close();
});

test('a name is cut between characters as one sees them', async () => {
  const { cut } = (await import(join(import.meta.dirname, '../../packages/explorer/page/format.js'))) as {
    cut(text: string, most: number): string;
  };
  const family = '👩‍👩‍👧‍👦';
  assert.equal(cut(family.repeat(5), 3), `${family}${family}…`);
  assert.equal(cut('abc', 3), 'abc');
});

test('what rounds to nothing has no sign', async () => {
  const { brief, gain } = (await import(join(import.meta.dirname, '../../packages/explorer/page/format.js'))) as Record<
    'brief' | 'gain',
    (unit: string, value: number) => string
  >;
  assert.deepEqual(
    [brief('percent', -0.04), gain('percent', 0.04), gain('percent', 0.06), gain('percent', -0.06)],
    ['0.0 %', '0.0 %', '+0.1 %', '−0.1 %'],
  );
});
