import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressReader, type ProxyOptions } from '../src/peers.ts';
import { startService, T } from './service.ts';

const CALLER = '203.0.113.7';
const PROXY = '10.0.0.1';
const MADE_UP = '198.51.100.9';

const callers: readonly (readonly [
  because: string,
  options: ProxyOptions,
  peer: string,
  headers: Readonly<Record<string, string>>,
  address: string,
])[] = [
  ['no proxy is trusted unless one is named', {}, PROXY, { 'x-forwarded-for': CALLER }, PROXY],
  ['a listed proxy is believed', { trustProxy: [PROXY] }, PROXY, { 'x-forwarded-for': CALLER }, CALLER],
  ['one of a listed subnet is', { trustProxy: ['10.0.0.0/8'] }, '10.9.9.9', { 'x-forwarded-for': CALLER }, CALLER],
  [
    'one beside the subnet is not',
    { trustProxy: ['10.0.0.0/8'] },
    '11.0.0.1',
    { 'x-forwarded-for': CALLER },
    '11.0.0.1',
  ],
  ['IPv4 within IPv6 is that IPv4', { trustProxy: [PROXY] }, `::ffff:${PROXY}`, { 'x-forwarded-for': CALLER }, CALLER],
  [
    'a subnet of IPv6 counts',
    { trustProxy: ['fd00::/8'] },
    'fd12::1',
    { 'x-forwarded-for': '2001:db8::1' },
    '2001:db8::1',
  ],
  [
    'what the caller wrote itself does not count',
    { trustProxy: [PROXY] },
    PROXY,
    { 'x-forwarded-for': `${MADE_UP}, ${CALLER}` },
    CALLER,
  ],
  [
    'nor does the address of a trusted proxy that it wrote',
    { trustProxy: [PROXY] },
    PROXY,
    { 'x-forwarded-for': `${MADE_UP}, ${PROXY}, ${CALLER}` },
    CALLER,
  ],
  [
    'two listed proxies are skipped',
    { trustProxy: ['10.0.0.0/8'] },
    PROXY,
    { 'x-forwarded-for': `${CALLER}, 10.0.0.2` },
    CALLER,
  ],
  [
    'of one hop the last address counts',
    { trustProxy: 1 },
    PROXY,
    { 'x-forwarded-for': `${MADE_UP}, ${CALLER}` },
    CALLER,
  ],
  [
    'of two hops the one before',
    { trustProxy: 2 },
    PROXY,
    { 'x-forwarded-for': `${MADE_UP}, ${CALLER}, 10.0.0.2` },
    CALLER,
  ],
  ['more hops than addresses give the first', { trustProxy: 5 }, PROXY, { 'x-forwarded-for': CALLER }, CALLER],
  ['hops count on a socket without an address', { trustProxy: 1 }, '', { 'x-forwarded-for': CALLER }, CALLER],
  ['without the header it is the proxy', { trustProxy: 1 }, PROXY, {}, PROXY],
  ['what is no address ends the walk', { trustProxy: 1 }, PROXY, { 'x-forwarded-for': 'unknown' }, PROXY],
  ['a key in the header is no address', { trustProxy: 1 }, PROXY, { 'x-forwarded-for': 'x'.repeat(9000) }, PROXY],
  ['a port is left out', { trustProxy: 1 }, PROXY, { 'x-forwarded-for': `${CALLER}:4711` }, CALLER],
  ['Forwarded is not read unless it is named', { trustProxy: 1 }, PROXY, { forwarded: `for=${CALLER}` }, PROXY],
  [
    'X-Forwarded-For is not, if Forwarded is',
    { trustProxy: 1, proxyHeader: 'forwarded' },
    PROXY,
    { 'x-forwarded-for': MADE_UP },
    PROXY,
  ],
  [
    'Forwarded has pairs',
    { trustProxy: 1, proxyHeader: 'forwarded' },
    PROXY,
    { forwarded: `for=${MADE_UP}, proto=https;For=${CALLER};by=${PROXY}` },
    CALLER,
  ],
  [
    'and IPv6 in quotes, with a port',
    { trustProxy: 1, proxyHeader: 'forwarded' },
    PROXY,
    { forwarded: 'for="[2001:db8::1]:4711"' },
    '2001:db8::1',
  ],
  [
    'a quote that the caller opened hides nothing',
    { trustProxy: 1, proxyHeader: 'forwarded' },
    PROXY,
    { forwarded: `for="${MADE_UP}, for=${CALLER}` },
    CALLER,
  ],
  [
    'a hidden name is no address',
    { trustProxy: 1, proxyHeader: 'forwarded' },
    PROXY,
    { forwarded: 'for=_hidden' },
    PROXY,
  ],
];
for (const [because, options, remoteAddress, headers, address] of callers)
  test(`${because}`, () => {
    const request = { headers, socket: { remoteAddress } } as unknown as Parameters<
      ReturnType<typeof addressReader>
    >[0];
    assert.equal(addressReader(options)(request), address);
  });

const invalid: readonly (readonly [options: object, says: RegExp])[] = [
  [
    { trustProxy: 0 },
    /^"trustProxy": expected how many proxies there are, from 1, or a list of addresses, received 0\.$/,
  ],
  [{ trustProxy: 1.5 }, /received 1\.5/],
  [{ trustProxy: true }, /^"trustProxy": expected a number of proxies or a list of addresses, received true\.$/],
  [
    { trustProxy: ['10.0.0.1', 'proxy.internal'] },
    /^"trustProxy\.1": expected an address or a subnet such as "10\.0\.0\.0\/8", received "proxy\.internal"\.$/,
  ],
  [{ trustProxy: ['10.0.0.0/33'] }, /^"trustProxy\.0": .* received "10\.0\.0\.0\/33"\.$/],
  [{ trustProxy: ['10.0.0.0/'] }, /^"trustProxy\.0"/],
  [{ trustProxy: ['::1/8/8'] }, /^"trustProxy\.0"/],
  [{ trustProxy: [7] }, /received 7/],
  [
    { trustProxy: 1, proxyHeader: 'x-real-ip' },
    /^"proxyHeader": expected x-forwarded-for or forwarded, received "x-real-ip"\.$/,
  ],
];
for (const [options, message] of invalid)
  test(`${JSON.stringify(options)} is refused, and names what would do`, async () => {
    await assert.rejects(startService(options), { code: 'invalid-config', message });
  });

test('behind a trusted proxy callers without a key have a rate each, and without trust one together', async () => {
  const statuses = async (trustProxy: readonly string[] | undefined): Promise<number[]> => {
    const service = await startService({ keys: 'none', rate: { perSecond: 0.001, burst: 1 }, trustProxy });
    const of = async (address: string): Promise<number> =>
      (await service.post('/prices/get-price', { tokens: [T] }, { 'x-forwarded-for': address })).status;
    const answered = [await of(CALLER), await of(MADE_UP), await of(CALLER)];
    await service.close();
    return answered;
  };
  assert.deepEqual(await statuses(['127.0.0.1', '::1']), [200, 200, 429]);
  assert.deepEqual(await statuses(undefined), [200, 429, 429]);
});
