import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { engines, withFolder } from '../../../test/support/engines.ts';
import { type RunningServer, serve } from '../src/index.ts';
import { barsOf, secondsOf } from '../src/udf/resolution.ts';
import { describedBy } from './described.ts';
import { ANN, BOB, KEY, type Service, START, startService, swaps, T, U, USDC } from './service.ts';
import { UdfClient } from './udf-client.ts';

const headers = { 'x-api-key': KEY };
/** A token with a trade each second, at 1, 2, 3 ... USD. */
const S = 'S'.repeat(44);
const SECONDS = 20_050;
const NOW = START + 86_400;

const everySecond = Array.from(
  { length: SECONDS },
  (_, i): SwapInput => ({
    tx_hash: `s${i}`,
    swap_index: 0,
    block_time: START + i,
    wallet: BOB,
    token_in: USDC,
    token_amount_in: i + 1,
    token_out: S,
    token_amount_out: 1,
  }),
);

for (const engine of ['sqlite', 'duckdb'] as const)
  describe(engine, () => {
    let server: RunningServer;
    let udf: UdfClient;
    let end: () => void;
    let ended: Promise<void>;
    before(
      () =>
        new Promise<void>((ready, fail) => {
          ended = withFolder(async (folder) => {
            const dex = await Swapfold.open({ storage: engines[engine]!(folder) });
            await dex.ingest([...swaps, ...everySecond]);
            await dex.tokens.upsert([{ address: T, symbol: 'TEE', name: 'Tee Token' }]);
            await dex.refresh();
            server = await serve(dex, { port: 0, keys: [KEY], udf: true });
            udf = new UdfClient(`${server.url}/udf`, headers);
            ready();
            await new Promise<void>((resolve) => {
              end = resolve;
            });
            await server.close();
            await dex.close();
          });
          ended.catch(fail);
        }),
    );
    after(async () => {
      end();
      await ended;
    });

    test('a page begins: the configuration, the time, a search in capitals, the symbol, its bars, the next pulse', async () => {
      const { supported_resolutions: resolutions, ...can } = await udf.ready();
      assert.deepEqual(can, {
        supports_search: true,
        supports_group_request: false,
        supports_marks: true,
        supports_timescale_marks: false,
        supports_time: true,
      });
      assert.ok(Math.abs((await udf.send('time')) - Date.now() / 1000) < 60);
      const [found] = await udf.search('te');
      const symbol = await udf.resolve(found!.ticker);
      assert.deepEqual(
        [symbol.name, symbol.ticker, symbol.description, symbol.session],
        ['TEE', T, 'Tee Token', '24x7'],
      );
      assert.deepEqual(symbol.supported_resolutions, resolutions);
      // The last price is 4: six digits of it.
      assert.equal(symbol.pricescale, 100_000);
      const bar = (time: number, [open, high, low, close]: number[], volume: number) => ({
        time: time * 1000,
        open,
        high,
        low,
        close,
        volume,
      });
      // Ann buys at 2, Bob a minute later at 3; an hour after the start Ann sells at 4.
      const hours = [bar(START, [2, 3, 2, 3], 400), bar(START + 3600, [4, 4, 4, 4], 100)];
      const { bars } = await udf.bars(symbol, '60', { from: START - 86_400, to: NOW, countBack: 300 });
      assert.deepEqual(bars, hours);
      assert.deepEqual(await udf.pulse(symbol, '60', NOW), hours);
    });

    test('`to` is not inclusive, and `from` is', async () => {
      const times = async (from: number, to: number) =>
        (await udf.bars({ ticker: S }, '1S', { from, to })).bars.map(({ time }) => time / 1000 - START);
      assert.deepEqual(await times(START + 10, START + 13), [10, 11, 12]);
      assert.deepEqual(await times(START + 10, START + 10), []);
    });

    test('countback counts bars and not time, and overrides `from`', async () => {
      const { bars } = await udf.bars({ ticker: T }, '1', { from: START + 3590, to: START + 3661, countBack: 3 });
      // The two minutes before lie an hour back.
      assert.deepEqual(
        bars.map(({ time }) => time / 1000 - START),
        [0, 60, 3600],
      );
      const newest = await udf.bars({ ticker: S }, '1S', { from: START, to: START + 100, countBack: 2 });
      assert.deepEqual(
        newest.bars.map(({ close }) => close),
        [99, 100],
      );
    });

    test('a chart that is scrolled to its beginning has every bar once', async () => {
      const shown = await udf.scroll({ ticker: S }, '1', NOW, 50);
      const minutes = Math.ceil(SECONDS / 60);
      assert.equal(shown.length, minutes);
      shown.forEach(({ time, open, close }, i) => {
        const last = Math.min(SECONDS, 60 * (i + 1));
        assert.deepEqual([time / 1000, open, close], [START + 60 * i, 60 * i + 1, last]);
      });
    });

    test('more bars than the store gives at once come in one answer, and more than an answer holds in several', async () => {
      const period = { from: START, to: NOW };
      const one = await udf.bars({ ticker: S }, '1S', { ...period, countBack: 12_000 });
      assert.deepEqual([one.bars.length, one.bars[0]!.close], [12_000, SECONDS - 12_000 + 1]);
      const limited = new UdfClient(`${server.url}/udf`, headers, 20_000);
      for (const countBack of [undefined, SECONDS]) {
        const { bars } = await limited.bars({ ticker: S }, '1S', { ...period, ...(countBack && { countBack }) });
        assert.deepEqual(
          bars.map(({ close }) => close),
          everySecond.map((_, i) => i + 1),
        );
      }
      assert.equal(limited.requests, 4);
    });

    test('a range without bars names the newest one before it in milliseconds; before the first there is no more', async () => {
      const quiet = await udf.bars({ ticker: T }, '1', { from: START + 7200, to: START + 7800 });
      assert.deepEqual(quiet, { bars: [], noData: true, nextTime: (START + 3600) * 1000 });
      const before = { from: START - 7200, to: START };
      assert.deepEqual(await udf.bars({ ticker: T }, '1', before), { bars: [], noData: true, nextTime: undefined });
      const counted = await udf.bars({ ticker: T }, '1', { ...before, countBack: 10 });
      assert.deepEqual(counted, { bars: [], noData: true, nextTime: undefined });
    });

    test('marks stand at the bars at which the wallets that made most opened and closed', async () => {
      const range = { from: START, to: START + 3600 };
      const marks = await udf.marks({ ticker: T }, '5', range);
      const { bars } = await udf.bars({ ticker: T }, '5', { ...range, to: NOW });
      const times = bars.map(({ time }) => time / 1000);
      assert.deepEqual(marks.map(({ time, label, text }) => [time, label, text.split(' ')[0]]).sort(), [
        [START, 'B', ANN],
        [START, 'B', BOB],
      ]);
      for (const { time } of marks) assert.ok(times.includes(time));
      assert.deepEqual(await udf.marks({ ticker: T }, '5', { from: START + 600, to: START + 900 }), []);
      const monday = Date.parse('2024-01-01T00:00:00Z') / 1000;
      const weekly = await udf.marks({ ticker: T }, '1W', { from: monday, to: monday });
      assert.equal(weekly.length, marks.length);
      for (const { time } of weekly) assert.equal(time, monday);
    });
  });

