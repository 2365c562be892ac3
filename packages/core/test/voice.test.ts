import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MUTE_IN, MUTE_OUT, mutesOf } from '../src/ledger/voice.ts';
import { NO_ID } from '../src/records/columns.ts';

const [X, USD, ETH] = [1, 2, 3];

/** Swaps as transaction, pool, given and received token. */
function mutes(swaps: readonly (readonly [tx: number, pool: number, tokenIn: number, tokenOut: number])[]): number[] {
  const column = (at: number) => Int32Array.from(swaps, (swap) => swap[at]!);
  const columns = { tx: column(0), pool: column(1), token_in: column(2), token_out: column(3) };
  return [...mutesOf({ length: swaps.length, columns })];
}

/** As `mutes`, of a transaction that is long enough for the other way. */
function mutesOfMany(swaps: readonly (readonly [tx: number, pool: number, tokenIn: number, tokenOut: number])[]) {
  const others = Array.from({ length: 20 }, (_, i) => [swaps[0]![0], 1000 + i, 500 + i, 600 + i] as const);
  return mutes([...swaps, ...others]).slice(0, swaps.length);
}

for (const [name, mutesIn] of Object.entries({ 'a few swaps': mutes, 'many swaps': mutesOfMany })) {
  test(`${name}: a token that goes in and out through one pool has no voice there, and its other token neither`, () => {
    const both = MUTE_IN | MUTE_OUT;
    assert.deepEqual(
      mutesIn([
        [0, 7, USD, X],
        [0, 7, X, USD],
      ]),
      [both, both],
    );
  });

  test(`${name}: a route that passes a token on from one pool to another leaves it its voice`, () => {
    assert.deepEqual(
      mutesIn([
        [0, 7, USD, X],
        [0, 8, X, USD],
      ]),
      [0, 0],
    );
  });

  test(`${name}: in a pool of three tokens the one that went both ways has no voice, the others have one`, () => {
    assert.deepEqual(
      mutesIn([
        [0, 7, USD, X],
        [0, 7, X, ETH],
      ]),
      [MUTE_OUT, MUTE_IN],
    );
  });

  test(`${name}: without pools only the way back to the same other token takes the voice`, () => {
    assert.deepEqual(
      mutesIn([
        [0, NO_ID, USD, X],
        [0, NO_ID, X, ETH],
      ]),
      [0, 0],
    );
    assert.deepEqual(
      mutesIn([
        [0, NO_ID, USD, X],
        [0, NO_ID, X, USD],
        [0, 7, X, USD],
      ]),
      [MUTE_IN | MUTE_OUT, MUTE_IN | MUTE_OUT, 0],
    );
  });

  test(`${name}: a swap of a token for itself takes no voice`, () => {
    assert.deepEqual(
      mutesIn([
        [0, 7, X, X],
        [0, 7, USD, X],
      ]),
      [0, 0],
    );
  });
}

test('another transaction takes no voice', () => {
  assert.deepEqual(
    mutes([
      [0, 7, USD, X],
      [1, 7, X, USD],
    ]),
    [0, 0],
  );
});
