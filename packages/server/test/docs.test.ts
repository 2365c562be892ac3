import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { operations } from '@swapfold/core/host';
import { WebSocket } from 'ws';
import { commandsOf, fencedBlocks } from '../../../test/support/shell-lines.ts';
import { createKeyRing } from '../src/keys.ts';
import { asked, type Service, startService } from './service.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/reference/http.md'), 'utf8');

let service: Service;
before(async () => {
  service = await startService({
    keys: ['change-me-please', { key: 'change-me-feed', operations: ['ingest'] }],
    ingest: true,
  });
});
after(() => service.close());

test('docs/reference/http.md has a row for every route, with every field of its body', () => {
  for (const { name, path, request } of asked) {
    const row = page
      .split('\n')
      .find((line) => line.replaceAll(/ +/g, ' ').startsWith(`| \`${path}\` | \`${name}\` |`));
    assert.ok(row, path);
    const fields = JSON.stringify(request(service.dex.config))
      .match(/known:[\w,]+/g)!
      .at(-1)!;
    for (const field of fields.slice('known:'.length).split(','))
      assert.match(row, new RegExp(`\`${field}\\??\``), path);
  }
});

const docs = (name: string): string => readFileSync(resolve(import.meta.dirname, '../../..', name), 'utf8');

/** The lines with curl of the pages, of which `$(date +%s)` gives the time and files are none. */
const everyLine = ['README.md', 'docs/start/host.md', 'docs/reference/http.md', 'docs/guides/live.md'].flatMap((name) =>
  fencedBlocks(docs(name).replaceAll('$(date +%s)', '1735689600'), ['sh'])
    .flatMap(commandsOf)
    .filter(([program]) => program === 'curl')
    .map((words) => ({ name, words })),
);
const lines = everyLine.filter(({ words }) => !words.includes('@-'));

test('the pages have lines with curl', () => {
  const count = (wanted: string): number => lines.filter(({ name }) => name === wanted).length;
  assert.ok(count('README.md') === 1 && count('docs/start/host.md') === 1 && count('docs/guides/live.md') === 2);
  assert.ok(count('docs/reference/http.md') >= 3);
});

/** Sends what a line sends, or `body` if that comes from its standard input. */
function send({ words }: (typeof lines)[number], signal?: AbortSignal, input?: string | Uint8Array): Promise<Response> {
  const after = (flag: string): readonly string[] => words.flatMap((word, i) => (words[i - 1] === flag ? [word] : []));
  const headers = Object.fromEntries(after('-H').map((header) => header.split(': ') as [string, string]));
  return fetch(service.url + pathOf(words), {
    method: 'POST',
    headers,
    body: input ?? after('-d')[0]!,
    signal: signal ?? null,
  });
}

const pathOf = (words: readonly string[]): string =>
  words.find((word) => word.startsWith('localhost:8080'))!.slice('localhost:8080'.length);

const isLive = ({ name }: (typeof lines)[number]): boolean => name === 'docs/guides/live.md';

for (const line of lines.filter((one) => !isLive(one))) {
  test(`${line.name}: curl ${pathOf(line.words)} is answered`, async () => {
    const answer = await send(line);
    assert.equal(answer.status, 200, await answer.text());
  });
}

test('docs/guides/live.md: the stream gives the price of the swap that is pushed', async () => {
  const [stream, push] = lines.filter(isLive);
  const stopping = new AbortController();
  let isListening = false;
  const listening = send(stream!, stopping.signal).finally(() => {
    isListening = true;
  });
  // A swap that comes before the stream has begun is not sent on it, and the stream answers with its first message.
  for (let i = 0; !isListening && i < 100; i++) {
    const words = push!.words.map((word) => word.replace('"first"', `"first-${i}"`));
    const pushed = await send({ ...push!, words });
    assert.deepEqual([pushed.status, ((await pushed.json()) as { added: number }).added], [200, 1]);
  }
  let told = '';
  for await (const piece of (await listening).body!) {
    told += Buffer.from(piece).toString();
    if (told.includes('"usd_price":150')) break;
  }
  stopping.abort();
});

/** A swap of USDC for a token that no page names, one SOL each 150 USD. */
const swapOf = (tx_hash: string): object => ({
  ...{ tx_hash, swap_index: 0, block_time: 1735689601, wallet: '5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9' },
  ...{ token_in: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', token_amount_in: 150 },
  ...{ token_out: 'So11111111111111111111111111111111111111112', token_amount_out: 1 },
});

test('docs/guides/live.md: the line that pushes by gzip stores the lines of the file', async () => {
  const [push, ...others] = everyLine.filter(({ words }) => words.includes('@-'));
  assert.equal(others.length, 0);
  const body = gzipSync(`${JSON.stringify(swapOf('packed-1'))}\n${JSON.stringify(swapOf('packed-2'))}\n`);
  const answer = await send(push!, undefined, body);
  assert.deepEqual([answer.status, ((await answer.json()) as { added: number }).added], [200, 2]);
});

test('docs/guides/live.md: what the console of a browser is given prints the price of a swap that is pushed', async () => {
  const [code, ...others] = fencedBlocks(docs('docs/guides/live.md'), ['js']);
  assert.equal(others.length, 0);
  const printed: string[] = [];
  const socket = await new Promise<WebSocket>((opened) => {
    class OfThisServer extends WebSocket {
      constructor(address: string) {
        super(address.replace('ws://localhost:8080', service.url.replace('http', 'ws')), { origin: service.url });
        opened(this);
      }
    }
    new Function('WebSocket', 'console', code!)(OfThisServer, {
      log: (message: unknown) => printed.push(JSON.stringify(message)),
    });
  });
  const push = lines.filter(isLive).at(-1)!;
  // A swap that comes before the subscription is not sent to it.
  for (let i = 0; i < 1000 && !printed.some((message) => message.includes('"usd_price":150')); i++)
    await send(push, undefined, JSON.stringify([swapOf(`console-${i}`)]));
  assert.ok(
    printed.some((message) => message.includes('"usd_price":150')),
    printed.join('\n'),
  );
  socket.close();
});

test('docs/guides/live.md has a row for every operation that writes, with what a key needs for it', () => {
  const rows = docs('docs/guides/live.md').split('\n');
  for (const { path, write } of operations)
    if (write !== undefined)
      assert.ok(
        rows.some((row) => row.includes(`\`${path}\``) && row.includes(`\`${write.grants[0]}\``)),
        path,
      );
});

const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map((match) => match[1]!);

test('docs/reference/http.md shows a file of keys that the server takes', () => {
  const keys = JSON.parse(examples.find((json) => json.includes('operations'))!);
  assert.equal(createKeyRing(keys).isOpen, false);
});

test('docs/reference/http.md names every metric that the server has', async () => {
  const measured = await startService({ metrics: { port: 0 } });
  const text = await (await fetch(measured.metricsUrl!)).text();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!);
  assert.ok(names.length >= 10);
  for (const name of names) assert.ok(page.includes(`\`${name}\``), name);
  await measured.close();
});

test('docs/reference/http.md shows an error as it is answered', async () => {
  const example = examples.find((json) => json.includes('request_id'));
  const { json } = await service.post('/swaps/get-swaps', { limt: 1 }, { 'x-api-key': 'change-me-please' });
  const { request_id, ...shown } = JSON.parse(example!);
  assert.equal(typeof request_id, 'string');
  assert.deepEqual({ ...shown, request_id: json.request_id }, json);
});
