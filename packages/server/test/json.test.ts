import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@swapfold/core/host';
import fc from 'fast-check';
import { parseJson } from '../src/json.ts';
import { jsonFault } from '../src/json-fault.ts';

const faults: readonly (readonly [because: string, text: string, at: number | undefined])[] = [
  ['a value', '{"a": [1, -2.5e+3, "\\u00e9\\n", true, false, null, {}, []]}', undefined],
  ['spaces around', ' \t\r\n1 ', undefined],
  ['an empty text', '', 0],
  ['an object that does not end', '{"a": 1', 7],
  ['an array that does not end', '[1,', 3],
  ['a text that does not end', '["a', 3],
  ['a comma before }', '{"a":1,}', 7],
  ['a comma before ]', '[1,]', 3],
  ['no comma', '[1 2]', 3],
  ['no colon', '{"a" 1}', 5],
  ['no value', '{"a":}', 5],
  ['a number for a key', '{1:2}', 1],
  ['the wrong bracket', '[1}', 2],
  ['a bracket too many', '[]]', 2],
  ['a leading zero', '01', 1],
  ['a bare dot', '1.', 1],
  ['a plus sign', '+1', 0],
  ['a word', 'nul', 0],
  ['an unknown escape', '"\\x"', 1],
  ['a short escape', '"\\u12"', 1],
  ['a control character', '"a\tb"', 2],
  ['a no-break space', '\u00a01', 0],
];
for (const [because, text, at] of faults) {
  test(`where a text stops being JSON: ${because}`, () => {
    assert.equal(finish(jsonFault(text)), at);
  });
}

test('a text has a fault exactly where JSON.parse throws, and JSON breaks at its first wrong character', () => {
  const characters = fc.constantFrom(...'{}[]:,"\\u0e+-.1tnf \n\u0001é'.split(''));
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.nat({ max: 3 }), fc.string({ unit: characters, maxLength: 3 }))
    .map(([json, at, removed, added]) => {
      const start = at % (json.length + 1);
      return json.slice(0, start) + added + json.slice(start + removed);
    });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string({ unit: characters }), fc.json()), (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      const at = finish(jsonFault(text));
      assert.equal(at === undefined, isJson);
      if (at !== undefined) assert.ok(at >= 0 && at <= text.length);
    }),
    { seed: 20240105, numRuns: 5000 },
  );
});

test('what comes before a fault is a beginning of JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      const cut = json.slice(0, at % (json.length + 1));
      const fault = finish(jsonFault(`${cut}\u0001`));
      assert.ok(fault === undefined || fault <= cut.length);
    }),
    { seed: 20240105, numRuns: 1000 },
  );
});

test('a body that is not UTF-8 leaves nothing behind for the next', () => {
  assert.throws(() => parseJson(Buffer.from([0x22, 0xe2, 0x82])), { code: 'invalid-json' });
  assert.deepEqual(parseJson(Buffer.from('{"a": "\u20ac"}')), { a: '\u20ac' });
});

test('levels are counted in lists and objects alike, and brackets in texts are none', () => {
  const nested = (levels: number, text: string) => `${'[{"a":'.repeat(levels / 2)}${text}${'}]'.repeat(levels / 2)}`;
  assert.doesNotThrow(() => parseJson(Buffer.from(nested(64, '"\\"[[{{"'))));
  assert.throws(() => parseJson(Buffer.from(nested(64, '[]'))), /nested deeper than 64 levels/);
});