describe('keys, errors and the description', () => {
  let service: Service;
  const limited = { key: 'a-key-of-a-page', operations: ['prices.candles'] };
  before(async () => {
    service = await startService({ udf: true, keys: [KEY, limited], cors: ['https://page.example'] });
  });
  after(() => service.close());
  const get = (path: string, key?: string) =>
    service.request(`/udf/${path}`, key === undefined ? {} : { headers: { 'x-api-key': key } });

  test('every route asks for a key, and a key for the operations behind it', async () => {
    const history = `history?symbol=${T}&resolution=60&to=${NOW}&countback=5`;
    for (const path of ['config', 'time', `symbols?symbol=${T}`, 'search', history, `marks?symbol=${T}`]) {
      const { status, json } = await get(path);
      assert.deepEqual([status, json.s, json.code], [401, 'error', 'unauthorized'], path);
    }
    assert.equal((await get(history, limited.key)).json.s, 'ok');
    assert.equal((await get('config', limited.key)).status, 200);
    const { status, json } = await get('search', limited.key);
    assert.deepEqual([status, json.s], [403, 'error']);
    // A symbol that is no address is looked up, which is another operation.
    assert.equal((await get(history.replace(T, 'TEE'), limited.key)).status, 403);
    assert.equal((await get(history.replace(T, 'TEE'), KEY)).json.s, 'ok');
  });

  test('a page of a listed origin may send the key in a header', async () => {
    const { status, headers: answered } = await service.request('/udf/config', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key',
      },
    });
    assert.equal(status, 204);
    assert.match(answered.get('access-control-allow-headers')!, /X-Api-Key/);
    assert.match(answered.get('access-control-allow-methods')!, /GET/);
  });

  const wrong: readonly (readonly [path: string, status: number, errmsg: RegExp])[] = [
    ['symbols?symbol=nothing', 404, /no token with the address or the symbol "nothing"/],
    ['symbols', 400, /"symbol": is required/],
    [`history?symbol=${T}&resolution=1M&to=1&countback=1`, 400, /"resolution".*received "1M"/],
    [`history?symbol=${T}&resolution=60&to=1`, 400, /"from": is required/],
    [`history?symbol=${T}&resolution=60&from=1`, 400, /"to": is required/],
    [`history?symbol=${T}&resolution=60&from=soon&to=1`, 400, /"from": expected a whole number/],
    [`history?symbol=${T}&resolution=60&to=1&countback=0`, 400, /"countback": expected a whole number from 1/],
    ['search?limit=0', 400, /"limit"/],
  ];
  for (const [path, status, errmsg] of wrong)
    test(`${path} is answered as the protocol has errors`, async () => {
      const answer = await get(path, KEY);
      assert.equal(answer.status, status);
      assert.equal(answer.json.s, 'error');
      assert.match(answer.json.errmsg, errmsg);
      assert.equal(answer.json.error, answer.json.errmsg);
      assert.ok(answer.json.request_id);
    });

  test('times before 1970 and after all time are taken: the library asks for them', async () => {
    const { json } = await get(`history?symbol=${T}&resolution=1D&from=-2208988800&to=99999999999`, KEY);
    assert.deepEqual([json.s, json.t], ['ok', [START]]);
  });

  test('a symbol is found with its chain before it, and by the most traded of those that have it', async () => {
    await service.dex.tokens.upsert([{ address: U, symbol: 'TEE' }]);
    await service.dex.refresh({ scope: 'all' });
    // T traded for 500 USD, U for 220.
    assert.equal((await get('symbols?symbol=SOLANA:TEE', KEY)).json.ticker, T);
    assert.equal((await get(`symbols?symbol=${U}`, KEY)).json.ticker, U);
    await service.dex.tokens.upsert([{ address: U, symbol: 'UUU' }]);
  });

  test('without the option there are no such routes, and the description names none', async () => {
    const other = await startService();
    assert.equal((await other.request('/udf/config', { headers })).status, 404);
    const { json } = await other.request('/openapi.json');
    assert.deepEqual(
      Object.keys(json.paths).filter((path) => path.startsWith('/udf')),
      [],
    );
    await other.close();
  });

  test('answers fit the OpenAPI description, and so do errors', async () => {
    const described = await describedBy(service);
    const queries: readonly (readonly [path: string, query: string])[] = [
      ['config', ''],
      ['time', ''],
      ['symbols', `?symbol=${T}`],
      ['search', '?query=T'],
      ['history', `?symbol=${T}&resolution=60&to=${NOW}&countback=3`],
      ['history', `?symbol=${T}&resolution=60&from=${START + 9000}&to=${NOW}`],
      ['marks', `?symbol=${T}&resolution=60&from=${START}&to=${NOW}`],
    ];
    const schema = ['content', 'application/json', 'schema'];
    for (const [path, query] of queries) {
      const responses = ['paths', `/udf/${path}`, 'get', 'responses'];
      const { json } = await get(path + query, KEY);
      assert.equal(described.faults(json, [...responses, '200', ...schema]), '', path);
      const refused = await get(path + query);
      assert.equal(described.faults(refused.json, [...responses, 'default', ...schema]), '', path);
      assert.notEqual(described.faults(json, [...responses, 'default', ...schema]), '', path);
    }
  });
});

