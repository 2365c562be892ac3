import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameOf, payloadOf } from '../src/live/frame.ts';

// RFC 6455, section 5.2: FIN and text, then the length in 7 bits, in 16 after 126, in 64 after 127.
const heads: readonly [text: string, head: readonly number[]][] = [
  ['', [0x81, 0]],
  ['a'.repeat(125), [0x81, 125]],
  ['a'.repeat(126), [0x81, 126, 0, 126]],
  ['é'.repeat(63), [0x81, 126, 0, 126]],
  ['a'.repeat(65_535), [0x81, 126, 0xff, 0xff]],
  ['a'.repeat(65_536), [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
];

for (const [text, head] of heads)
  test(`a text of ${Buffer.byteLength(text)} bytes, "${text.slice(0, 1)}", is framed as RFC 6455 says`, () => {
    const frame = frameOf(text);
    assert.deepEqual([...frame.subarray(0, head.length)], head);
    assert.equal(frame.subarray(head.length).toString(), text);
    assert.equal(payloadOf(frame).toString(), text);
  });
