import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';
import { serve } from '../src/index.ts';
import { type Described, describedBy } from './described.ts';
import { type Answer, BASE } from './service.ts';

const SEED = 7;
const SWAPS = process.env.SWAPFOLD_WHOLE === '1' ? 20_000 : 2000;

let close: () => Promise<void>;
let request: (path: string, init?: RequestInit) => Promise<Answer>;
let described: Described;
before(async () => {
  const market = generateMarket({ seed: SEED, swaps: SWAPS });
  const dex = await Swapfold.open({ storage: memory(), config: market.config });
  for (const batch of market.swaps()) await dex.ingest(batch);
  await dex.tokens.upsert(market.tokens());
  await dex.wallets.upsert(market.wallets());
  await dex.refresh();
  const server = await serve(dex, { port: 0, keys: 'none' });
  close = async () => {
    await server.close();
    await dex.close();
  };
  request = async (path, init) => {
    const response = await fetch(server.url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  };
  described = await describedBy({ request });
});
after(() => close());

/** An answer that fits the document. */
async function post(path: string, body: object): Promise<Answer['json']> {
  const headers = { 'content-type': 'application/json' };
  const answer = await request(BASE + path, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(answer.status, 200, answer.text);
  described.check(BASE + path, 'post', answer);
  return answer.json;
}

const lists = [
  ['/profiles/tokens/search-profiles', 'token_address'],
  ['/profiles/wallets/search-profiles', 'wallet_address'],
  ['/swaps/get-swaps', 'tx_hash'],
  ['/trades/get-trades', 'tx_hash'],
] as const;
for (const [path, id] of lists) {
  test(`every item of the first pages of ${path} fits the document (market of seed ${SEED}, ${SWAPS} swaps)`, async () => {
    let seen = 0;
    let cursor: string | undefined;
    for (let page = 0; page < 3 && (page === 0 || cursor !== undefined); page++) {
      const { data, cursor: next } = await post(path, { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      for (const item of data) assert.equal(typeof item[id], 'string');
      seen += data.length;
      cursor = next;
    }
    assert.ok(seen > 20, String(seen));
  });
}

test('prices, candles, history and portfolios of the busiest tokens and wallets fit the document', async () => {
  const { data: profiles } = await post('/profiles/tokens/search-profiles', { limit: 20 });
  const { data: wallets } = await post('/profiles/wallets/search-profiles', { limit: 20 });
  const tokens: string[] = profiles.map((profile: { token_address: string }) => profile.token_address);
  assert.ok((await post('/prices/get-price', { tokens })).length > 0);
  assert.ok((await post('/prices/get-price-stats', { tokens })).length > 0);
  assert.ok((await post('/prices/get-price-candles', { token: tokens[0], interval: 3600, fill: true })).length > 0);
  await post('/prices/get-price-history', { tokens, interval: 2_592_000, from: '2024-01-05T00:00:00Z' });
  for (const { wallet_address: wallet } of wallets) await post('/portfolios/get-portfolio', { wallet });
});

const explained = [
  { query: { text: 'to', autocomplete: true } },
  { query: { text: '!!', fields: ['metadata.name'], fuzzy: true }, sort: [{ field: 'metadata.name' }] },
  {
    filter: {
      'metadata.name': { $in: ['a', null], $startsWith: 'a' },
      $or: [{ 'market.price': { $in: [1, 2] } }, { 'metadata.age': { $lte: 5.5 } }, { 'metadata.symbol': null }],
      $nor: [{ 'metadata.verified': { $in: [true, null] } }, { labels: { $in: ['hot', null] } }],
      'metadata.created_at': { $nin: ['2024-01-05T00:00:00.5Z', null] },
    },
  },
  { filter: {}, dynamic_labels: { all: {}, none: { labels: { $all: [] } }, cheap: { 'market.price': { $lt: 1 } } } },
];
for (const search of explained) {
  test(`what explain says of ${JSON.stringify(search)} fits the document`, async () => {
    const { plan } = await post('/profiles/tokens/search-profiles', { ...search, explain: true });
    assert.ok(plan.steps.length > 0);
  });
}
