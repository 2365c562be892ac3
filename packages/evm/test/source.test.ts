import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwapfoldError } from '@swapfold/core';
import { chains, evmSource } from '@swapfold/evm';
import { failureOf } from '../src/node-errors.ts';
import { signedWord, word } from '../src/words.ts';

test('words are read as unsigned and as two-complement numbers', () => {
  const data = `0x${'f'.repeat(64)}${'0'.repeat(63)}5`;
  assert.deepEqual([word(data, 0), word(data, 1)], [2n ** 256n - 1n, 5n]);
  assert.deepEqual([signedWord(data, 0), signedWord(data, 1)], [-1n, 5n]);
});

test('what nodes and providers say is understood', () => {
  const rows: readonly (readonly [string, object])[] = [
    [
      'too-much',
      { code: -32005, message: 'query returned more than 10000 results. Try with this block range [0x1, 0x2].' },
    ],
    [
      'too-much',
      {
        code: -32602,
        message: 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range',
      },
    ],
    ['too-much', { code: -32000, message: 'exceed maximum block range: 5000' }],
    ['too-much', { code: -32614, message: 'eth_getLogs is limited to a 10,000 range' }],
    ['too-much', { code: 35, message: 'ranges over 10000 blocks are not supported on freetier' }],
    ['too-much', { code: -32600, message: 'Block range limit exceeded. See more details at the documentation' }],
    ['too-much', { code: -32600, message: 'batch too large' }],
    ['too-much', { code: -32000, message: 'invalid block range' }],
    ['rate-limited', { code: 429, message: 'Your app has exceeded its compute units per second capacity.' }],
    ['rate-limited', { code: -32005, message: 'daily request count exceeded, request rate limited' }],
    ['rate-limited', { code: -32007, message: '15/second request limit reached - reduce calls per second' }],
    ['rate-limited', { code: -32005, message: 'limit exceeded' }],
    ['unknown-block', { code: -32000, message: 'unknown block' }],
    ['unknown-block', { code: -32000, message: 'header not found' }],
    ['unknown-block', { code: -32602, message: 'BlockOutOfRangeError: block height is 0 but requested was 16' }],
    ['unknown-block', { code: -32000, message: 'block range extends beyond current head block' }],
    ['unknown-block', { code: -32000, message: 'missing trie node 0a1b (path )' }],
    ['unsupported', { code: -32601, message: 'Method not found' }],
    ['unsupported', { code: -32601, message: 'the method eth_getBlockReceipts does not exist/is not available' }],
    ['unsupported', { code: -32000, message: 'unsupported method: eth_getBlockReceipts' }],
    ['reverted', { code: 3, message: 'execution reverted' }],
    ['reverted', { code: 3, message: 'execution reverted: rate limit exceeded' }],
    ['reverted', { code: -32003, message: 'EVM error: InvalidFEOpcode' }],
    ['reverted', { code: -32000, message: 'return data out of bounds' }],
    ['reverted', { code: -32000, message: 'stack limit reached 1024 (1023)' }],
    ['reverted', { code: -32000, message: 'gas uint64 overflow' }],
    ['reverted', { code: -32015, message: 'VM execution error.' }],
    ['unavailable', { code: -32603, message: 'Internal error' }],
    ['unavailable', { message: 'fetch failed' }],
  ];
  for (const [kind, said] of rows) assert.equal(failureOf(said).kind, kind, JSON.stringify(said));
});

test('a failure does not repeat the address of a node, which may hold a key', () => {
  const { message } = failureOf(new Error('Failed to parse URL from https://node.example/v2/secret-key'));
  assert.doesNotMatch(message, /secret-key/);
});

test('wrong options name the option, the value and what would do', () => {
  const url = 'http://127.0.0.1:1';
  const A = `0x${'a'.repeat(40)}`;
  const rows: readonly (readonly [RegExp, object])[] = [
    [/give either "url" or "transport"/, { pools: [A] }],
    [/"url".*begins with http/, { url: 'node.example', pools: [A] }],
    [/give either "pools" or "factories"/, { url }],
    [/give either "pools" or "factories"/, { url, pools: [A], factories: [A] }],
    [/"pools" .*not empty/, { url, pools: [] }],
    [/"pools.1".*40 hexadecimal digits, received "0x12"/, { url, pools: [A, '0x12'] }],
    [/"factories.0".*one of/, { url, factories: ['uniswop'] }],
    [/"from_block".*whole number from 0, received -1/, { url, pools: [A], from_block: -1 }],
    [/"batch".*whole number from 1, received 0/, { url, pools: [A], batch: 0 }],
    [/give either "pools" or "factories" and "managers"/, { url, pools: [A], managers: [A] }],
    [/"managers" .*not empty/, { url, managers: [] }],
    [
      /"managers.0".*40 hexadecimal digits, or one of .*uniswap-v4.*; received "uniswap-v5"/,
      { url, managers: ['uniswap-v5'] },
    ],
    [/"native_token".*40 hexadecimal digits, received "WETH"/, { url, managers: [A], native_token: 'WETH' }],
    [/"wallet".*"trader", "sender" or "recipient", received "router"/, { url, pools: [A], wallet: 'router' }],
    [/"tokens.0.decimals"/, { url, pools: [A], tokens: [{ address: A, decimals: 1.5 }] }],
    [/Unknown option "from_blok" of evmSource. Did you mean "from_block"/, { url, pools: [A], from_blok: 1 }],
  ];
  for (const [message, options] of rows)
    assert.throws(
      () => evmSource(options),
      (error) => error instanceof SwapfoldError && error.code === 'invalid-input' && message.test(error.message),
      JSON.stringify(options),
    );
});

test('sources that would give other swaps have other names, the same have the same', () => {
  const url = 'http://127.0.0.1:1';
  const [A, B] = [`0x${'a'.repeat(40)}`, `0x${'B'.repeat(40)}`];
  const { name } = evmSource({ url, pools: [A!, B!] });
  assert.equal(evmSource({ url: 'http://127.0.0.1:2', pools: [B!.toLowerCase().replace('0X', '0x'), A!] }).name, name);
  for (const options of [
    { pools: [A!] },
    { factories: [A!, B!], wallet: 'recipient' as const },
    { pools: [A!, B!], wallet: 'sender' as const },
    { factories: [A!] },
    { managers: [B!] },
  ])
    assert.notEqual(evmSource({ url, ...options }).name, name);
});

test('known factories are addresses in lower case, each once on its chain, with a source', () => {
  assert.equal(new Set(chains.map(({ id }) => id)).size, chains.length);
  for (const { factories } of chains) {
    for (const { address, source } of factories) {
      assert.match(address, /^0x[0-9a-f]{40}$/);
      assert.match(source, /^(@[a-z-]+\/)?[a-z0-9-]+ \d+\.\d+\.\d+$/);
    }
    assert.equal(new Set(factories.map(({ address }) => address)).size, factories.length);
    assert.equal(new Set(factories.map(({ protocol }) => protocol)).size, factories.length);
  }
});
