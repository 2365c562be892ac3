import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Turns } from '../src/turns.ts';

/** Calls `each` once a turn of the event loop until it answers with false. */
async function everyTurn(each: () => boolean): Promise<void> {
  while (each()) await setImmediate();
}

test('work begins in the order it came, each piece in a turn of its own', async () => {
  const turns = new Turns();
  const begun: (readonly [name: string, turn: number])[] = [];
  let turn = 0;
  const counting = everyTurn(() => ++turn > 0 && begun.length < 3);
  for (const name of ['a', 'b', 'c']) void turns.next().then(() => begun.push([name, turn]));
  await counting;
  assert.equal(begun.map(([name]) => name).join(), 'a,b,c');
  assert.equal(new Set(begun.map(([, its]) => its)).size, 3, JSON.stringify(begun));
});

test('work waits while new connections come', async () => {
  const turns = new Turns(10_000);
  let left = 5;
  const coming = everyTurn(() => {
    turns.connected();
    return --left > 0;
  });
  await turns.next();
  assert.equal(left, 0);
  await coming;
});

test('new connections hold work up for no longer than they may', async () => {
  const turns = new Turns();
  let hasBegun = false;
  const coming = everyTurn(() => {
    turns.connected();
    return !hasBegun;
  });
  await turns.next();
  hasBegun = true;
  await coming;
});

test('connections that come together are all taken before the next work begins', async (t) => {
  const COUNT = 100;
  const turns = new Turns(10_000);
  let taken = 0;
  const server = createServer().on('connection', () => {
    taken++;
    turns.connected();
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: COUNT });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const sockets: Socket[] = Array.from({ length: COUNT }, () => connect(port, '127.0.0.1'));
  // Their callers are connected once the system says so, whether or not the server has taken them.
  await once(server, 'connection');
  await turns.next();
  assert.equal(taken, COUNT);
});

test('whoever connects in every turn leaves work half of the time', async () => {
  const turns = new Turns(1000);
  let isOver = false;
  const coming = everyTurn(() => {
    turns.connected();
    return !isOver;
  });
  const PIECE = 10;
  const waits: number[] = [];
  await turns.next();
  for (let i = 0; i < 5; i++) {
    const begun = performance.now();
    while (performance.now() - begun < PIECE);
    const ended = performance.now();
    await turns.next();
    waits.push(performance.now() - ended);
  }
  isOver = true;
  await coming;
  const [least] = waits.sort((a, b) => a - b);
  assert.ok(least! >= PIECE && least! < 5 * PIECE, JSON.stringify(waits));
});
