import type { Random } from './random.ts';
import { ANN, asked, at, BASE, BOB, CAT, KEY, NOBODY, T, U, USDC } from './service.ts';

/** What is sent on one connection. */
export interface Exchange {
  readonly kind: string;
  readonly bytes: Buffer;
  /** The methods of the requests, where all of them are well-formed: so many answers are waited for. */
  readonly methods: readonly string[] | undefined;
  /** Cut at these places, with a pause between the parts. */
  readonly cuts: readonly number[];
  /** Hangs up after so many bytes; `undefined` where the caller stays. */
  readonly hangsUpAt: number | undefined;
}

/** A key that the server of the fuzzer knows and that may call one operation only. */
export const NARROW = 'a-narrow-key-of-the-fuzzer';
const WRONG = 'a-wrong-key-of-the-fuzzer';
/** No line of a log may have one of these in it. */
export const SECRETS = [KEY, NARROW, WRONG];

const addresses = [T, U, USDC, ANN, BOB, CAT, NOBODY];
const times = [at(0), at(3600), at(9000), '2024-01-05T02:30:00+01:00', 'yesterday', 1_704_412_800, null];

/** A connection's worth of requests of one of the kinds below. */
export function makeExchange(random: Random): Exchange {
  const kind = random.pick(kinds);
  const { bytes, methods } = kind.make(random);
  const cuts = random.chance(0.15)
    ? Array.from({ length: 1 + random.below(4) }, () => random.below(bytes.length + 1))
    : [];
  const hangsUpAt = random.chance(0.08) ? random.below(bytes.length + 1) : undefined;
  return { kind: kind.name, bytes, methods, cuts: cuts.sort((a, b) => a - b), hangsUpAt };
}

interface Made {
  readonly bytes: Buffer;
  readonly methods: readonly string[] | undefined;
}

const kinds: readonly { readonly name: string; readonly make: (random: Random) => Made }[] = [
  { name: 'valid', make: (random) => whole(validRequest(random)) },
  { name: 'valid', make: (random) => whole(validRequest(random)) },
  { name: 'get', make: (random) => whole(getRequest(random)) },
  { name: 'shapes', make: (random) => whole(post(random, JSON.stringify(anyValue(random, 0)))) },
  { name: 'mutated fields', make: (random) => whole(post(random, JSON.stringify(mutated(random)))) },
  { name: 'broken json', make: (random) => whole(post(random, brokenJson(random))) },
  { name: 'bytes for a body', make: (random) => whole(post(random, random.bytes(random.below(200)))) },
  { name: 'headers', make: headerGame },
  { name: 'broken http', make: brokenHttp },
  { name: 'bytes', make: (random) => ({ bytes: random.bytes(1 + random.below(300)), methods: undefined }) },
  { name: 'pipeline', make: pipeline },
];

interface Sent {
  readonly method: string;
  readonly bytes: Buffer;
}

const whole = ({ method, bytes }: Sent): Made => ({ bytes, methods: [method] });

function pipeline(random: Random): Made {
  const sent = Array.from({ length: 2 + random.below(8) }, () =>
    random.chance(0.3) ? getRequest(random) : validRequest(random),
  );
  return { bytes: Buffer.concat(sent.map(({ bytes }) => bytes)), methods: sent.map(({ method }) => method) };
}

function getRequest(random: Random): Sent {
  const method = random.pick(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'PATCH', 'TRACE']);
  const path = random.pick([
    '/healthz',
    '/readyz',
    '/healthz?x=1',
    '/',
    '/metrics',
    `/${'x'.repeat(random.below(300))}`,
  ]);
  return { method, bytes: Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: x\r\n\r\n`) };
}

function validRequest(random: Random): Sent {
  const { path, body } = question(random);
  return { method: 'POST', bytes: message({ path, body: JSON.stringify(body) }) };
}

/** A request that is right but for its body, to any of the operations. */
function post(random: Random, body: string | Buffer): Sent {
  return { method: 'POST', bytes: message({ path: random.pick(asked).path, body }) };
}

interface Message {
  readonly path: string;
  readonly body: string | Buffer;
  readonly lines?: readonly string[];
}

function message({ path, body, lines }: Message): Buffer {
  const bytes = Buffer.from(body);
  const fields = lines ?? [
    'host: x',
    'content-type: application/json',
    `x-api-key: ${KEY}`,
    `content-length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`POST ${BASE}${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`), bytes]);
}