test('the key of docs/guides/tradingview.md may do all that charts need, and no more', async () => {
  const page = await readFile(new URL('../../../docs/guides/tradingview.md', import.meta.url), 'utf8');
  const keys = JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(page)![1]!);
  const service = await startService({ udf: true, keys });
  const get = (path: string) => service.request(`/udf/${path}`, { headers: { 'x-api-key': keys[0].key } });
  const of = `symbol=${T}&resolution=60&from=${START}&to=${NOW}`;
  for (const path of ['config', 'time', 'symbols?symbol=TEE', 'search', `history?${of}`, `marks?${of}`])
    assert.equal((await get(path)).status, 200, path);
  assert.equal((await service.post('/trades/get-trades', {}, { 'x-api-key': keys[0].key })).status, 403);
  await service.close();
});

test('the page of docs/guides/tradingview.md asks these routes for a token of the example store', async () => {
  const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const [, html] = /^```html\n([\s\S]*?)^```$/m.exec(await read('docs/guides/tradingview.md'))!;
  const symbol = /symbol: '(\w+)'/.exec(html!)![1];
  const tokens = (await read('examples/data/tokens.ndjson')).trim().split('\n');
  assert.ok(tokens.some((line) => JSON.parse(line).symbol === symbol));
  assert.match(html!, /UDFCompatibleDatafeed\('\/udf'\)/);
  assert.equal(html!.match(/<script\b/g)!.length, html!.match(/<\/script>/g)!.length);
});

