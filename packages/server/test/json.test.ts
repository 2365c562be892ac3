import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@swapfold/core/host';
import fc from 'fast-check';
import { parseJson, readJson } from '../src/json.ts';
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

const names = (count: number) => `{${Array.from({ length: count }, (_, i) => `"n${i}":{}`).join(',')}}`;
const values = (count: number) => `[${Array.from({ length: count }, () => '0').join(',')}]`;

// The list around the values is one more.
for (const [because, text, says] of [
  ['256 names in an object', names(256), undefined],
  ['257 names in an object', names(257), /has an object with more than 256 fields; no request has so many\.$/],
  ['257 names in an inner object', `[{"a":${names(257)}}]`, /more than 256 fields/],
  ['256 names in each of two objects, one inside the other', `{"a":${names(256)},${names(255).slice(1)}`, undefined],
  ['one name in each of 300 objects', `[${Array.from({ length: 300 }, () => '{"a":1}').join(',')}]`, undefined],
  ['colons in texts, which name nothing', `["${':'.repeat(300)}"]`, undefined],
  ['29,999 values in a list', values(29_999), undefined],
  ['30,001 values in a list', values(30_001), /holds more than 30000 values; ask for less in one request\.$/],
  [
    '30,001 values in lists of two',
    `[${Array.from({ length: 10_001 }, () => '[0,0]').join(',')}]`,
    /more than 30000 values/,
  ],
  ['30,001 empty objects', values(30_001).replaceAll('0', '{}'), /more than 30000 values/],
  ['30,001 commas in a text', `["${','.repeat(30_001)}"]`, undefined],
  [
    'an end without a beginning, then names',
    `]${names(3)}`.padEnd(70),
    /is not JSON: unexpected "\]" at line 1, column 1\.$/,
  ],
] as const)
  test(`a body with ${because} is ${says === undefined ? 'read' : 'refused'}`, () => {
    const read = () => finish(readJson(Buffer.from(text)));
    if (says === undefined) assert.deepEqual(read(), JSON.parse(text));
    else assert.throws(read, { code: 'invalid-json', message: says });
  });

test('a long body is read, and its fault found, with pauses', () => {
  const pausesIn = (text: string): number => {
    const work = readJson(Buffer.from(text));
    try {
      for (let pauses = 0; ; pauses++) if (work.next().done) return pauses;
    } catch (error) {
      assert.match((error as Error).message, /line 200001, column 1\.$/);
      return -1;
    }
  };
  // One each 65,536 characters.
  assert.equal(pausesIn(`"${'a'.repeat(1_000_000)}"`), 15);
  assert.equal(pausesIn(`${'\n'.repeat(200_000)}?`), -1);
});

test('a row or a message, which is short by itself, may hold any number of names and values', () => {
  for (const text of [names(300), values(30_001)]) assert.deepEqual(parseJson(Buffer.from(text)), JSON.parse(text));
});