/** A question as a caller would ask it. */
function question(random: Random): { path: string; body: Record<string, unknown> } {
  const { path, name } = random.pick(asked);
  const address = random.pick(addresses);
  const tokens = Array.from({ length: 1 + random.below(5) }, () => random.pick(addresses));
  const limit = 1 + random.below(100);
  const bodies: Readonly<Record<string, Record<string, unknown>>> = {
    'tokens.search': { filter: { 'metrics.7d.volume': { $gt: random.below(1000) } }, limit },
    'wallets.search': { filter: { 'metrics.30d.trade_count': { $gte: random.below(4) } }, limit },
    'tokens.get': { token: address },
    'wallets.get': { wallet: address, options: { include_metrics: ['7d'] } },
    'tokens.explain': { token: address, metric: random.pick(['pnl', 'max_drawdown', 'nothing']), window: '7d', limit },
    'wallets.explain': { wallet: address, metric: random.pick(['volume', 'risk_score', '']), window: '30d', limit },
    'positions.explain': {
      wallet: address,
      token: T,
      metric: random.pick(['roi', 'win_pnl', '']),
      window: '30d',
      limit,
    },
    'tokens.history': { token: address, interval: 60 + random.below(600), metrics: ['price', 'holders'] },
    'wallets.simulate': { wallet: address, size: 1 + random.below(500), delay: random.below(60), explain: true },
    'wallets.history': { wallet: address, from: at(0), to: at(9000), interval: 600 + random.below(600) },
    'positions.search': {
      filter: { token_address: address, 'holding.value': { $gt: random.below(1000) } },
      options: { include_holding: true, include_metrics: ['7d'] },
      limit,
    },
    'positions.get': { wallet: address, token: T, options: { include_metrics: ['7d'] } },
    'swaps.list': random.chance(0.5) ? { limit } : { token: address, limit },
    'trades.list': random.chance(0.5) ? { limit } : { wallet: address, limit },
    'transfers.list': random.chance(0.5) ? { limit } : { wallet: address, limit },
    'prices.latest': { tokens },
    'prices.stats': { tokens },
    'prices.candles': { token: address, interval: random.pick([60, 300, 3600]), count: 1 + random.below(100) },
    'prices.history': { tokens, from: at(0), to: at(9000), interval: 600 + random.below(600) },
    'portfolios.get': { wallet: address },
  };
  return { path, body: bodies[name]! };
}

/** A right question with one field that is wrong, missing, doubled or unknown. */
function mutated(random: Random): unknown {
  const { body } = question(random);
  const names = Object.keys(body);
  const name = random.pick([...names, 'limit', 'cursor', 'from', 'to', 'filter', 'sort', 'options', 'query', 'x']);
  if (random.chance(0.2)) delete body[name];
  else body[name] = random.chance(0.3) ? random.pick(times) : anyValue(random, 1);
  return body;
}

const strangeTexts = [
  '',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  '\u202e',
  '💥',
  "'; drop table swaps; --",
  '$where',
  '%00',
  'a'.repeat(5000),
];

function anyValue(random: Random, depth: number): unknown {
  switch (random.below(depth > 5 ? 6 : 9)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick([0, -0, -1, 1e308, 5e-324, 2 ** 53, -1.5, random.below(1000)]);
    case 3:
      return random.pick(strangeTexts);
    case 4:
      return random.pick(addresses);
    case 5:
      return random.pick(times);
    case 6:
      return Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(5) }, () => [
          random.pick(['tokens', 'token', 'wallet', 'filter', '$and', '$or', '$not', '$gt', '$in', ...strangeTexts]),
          anyValue(random, depth + 1),
        ]),
      );
  }
}

function brokenJson(random: Random): string {
  const text = JSON.stringify(question(random).body);
  const at = random.below(text.length);
  return random.pick([
    () => text.slice(0, at),
    () => text.slice(0, at) + random.pick(['}', '{', '"', ',', '\\', '\u0001', 'NaN', '//']) + text.slice(at),
    () => '['.repeat(1 + random.below(3000)),
    () => `{"limit": ${'9'.repeat(random.below(400))}}`,
    () => `{"__proto__": {"limit": 1}, "constructor": ${text}}`,
    () => `${text}${text}`,
    () => `\ufeff${text}`,
    () => '',
  ])();
}

