import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chains, type KindName } from '@swapfold/evm';
import { toEventSelector, toFunctionSelector } from 'viem';
import { eventKinds, isManaged } from '../src/event-kinds.ts';
import { BEFORE_EXECUTION, TRANSFER, traderRules, USER_OPERATION } from '../src/trader-rules.ts';

const v3Swap = 'Swap(address,address,int256,int256,uint160,uint128,int24)';
const v3Created = 'PoolCreated(address,address,uint24,int24,address)';
const v2Swap = 'Swap(address,uint256,uint256,uint256,uint256,address)';
const algebra = ['Pool(address,address,address)', 'poolByPair(address,address)'] as const;

/** Of each kind the event of a swap, that of a creation, and what its factory is asked. */
const signatures: Readonly<Record<KindName, readonly [swap: string, created: string, poolOf?: string]>> = {
  v2: [v2Swap, 'PairCreated(address,address,address,uint256)', 'getPair(address,address)'],
  solidly: [v2Swap, 'PairCreated(address,address,bool,address,uint256)', 'getPair(address,address,bool)'],
  'velodrome-v2': [
    'Swap(address,address,uint256,uint256,uint256,uint256)',
    'PoolCreated(address,address,bool,address,uint256)',
    'getPool(address,address,bool)',
  ],
  v3: [v3Swap, v3Created, 'getPool(address,address,uint24)'],
  slipstream: [v3Swap, 'PoolCreated(address,address,int24,address)', 'getPool(address,address,int24)'],
  algebra: [v3Swap, ...algebra],
  'algebra-integral': ['Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)', ...algebra],
  'pancakeswap-v3': [
    'Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)',
    v3Created,
    'getPool(address,address,uint24)',
  ],
  v4: [
    'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
    'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
  ],
  'pancakeswap-infinity': [
    'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)',
    'Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)',
  ],
};

test('topics and selectors of each kind of pool are those of its signatures, and its words as many as they have', () => {
  assert.deepEqual(
    eventKinds.map(({ name }) => name),
    Object.keys(signatures),
  );
  for (const { name, swapTopic, swapWords, createdTopic, created, poolOf } of eventKinds) {
    const [swap, creation, asked] = signatures[name];
    assert.deepEqual([swapTopic, createdTopic], [toEventSelector(swap), toEventSelector(creation)], name);
    assert.equal(poolOf?.selector, asked && toFunctionSelector(asked), name);
    const fields = (signature: string): number => signature.split(',').length;
    // Two fields of each swap are indexed; of a creation, all topics but the first.
    assert.equal(swapWords, fields(swap) - 2, name);
    assert.equal(created.topics - 1 + created.words, fields(creation), name);
  }
});

test('kinds that share a topic read it alike', () => {
  for (const topicOf of ['swapTopic', 'createdTopic'] as const)
    for (const kind of eventKinds)
      for (const other of eventKinds.filter((each) => each[topicOf] === kind[topicOf])) {
        assert.equal(isManaged(other), isManaged(kind));
        if (topicOf === 'swapTopic') assert.deepEqual([other.swapWords, other.amounts], [kind.swapWords, kind.amounts]);
        else assert.deepEqual(other.created, kind.created);
      }
});

test('each known factory is of a kind that is decoded', () => {
  for (const { factories } of chains)
    for (const { kind, protocol } of factories) assert.ok(Object.hasOwn(signatures, kind), protocol);
});

const events: Readonly<Record<string, string>> = {
  'erc-4337': 'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)',
  cow: 'Trade(address,address,address,uint256,uint256,uint256,bytes)',
  uniswapx: 'Fill(bytes32,address,address,uint256)',
  '1inch-v5': 'OrderFilled(address,bytes32,uint256)',
  '1inch-v6': 'OrderFilled(bytes32,uint256)',
  safe: 'ExecutionSuccess(bytes32,uint256)',
  'safe-module': 'ExecutionFromModuleSuccess(address)',
};

test('topics of the rules for who traded are those of their events, and each rule names its source', () => {
  assert.deepEqual(Object.fromEntries(traderRules.map(({ name, topic }) => [name, topic])), mapped(events));
  assert.equal(TRANSFER, toEventSelector('Transfer(address,address,uint256)'));
  assert.equal(BEFORE_EXECUTION, toEventSelector('BeforeExecution()'));
  assert.equal(USER_OPERATION, toEventSelector(events['erc-4337']!));
  for (const { source } of traderRules) assert.ok(source.length > 10);
});

const mapped = (signatures: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(signatures).map(([name, signature]) => [name, toEventSelector(signature)]));
