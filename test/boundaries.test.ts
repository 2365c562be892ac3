import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixtures } from './boundaries/fixtures.ts';
import { answersOf, at, openFixture } from './support/fixture.ts';

/** Part by which a number may differ from one worked by hand: the last bits of the sums on the way. */
const TOLERANCE = 1e-12;

/** The value itself, or a number that is as good as the expected one. */
function asExpected(actual: unknown, expected: unknown): unknown {
  const isClose =
    typeof actual === 'number' &&
    typeof expected === 'number' &&
    Math.abs(actual - expected) <= TOLERANCE * Math.abs(expected);
  if (isClose) return expected;
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length)
    return actual.map((item, i) => asExpected(item, expected[i]));
  return actual;
}

for (const fixture of fixtures) {
  test(fixture.title, async () => {
    const dex = await openFixture(fixture);
    const expected = fixture.expected ?? {};
    const answers = await answersOf(dex, Object.keys(expected), fixture.asOf);
    const actual = Object.fromEntries(
      Object.entries(expected).map(([path, value]) => [path, asExpected(at(answers, path), value)]),
    );
    assert.deepEqual(actual, expected);
    for (const [name, request, answer] of fixture.asks ?? []) assert.deepEqual(await dex.call(name, request), answer);
    await dex.close();
  });
}