function headerGame(random: Random): Made {
  const body = JSON.stringify(question(random).body);
  const type = 'content-type: application/json';
  const key = `x-api-key: ${KEY}`;
  const length = `content-length: ${body.length}`;
  const lines = random.pick<readonly string[]>([
    ['host: x', type, length],
    ['host: x', type, length, `x-api-key: ${WRONG}`],
    ['host: x', type, length, key, key],
    ['host: x', type, length, `x-api-key: ${NARROW}`],
    ['host: x', type, length, `x-api-key:   ${KEY}  `],
    ['host: x', type, length, 'x-api-key: schl\u00fcssel'],
    ['host: x', 'content-type: text/plain', length, key],
    ['host: x', 'content-type: application/json; charset=latin1', length, key],
    ['host: x', length, key],
    ['host: x', type, 'content-encoding: gzip', length, key],
    ['host: x', type, length, key, `x-request-id: ${random.pick(['a'.repeat(200), 'a b', '"', WRONG, 'fine-1'])}`],
    ['host: x', type, length, key, 'connection: close'],
    ['host: x', type, length, key, 'upgrade: websocket', 'connection: upgrade'],
    ['host: x', type, length, key, `cookie: ${'c'.repeat(random.below(14_000))}`],
    ['host: x', type, length, key, ...Array.from({ length: random.below(200) }, (_, i) => `x-${i}: ${i}`)],
  ]);
  return { bytes: message({ path: random.pick(asked).path, body, lines }), methods: ['POST'] };
}

/** What the parser refuses, or waits for in vain. */
function brokenHttp(random: Random): Made {
  const body = JSON.stringify(question(random).body);
  const base = ['host: x', 'content-type: application/json', `x-api-key: ${KEY}`];
  const length = `content-length: ${body.length}`;
  const path = random.pick(asked).path;
  const with_ = (...lines: string[]): Buffer => message({ path, body, lines: [...base, ...lines] });
  const chunked = (chunks: string): Buffer =>
    message({ path, body: chunks, lines: [...base, 'transfer-encoding: chunked'] });
  const bytes = random.pick([
    () => with_(`content-length: ${body.length + 1 + random.below(50)}`),
    () => with_(`content-length: ${random.below(body.length)}`),
    () => with_('content-length: -1'),
    () => with_('content-length: 1e3'),
    () => with_('content-length: 99999999999'),
    () => with_(length, `content-length: ${body.length + 1}`),
    () => with_(length, 'transfer-encoding: chunked'),
    () => with_('transfer-encoding: gzip, chunked'),
    () => with_(length, 'expect: 100-continue'),
    () => with_(length, 'expect: the-unexpected'),
    () => with_(length, `x-long: ${'l'.repeat(17_000)}`),
    () => with_(length, 'x-bad\u0000name: 1'),
    () => with_(length, 'x-bad: a\u0001b'),
    () => with_(length, ' folded: 1'),
    () => with_(length, 'no colon'),
    () => chunked(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`),
    () => chunked(`${body.length.toString(16)}\r\n${body}\r\n`),
    () => chunked(`zz\r\n${body}\r\n0\r\n\r\n`),
    () => chunked(`ffffffffffffffff\r\n${body}`),
    () => chunked(`${(1 << 21).toString(16)}\r\n${'x'.repeat(random.below(3000))}`),
    () => Buffer.from(`POST ${BASE}${path} HTTP/1.1\r\n${length}\r\n\r\n${body}`),
    () => Buffer.from(`POST ${BASE}${path} HTTP/2.0\r\nhost: x\r\n\r\n`),
    () => Buffer.from(`POST ${BASE}${path} HTTP/1.0\r\n\r\n`),
    () => Buffer.from(`CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n`),
    () => Buffer.from(`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`),
    () => Buffer.from('GET  /healthz HTTP/1.1\r\n\r\n'),
    () => Buffer.from(`GET /${'y'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`),
    () => flip(random, with_(length)),
  ])();
  return { bytes, methods: undefined };
}

/** The message with a few of its bytes changed. */
function flip(random: Random, bytes: Buffer): Buffer {
  for (let i = 0; i < 1 + random.below(5); i++) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}
