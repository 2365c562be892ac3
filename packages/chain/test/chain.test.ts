import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node, Notices, type Outcome, scale, Trail } from '@swapfold/chain';

/** A double as an exact fraction: numerator, and the power of two that divides it. */
function fractionOf(value: number): readonly [bigint, bigint] {
  let power = 0n;
  let whole = value;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    power++;
  }
  return [BigInt(whole), 2n ** power];
}

/** The distance of a double from amount / 10^decimals, times 10^decimals and the double's denominator. */
function distances(amount: bigint, decimals: number, value: number): bigint {
  const [numerator, denominator] = fractionOf(value);
  const difference = numerator * 10n ** BigInt(decimals) - amount * denominator;
  return ((difference < 0n ? -difference : difference) << 1100n) / denominator;
}

function neighbours(value: number): readonly number[] {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
  return [bits - 1n, bits + 1n].map((each) => new Float64Array(BigUint64Array.of(each).buffer)[0]!);
}

test('amounts are the double nearest to the exact quotient: neither neighbour is nearer', () => {
  let divided = 0;
  for (let i = 0; i < 3000; i++) {
    const decimals = [0, 6, 8, 18, 24][i % 5]!;
    const amount = (BigInt(i + 1) * 0x9e3779b97f4a7c15f39cc0605cedc835n) >> BigInt(i % 120);
    const value = scale(amount, decimals);
    const own = distances(amount, decimals, value);
    for (const other of neighbours(value))
      assert.ok(own <= distances(amount, decimals, other), `${amount} e-${decimals}`);
    if (Number(amount) / 10 ** decimals !== value) divided++;
  }
  assert.ok(divided > 100, `a division of doubles would differ in ${divided} of 3000`);
  assert.deepEqual([scale(1_234_567n, 6), scale(1n, 18), scale(0n, 18), scale(7n, 255)], [1.234567, 1e-18, 0, 7e-255]);
});

test('a place remembers the last 64 blocks one by one and older ones ever further apart, and begins where it ended', () => {
  const trail = Trail.from(1, 1000);
  for (let number = 1000; number < 40_000; number++) trail.push({ number, hash: `0x${number}` });
  const again = Trail.parse(trail.toPlace(), 1);
  assert.equal(again.next, 40_000);
  const depths = again.newestFirst.map(({ number }) => 39_999 - number);
  assert.deepEqual(
    depths.slice(0, 64),
    Array.from({ length: 64 }, (_, i) => i),
  );
  assert.ok(depths.length < 160, `${depths.length} blocks`);
  assert.ok(depths.at(-1)! > 8000, `back to ${depths.at(-1)}`);
  assert.ok(trail.toPlace().length < 16_000);
});

test('a place of another chain, and one of another source, are refused', () => {
  const place = Trail.from(1, 5).toPlace();
  assert.throws(() => Trail.parse(place, 10), /follows chain 1, and the node is of chain 10/);
  assert.throws(() => Trail.parse('12', 1), /none of a source of this chain/);
});

test('a node that takes a call and never answers is named within ten seconds, once, and again when it answers', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const said: string[] = [];
  let answer: (outcomes: readonly Outcome<unknown>[]) => void = () => undefined;
  const node = new Node(() => new Promise((resolve) => (answer = resolve)), {
    ...{ batch: 8, signal: new AbortController().signal, notices: new Notices((line) => said.push(line)) },
  });
  const slot = node.call('getSlot');
  t.mock.timers.tick(7000);
  assert.deepEqual(said, []);
  t.mock.timers.tick(3000);
  assert.deepEqual(said, ['The node has taken a call of getSlot and has not answered for 8 seconds.']);
  t.mock.timers.tick(20_000);
  answer([{ value: 7 }]);
  assert.equal(await slot, 7);
  assert.deepEqual(said.slice(1), ['The node answers again.']);
});
