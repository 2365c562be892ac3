import { BASE, T } from './service.ts';

/** A request whose answer takes much more work than its author took to write it. */
export interface CostlyRequest {
  readonly name: string;
  readonly path: string;
  readonly body: string;
}

/** Bytes of the longest: what a server took of a look-up before such requests had a limit of their own. */
const LONG = 950_000;
/** Bytes of the longest that is read whole. */
const READ = 63_000;

const SEARCH = `${BASE}/profiles/wallets/search-profiles`;
const PRICE = `${BASE}/prices/get-price`;

/** As many of `item` as fit, with commas between them. */
const filled = (bytes: number, item: (i: number) => string): string => {
  const items: string[] = [];
  for (let length = 0; length < bytes; length += items.at(-1)!.length + 1) items.push(item(items.length));
  return items.join(',');
};

/** A name that is like many fields and is none, of 99 characters, as near names are looked for up to 100. */
const longName = (i: number): string =>
  `metrics.7d.${String(i).padStart(4, '0')}${'pnl_volume_'.repeat(8)}`.slice(0, 99);

const call = (id: number, name: string, given: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;
const batch = (message: (id: number) => string): string =>
  `[${Array.from({ length: 10 }, (_, id) => message(id)).join(',')}]`;

/** Every body in two sizes: as long as any request may be, and as long as a look-up may be. */
const sized = (name: string, path: string, bodyOf: (bytes: number) => string): readonly CostlyRequest[] => [
  { name: `${name}, ${LONG / 1000} KB`, path, body: bodyOf(LONG) },
  { name: `${name}, ${READ / 1000} KB`, path, body: bodyOf(READ) },
];

/** The kinds, of all that parse, check, look for names or format. */
export const costlyRequests: readonly CostlyRequest[] = [
  ...sized('unknown keys', PRICE, (bytes) => `{${filled(bytes, (i) => `"key${i}":${i}`)}}`),
  ...sized('unknown keys of an option', SEARCH, (bytes) => `{"options":{${filled(bytes, (i) => `"k${i}":${i}`)}}}`),
  ...sized('tokens of no form', PRICE, (bytes) => `{"tokens":[${filled(bytes, () => '"?"')}]}`),
  { name: '1,000 tokens of no form', path: PRICE, body: `{"tokens":[${'"?",'.repeat(999)}"?"]}` },
  { name: '1,000 tokens', path: PRICE, body: `{"tokens":[${`"${T}",`.repeat(999)}"${T}"]}` },
  ...sized('empty branches', SEARCH, (bytes) => `{"filter":{"$or":[${filled(bytes, () => '{}')}]}}`),
  ...sized('branches of no form', SEARCH, (bytes) => `{"filter":{"$or":[${filled(bytes, () => '0')}]}}`),
  ...sized('fields that are none', SEARCH, (bytes) => `{"filter":{${filled(bytes, (i) => `"${longName(i)}":0`)}}}`),
  ...sized('empty labels', SEARCH, (bytes) => `{"dynamic_labels":{${filled(bytes, (i) => `"l${i}":{}`)}}}`),
  ...sized('sorts', SEARCH, (bytes) => `{"sort":[${filled(bytes, (i) => `{"field":"${longName(i)}"}`)}]}`),
  ...sized('lists in lists', PRICE, (bytes) => `{"tokens":[${filled(bytes, () => '['.repeat(60) + ']'.repeat(60))}]}`),
  ...sized('a fault at the end', PRICE, (bytes) => `{"tokens":[${filled(bytes, () => '"a\\n"')}`),
  ...sized('letters of three bytes', PRICE, (bytes) => `{"${'你'.repeat(bytes / 3)}":0}`),
  { name: 'lists of tools', path: '/mcp', body: batch((id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`) },
  { name: 'calls of no tool', path: '/mcp', body: batch((id) => call(id, longName(id), '{}')) },
  {
    name: 'calls with fields that are none',
    path: '/mcp',
    body: batch((id) =>
      call(id, 'find_wallets', `{"where":[${filled(5000, (i) => `{"field":"${longName(i)}","is":"known"}`)}]}`),
    ),
  },
  ...sized('arguments that are none', '/mcp', (bytes) =>
    batch((id) => call(id, 'store_info', `{${filled(bytes / 10 - 100, (i) => `"key${i}":${i}`)}}`)),
  ),
  ...sized('no messages', '/mcp', (bytes) => `[${filled(bytes, () => '0')}]`),
  ...sized('a message with keys', '/mcp', (bytes) => `{${filled(bytes, (i) => `"key${i}":${i}`)}}`),
];