const lengths: readonly (readonly [resolution: string, seconds: number])[] = [
  ['1S', 1],
  ['15S', 15],
  ['S', 1],
  ['1', 60],
  ['720', 43_200],
  ['D', 86_400],
  ['1D', 86_400],
];
test('weeks begin on Mondays and months on firsts, as the library makes their bars', () => {
  const second = (text: string): number => Date.parse(text) / 1000;
  const starts = [
    ['1W', '2024-01-07T23:59:59Z', '2024-01-01T00:00:00Z'],
    ['7D', '2024-01-07T23:59:59Z', '2024-01-01T00:00:00Z'],
    ['14D', '2024-01-07T23:59:59Z', '2023-12-25T00:00:00Z'],
    ['W', '2024-01-08T00:00:00Z', '2024-01-08T00:00:00Z'],
    ['1M', '2024-02-29T23:59:59Z', '2024-02-01T00:00:00Z'],
    ['M', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['240', '2024-01-05T07:59:59Z', '2024-01-05T04:00:00Z'],
  ] as const;
  for (const [resolution, at, start] of starts)
    assert.equal(barsOf(resolution).startOf(second(at)), second(start), `${resolution} ${at}`);
  assert.throws(() => barsOf('2W'), { code: 'invalid-request' });
});

test('resolutions are seconds, minutes and days', () => {
  for (const [resolution, seconds] of lengths) assert.equal(secondsOf(resolution), seconds, resolution);
  for (const resolution of ['', '0', '1W', '1M', '-1', '1.5', '99999', '1H', '31D'])
    assert.throws(() => secondsOf(resolution), { code: 'invalid-request' }, resolution);
});
