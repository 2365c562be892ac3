import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveConnections } from '../src/live-connections.ts';

test('what one caller subscribes to is bounded in bytes, given back once, and apart from that of others', () => {
  const connections = new LiveConnections(256, 20);
  // {"a":"12345"} has 13 bytes.
  const first = connections.hold('ann', { a: '12345' });
  assert.throws(() => connections.hold('ann', { a: '12345' }), {
    code: 'too-many-subscriptions',
    message: /would be 26 bytes, of 20/,
  });
  connections.hold('bob', { a: '12345' });
  // Seven more: {"b":1}.
  const second = connections.hold('ann', { b: 1 });
  first();
  first();
  second();
  connections.hold('ann', { a: '123456789012' });
});

test('bytes are counted, not characters; a subscription without parameters is none', () => {
  const connections = new LiveConnections(1, 4);
  connections.hold('ann', undefined);
  // Four bytes: quotes, and a letter of two.
  connections.hold('ann', 'é');
  assert.throws(() => connections.hold('ann', 1), { code: 'too-many-subscriptions' });
});
