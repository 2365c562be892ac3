import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { bundled } from './support/bundle.ts';

const root = resolve(import.meta.dirname, '..');

async function start(example: string): Promise<{ child: ChildProcess; lines: AsyncIterator<string> }> {
  const child = spawn(process.execPath, [await bundled(`examples/${example}`)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface(child.stdout!)[Symbol.asyncIterator]() };
}

test('the service posts wallets when they begin to match, and ends', async () => {
  const { child, lines } = await start('post-when-a-wallet-matches.ts');
  const ended = once(child, 'exit');
  const posted: string[] = [];
  for (let line = await lines.next(); !line.done; line = await lines.next()) posted.push(line.value);
  assert.deepEqual(await ended, [0, null]);
  assert.ok(posted.length > 0);
  for (const line of posted) assert.match(line, /^\w{32,44} has made \d{4,} USD in 7 days$/);
});

test('the page shows prices that change, of the token in its address', async () => {
  const { child, lines } = await start('page-with-a-price.ts');
  try {
    const { value: address } = await lines.next();
    const { origin, host, hash } = new URL(address);
    const page = await (await fetch(origin)).text();
    const lined = page.trim().split('\n');
    assert.ok(lined.length <= 14 && page.includes("topic: 'prices'"));
    const socket = new WebSocket(`ws://${host}/v1/ws`, { origin });
    await once(socket, 'open');
    const prices = new Set<number>();
    const seen = new Promise<void>((seenTwo) => {
      socket.on('message', (message) => {
        for (const { usd_price } of JSON.parse(String(message)).data ?? []) prices.add(usd_price);
        if (prices.size > 1) seenTwo();
      });
    });
    // As the page says it.
    socket.send(JSON.stringify({ method: 'subscribe', topic: 'prices', params: { tokens: [hash.slice(1)] } }));
    await seen;
    socket.close();
  } finally {
    child.kill('SIGINT');
  }
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('walking forward chooses as of each week and compares the copy with draws', async () => {
  const { child, lines } = await start('walk-forward.ts');
  const ended = once(child, 'exit');
  const told: string[] = [];
  for (let line = await lines.next(); !line.done; line = await lines.next()) told.push(line.value);
  assert.deepEqual(await ended, [0, null]);
  // 35 days: the first week is history, and each of the four after it is followed.
  assert.equal(told.length, 4 + 3);
  const weeks = told
    .slice(0, 4)
    .map((line) => line.match(/^\d{4}-\d\d-\d\d: (\d) chosen of (\d+), (-?)\$([\d,]+) of \$([\d,]+)$/)!);
  for (const [, chosen, active] of weeks) assert.ok(Number(chosen) <= 5 && Number(active) > 50);
  const number = (text: string): number => Number(text.replaceAll(',', ''));
  const [pnl, cost] = weeks.reduce(
    ([made, paid], [, , , sign, amount, of]) => [made + number(`${sign}${amount}`), paid + number(of!)] as const,
    [0, 0] as readonly [number, number],
  );
  const [, roi, of] = told[4]!.match(/^chosen: (-?[\d.]+) % of \$([\d,]+)$/)!;
  assert.equal(number(of!), cost);
  // Each week is rounded to a dollar.
  assert.ok(Math.abs((pnl / cost) * 100 - Number(roi)) < 0.2);
  const [, middle, least, most] = told[5]!.match(
    /^at random: (-?[\d.]+) % in the middle, from (-?[\d.]+) % to (-?[\d.]+) %$/,
  )!;
  assert.ok(Number(least) <= Number(middle) && Number(middle) <= Number(most));
  assert.match(told[6]!, /^better than \d+ of 100 draws$/);
});
