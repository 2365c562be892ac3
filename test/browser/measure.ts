import { type Context, launch, type Page } from './browser.ts';
import { type engines, openSite, settled, until, visit } from './site.ts';

/**
 * Measures the explorer in a browser: `npm run bench -- explorer [SWAPS] [ENGINE]`.
 *
 * - The first view: from the start of the navigation until the leaderboard has rows, the key given before, with an empty cache of the browser.
 * - A drag over 5,000 candles: what the scripts of the page take of each frame, in ms.
 */
const swaps = Number(process.argv[2] ?? 1_000_000);
const engine = (process.argv[3] ?? 'sqlite') as keyof typeof engines;

/** Runs in the page before its own scripts: adds up what callbacks and listeners take between two frames. */
const timeScripts = `
  const frames = [];
  let taken = 0;
  const timed = (act) => function (...args) {
    const begun = performance.now();
    try { return act.apply(this, args); } finally { taken += performance.now() - begun; }
  };
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (act) => request(timed(act));
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, act, ...rest) {
    return listen.call(this, type, typeof act === 'function' && /^(mouse|pointer|touch|wheel)/.test(type) ? timed(act) : act, ...rest);
  };
  window.scriptFrames = { begin() { frames.length = 0; const next = () => { frames.push(taken); taken = 0; request(next); }; request(next); }, frames };
`;

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

async function firstView(page: Page, url: string): Promise<number> {
  await page.goto('about:blank');
  const begun = performance.now();
  await page.goto(url);
  await until(page, 'document.querySelector("main tbody tr")');
  return performance.now() - begun;
}

async function drag(page: Page): Promise<readonly number[]> {
  const box = await page.evaluate<{ x: number; y: number; width: number }>(
    '(() => { const e = document.querySelector(".chart"); e.scrollIntoView(); const { x, y, width } = e.getBoundingClientRect(); return { x, y, width }; })()',
  );
  const [left, right, y] = [box.x + 50, box.x + box.width - 150, box.y + 100];
  await page.evaluate('window.scriptFrames.begin()');
  for (let i = 0; i < 4; i++) {
    await page.mouse.move(left, y);
    await page.mouse.down();
    await page.mouse.move(right, y, { steps: 120 });
    await page.mouse.up();
  }
  return page.evaluate<number[]>('window.scriptFrames.frames.slice(2)');
}

const browser = await launch();
const site = await openSite(engine, swaps);
try {
  const visitor = await visit(browser, site.server.url);
  await (visitor.context as Context & { addInitScript(script: { content: string }): Promise<void> }).addInitScript({
    content: timeScripts,
  });
  await visitor.open('#/');
  const views = [];
  for (let i = 0; i < 5; i++) views.push(await firstView(visitor.page, `${site.server.url}/#/`));
  console.log(
    `first view of ${swaps} swaps on ${engine}, ms: ${views.map((ms) => ms.toFixed(0)).join(', ')} (target 1000)`,
  );
  const quotes = site.dex.config.quote_tokens.map(({ address }) => address);
  const busiest = await site.dex.tokens.search({
    filter: { token_address: { $nin: quotes } },
    sort: { field: 'metrics.7d.trade_count', direction: 'desc' },
    limit: 1,
  });
  const token = busiest.data[0]!.token_address;
  await visitor.page.goto(`${site.server.url}/#/token/${token}?interval=30&count=5000`);
  await visitor.page.reload();
  await until(visitor.page, 'document.querySelector(".chart canvas")');
  await settled(visitor.page);
  const frames = await drag(visitor.page);
  console.log(
    `scripts of ${frames.length} frames while candles are dragged, ms: median ${percentile(frames, 0.5).toFixed(1)}, p95 ${percentile(frames, 0.95).toFixed(1)} (target 8), longest ${Math.max(...frames).toFixed(1)}`,
  );
  console.log(await visitor.page.locator('.chart').getAttribute('aria-label'));
  await visitor.context.close();
} finally {
  await site.close();
  await browser.close();
}
