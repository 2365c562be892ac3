import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapfoldError } from '@swapfold/core';
import { recordedSource, type SlotBlock, type SolanaSourceOptions, solanaSource } from '@swapfold/solana';
import { key } from '../packages/solana/test/support/transaction.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { random } from './support/killable.ts';
import { branchOf, chainOf } from './support/solana-chain.ts';
import { type Fault, type StandInBlock, StandInNode } from './support/solana-node.ts';
import { cases } from './support/whole.ts';

const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
const config = { preset: 'solana' } as const;
const FROM = 5000;
const small = chainOf({ from: FROM, slots: 40, swaps: 4, next: random(7) });
const last = small.at(-1)!.slot;
const swapsIn = (blocks: readonly StandInBlock[]): number =>
  blocks.reduce((all, { transactions }) => all + transactions.length, 0);

/** Follows a node up to its newest slot into a store in memory: how many swaps it has, and what was said. */
async function follow(url: string, options: Partial<SolanaSourceOptions> = {}) {
  const said: string[] = [];
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const source = solanaSource({
    url,
    from_slot: FROM,
    to_slot: 'latest',
    poll_ms: 5,
    onNotice: (line) => said.push(line),
    ...options,
  });
  const result = await dex.follow(source);
  return { dex, result, said, source };
}

/** A fault the first times that a call comes. */
function times(count: number, method: string, fault: Fault): StandInNode['fault'] {
  let left = count;
  return (asked) => (asked === method && left-- > 0 ? fault : undefined);
}

test('slots without a block are passed over, and each swap of the others is stored', async () => {
  const node = await StandInNode.start(small);
  const { result, said } = await follow(node.url);
  assert.equal(result.added, swapsIn(small));
  assert.ok(last - FROM + 1 > small.length, 'some slots have no block');
  assert.deepEqual(said, []);
  await node.stop();
});

test('a swap has what its transaction cost the wallet, and its balances before and after', async () => {
  const node = await StandInNode.start(small);
  const { dex } = await follow(node.url);
  const { data } = await dex.swaps.list({ limit: 1 });
  const [swap] = data;
  const { fee_native, pre_token_balance_in: before, post_token_balance_in: after, token_amount_in } = swap!;
  assert.equal(fee_native, 0.000005);
  assert.ok(Math.abs(before! - after! - token_amount_in) < 1e-5);
  await node.stop();
});

const passing: readonly (readonly [string, StandInNode['fault'], RegExp?])[] = [
  ['429 without Retry-After', times(2, 'getBlock', { status: 429 }), /does not answer/],
  ['429 with Retry-After', times(2, 'getBlock', { status: 429, retryAfter: '0' }), /does not answer/],
  [
    'an answer that is cut short',
    times(2, 'getBlock', { body: '{"jsonrpc":"2.0","id":0,"result":{"blockhash":"' }),
    /does not answer/,
  ],
  ['a connection that is closed', times(1, 'getBlock', 'hang up')],
  [
    'a node that is behind (-32005)',
    times(2, 'getBlock', { code: -32005, message: 'Node is behind by 42 slots' }),
    /behind by 42/,
  ],
  [
    'a block that is not there yet (-32004)',
    times(3, 'getBlock', { code: -32004, message: 'Block not available for slot 5000' }),
  ],
  [
    'a block whose status is not known yet (-32014)',
    times(3, 'getBlock', { code: -32014, message: 'Block status not yet available for slot' }),
  ],
  ['no block', times(3, 'getBlock', { result: null })],
  ['a balancer whose other node is behind', times(3, 'getSlot', { result: FROM - 20 })],
];

for (const [name, fault, says] of passing)
  test(`${name}: it is asked again, and nothing is missing or twice`, async () => {
    const node = await StandInNode.start(small);
    node.fault = fault;
    const { result, said } = await follow(node.url, { to_slot: last });
    assert.deepEqual([result.added, result.duplicate], [swapsIn(small), 0]);
    if (says !== undefined) assert.match(said.join('\n'), says);
    await node.stop();
  });

test('a slot that a node says has no block, though the next block follows it, is asked for again, and said once', async () => {
  const node = await StandInNode.start(small);
  const lost = small[5]!.slot;
  let left = 2;
  node.fault = (method, [slot]) =>
    method === 'getBlock' && slot === lost && left-- > 0
      ? { code: -32009, message: `Slot ${lost} was skipped` }
      : undefined;
  const { result, said } = await follow(node.url);
  assert.equal(result.added, swapsIn(small));
  assert.equal(said.filter((line) => line.includes('is asked again')).length, 1);
  await node.stop();
});

test('transactions of a later version are asked for once the node names it', async () => {
  const node = await StandInNode.start(small);
  node.fault = (method, [, options]) =>
    method === 'getBlock' &&
    (options as { maxSupportedTransactionVersion?: number }).maxSupportedTransactionVersion === 0
      ? { code: -32015, message: 'Transaction version (1) is not supported by the requesting client.' }
      : undefined;
  const { result, said } = await follow(node.url);
  assert.equal(result.added, swapsIn(small));
  assert.deepEqual(said, ['The chain has transactions of version 1, which are asked for from now on.']);
  await node.stop();
});

test('a node that has removed the first slot ends the source with the slot and what would do', async () => {
  const node = await StandInNode.start(small);
  node.fault = times(9, 'getBlock', {
    code: -32001,
    message: 'Block 5000 cleaned up, does not exist on node. First available block: 5020.',
  });
  await assert.rejects(follow(node.url), (error: SwapfoldError) => {
    assert.equal(error.code, 'source-failed');
    assert.match(error.message, /slot 5000 any more.*First available block: 5020.*Begin at a later slot/);
    return true;
  });
  await node.stop();
});

test('a node of another chain is refused by the place that the store remembers', async () => {
  const node = await StandInNode.start(small);
  const { dex } = await follow(node.url, { to_slot: FROM + 5 });
  node.fault = (method) => (method === 'getGenesisHash' ? { result: 'another' } : undefined);
  const source = solanaSource({ url: node.url, to_slot: last });
  await assert.rejects(dex.follow(source), {
    code: 'invalid-input',
    message: /follows chain a stand-in chain, and the node is of chain another/,
  });
  await node.stop();
});

test('a fork is taken back to the block that both have, also one that happened while nothing followed', async () => {
  const branch = branchOf(small, small[20]!.slot, { slots: 30, swaps: 4, next: random(8) });
  const node = await StandInNode.start(small);
  const { dex, said } = await follow(node.url);
  node.give(branch);
  const source = solanaSource({
    url: node.url,
    to_slot: branch.at(-1)!.slot,
    poll_ms: 5,
    onNotice: (line) => said.push(line),
  });
  const result = await dex.follow(source);
  assert.equal(result.rolled_back, swapsIn(small.slice(21)));
  assert.equal((await dex.swaps.list({ limit: 1 })).count, swapsIn(branch));
  assert.deepEqual(said, [
    `The chain has changed from slot ${small[20]!.slot + 1} on: what was read of slots ${small[20]!.slot + 1} to ${last} is taken back.`,
  ]);
  await node.stop();
});

// What a fork takes back is a rollback, which test/rollback.test.ts makes on every engine.
test(`forks of depth 1 to 30, at random, leave what one import of the last chain gives (seed ${SEED})`, () =>
  withFolder(async (folder) => {
    const next = random(SEED);
    let chain = chainOf({ from: FROM, slots: 40, swaps: 3, next });
    const node = await StandInNode.start(chain);
    const storage = engines.sqlite!(folder);
    const dex = await Swapfold.open({ storage, config });
    const catchUp = async (): Promise<void> => {
      const to_slot = chain.at(-1)!.slot;
      await dex.follow(
        solanaSource({ url: node.url, from_slot: FROM, to_slot, poll_ms: 2, onNotice: () => undefined }),
      );
    };
    await catchUp();
    for (let fork = 0; fork < cases(30, 6); fork++) {
      const depth = 1 + Math.floor(next() * 30);
      chain = branchOf(chain, chain.at(-1)!.slot - depth, {
        slots: depth + 1 + Math.floor(next() * 5),
        swaps: 3,
        next,
      });
      node.give(chain);
      await catchUp();
    }
    const undisturbed = engines.sqlite!(folder, 1);
    const whole = await Swapfold.open({ storage: undisturbed, config });
    await whole.follow(
      solanaSource({ url: node.url, from_slot: FROM, to_slot: chain.at(-1)!.slot, onNotice: () => undefined }),
    );
    await dex.refresh();
    await whole.refresh();
    const [ours, theirs] = [await dumpStore(dex, storage), await dumpStore(whole, undisturbed)];
    const isPlace = (line: string): boolean => line.startsWith('places');
    assert.deepEqual(
      firstDifferences(
        ours.filter((line) => !isPlace(line)),
        theirs.filter((line) => !isPlace(line)),
      ),
      [],
    );
    await dex.close();
    await whole.close();
    await node.stop();
  }));

test('blocks of a stream are followed as those of a node, a block of another branch included, and a missing one is an error', async () => {
  const branch = branchOf(small, small[30]!.slot, { slots: 20, swaps: 4, next: random(9) });
  const stream: readonly SlotBlock[] = [...small, ...branch.slice(31)];
  const blocksOf = (blocks: readonly SlotBlock[]) =>
    async function* (from: number) {
      for (const block of blocks) if (block.slot >= from || blocks === stream) yield block;
    };
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.follow(solanaSource({ blocks: blocksOf(stream), from_slot: FROM, onNotice: () => undefined }));
  assert.equal((await dex.swaps.list({ limit: 1 })).count, swapsIn(branch));
  const gap = solanaSource({
    blocks: blocksOf([...small.slice(0, 4), ...small.slice(5)]),
    from_slot: FROM,
    name: 'gap',
  });
  await assert.rejects(dex.follow(gap), { code: 'source-failed', message: /"blocks" has to give the blocks between/ });
});

test('the transactions of a wallet are read from the newest to the oldest, what was cut short goes on, and what is new comes later', async () => {
  const chain = chainOf({ from: FROM, slots: 150, swaps: 8, next: random(11) });
  const early = chain.filter(({ slot }) => slot < FROM + 120);
  const node = await StandInNode.start(early);
  const wallet = key('wallet 3');
  const own = (blocks: readonly StandInBlock[]): number =>
    blocks
      .flatMap(({ transactions }) => transactions)
      .filter(({ transaction }) => transaction.message.accountKeys[0] === wallet).length;
  assert.ok(own(early) > 50);
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const stop = new AbortController();
  const of = { url: node.url, wallets: [wallet], to_slot: 'latest', onNotice: () => undefined } as const;
  await assert.rejects(dex.follow(solanaSource(of), { signal: stop.signal, onItem: () => stop.abort() }), {
    code: 'aborted',
  });
  const { count: begun } = await dex.swaps.list({ limit: 1 });
  assert.ok(begun! > 0 && begun! < own(early));
  node.give(chain);
  const rest = await dex.follow(solanaSource(of));
  assert.equal(rest.duplicate, 0);
  assert.equal((await dex.swaps.list({ limit: 1 })).count, own(chain));
  assert.deepEqual((await dex.swaps.list({ limit: 100, wallet })).count, own(chain));
  const before = node.calls.get('getTransaction');
  await dex.follow(solanaSource(of));
  assert.equal(node.calls.get('getTransaction'), before);
  await node.stop();
});

test('with "since", older transactions of a token are not read', async () => {
  const node = await StandInNode.start(small);
  const since = small[20]!.blockTime!;
  const mint = key('token 2');
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.follow(solanaSource({ url: node.url, mints: [mint], since, to_slot: 'latest' }));
  const { data } = await dex.swaps.list({ limit: 100 });
  assert.ok(data.every((swap) => swap.block_time >= since && [swap.token_in, swap.token_out].includes(mint)));
  await node.stop();
});

const wrong: readonly (readonly [SolanaSourceOptions, string])[] = [
  [{}, '"url" of solanaSource: give one of "url", "transport" and "blocks".'],
  [{ url: 'ws://node' }, '"url" of solanaSource: expected an address that begins with http:// or https://.'],
  [{ url: 'http://node', from_slot: -1 }, '"from_slot" of solanaSource: expected a whole number from 0, received -1.'],
  [
    { url: 'http://node', wallets: ['0x12'] },
    '"wallets.0" of solanaSource: expected an address of 32 bytes in base 58, received "0x12".',
  ],
  [
    { url: 'http://node', since: 5 },
    '"since" of solanaSource: give "wallets" or "mints" with it; of all transactions, give "from_slot".',
  ],
  [
    { url: 'http://node', commitment: 'processed' as 'confirmed' },
    '"commitment" of solanaSource: expected "confirmed" or "finalized", received "processed".',
  ],
];
for (const [options, message] of wrong)
  test(`wrong options: ${message}`, () => {
    assert.throws(() => solanaSource(options), { code: 'invalid-input', message });
  });

test('a branch of a stream that grew while the process was down is taken up from an older slot', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const branch = branchOf(small, small[30]!.slot, { slots: 20, swaps: 4, next: random(9) });
  const opened: number[] = [];
  const sourceOf = (blocks: readonly SlotBlock[]) =>
    solanaSource({
      blocks: async function* (from: number) {
        opened.push(from);
        for (const block of blocks) if (block.slot >= from) yield block;
      },
      from_slot: FROM,
      onNotice: () => undefined,
    });
  await dex.follow(sourceOf(small));
  await dex.follow(sourceOf(branch));
  assert.equal((await dex.swaps.list({ limit: 1 })).count, swapsIn(branch));
  assert.equal(opened.length, 3);
  assert.ok(opened[2]! <= small[30]!.slot);
  await dex.close();
});

test('a node that gives fewer signatures than there are is asked until it has none', async () => {
  const node = await StandInNode.start(small);
  node.mostSignatures = 3;
  const wallet = key('wallet 3');
  const own = small
    .flatMap(({ transactions }) => transactions)
    .filter(({ transaction }) => transaction.message.accountKeys[0] === wallet).length;
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.follow(solanaSource({ url: node.url, wallets: [wallet], to_slot: 'latest' }));
  assert.ok(own > 6);
  assert.equal((await dex.swaps.list({ limit: 1 })).count, own);
  await node.stop();
});

test('what an earlier "since" left out is read once an older one is given, or none', async () => {
  const node = await StandInNode.start(small);
  const wallet = key('wallet 3');
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const counts: (number | undefined)[] = [];
  for (const since of [small[30]!.blockTime!, small[15]!.blockTime!, small[25]!.blockTime!, undefined, undefined]) {
    await dex.follow(solanaSource({ url: node.url, wallets: [wallet], since, to_slot: 'latest' }));
    counts.push((await dex.swaps.list({ limit: 1 })).count);
  }
  const ownFrom = (time: number): number =>
    small
      .filter(({ blockTime }) => blockTime! >= time)
      .flatMap(({ transactions }) => transactions)
      .filter(({ transaction }) => transaction.message.accountKeys[0] === wallet).length;
  const [late, early, all] = [ownFrom(small[30]!.blockTime!), ownFrom(small[15]!.blockTime!), ownFrom(0)];
  assert.ok(late < early && early < all);
  assert.deepEqual(counts, [late, early, early, all, all]);
  await node.stop();
});

test('blocks that come after the transactions of a wallet bring the swaps of the others', async () => {
  const node = await StandInNode.start(small);
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.follow(solanaSource({ url: node.url, wallets: [key('wallet 3')], to_slot: 'latest' }));
  const { conflicting } = await dex.follow(solanaSource({ url: node.url, from_slot: FROM, to_slot: 'latest' }));
  assert.equal(conflicting, 0);
  assert.equal((await dex.swaps.list({ limit: 1 })).count, swapsIn(small));
  await node.stop();
});

test('another file of recorded blocks under the same name is read from its beginning', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const sourceOf = (blocks: readonly SlotBlock[]) =>
    recordedSource({
      name: 'blocks.ndjson',
      async *records() {
        yield* blocks;
      },
    });
  await dex.follow(sourceOf(small.slice(0, 4)));
  await dex.follow(sourceOf(small.slice(0, 6)));
  assert.equal((await dex.swaps.list({ limit: 1 })).count, swapsIn(small.slice(0, 6)));
  await dex.follow(sourceOf(small.slice(6, 9)));
  assert.equal((await dex.swaps.list({ limit: 1 })).count, swapsIn(small.slice(0, 9)));
  await dex.close();
});

test('a fork below the first slot that was followed begins there again, of a node and of a stream', async () => {
  const branch = chainOf({ from: FROM, slots: 45, swaps: 4, next: random(11) });
  const first = FROM + 3;
  const wanted = swapsIn(branch.filter(({ slot }) => slot >= first));
  const node = await StandInNode.start(small);
  const { dex } = await follow(node.url, { from_slot: first });
  node.give(branch);
  const onNotice = (): void => undefined;
  await dex.follow(solanaSource({ url: node.url, to_slot: branch.at(-1)!.slot, poll_ms: 5, onNotice }));
  assert.equal((await dex.swaps.list({ limit: 1 })).count, wanted);
  await node.stop();

  const streamed = await Swapfold.open({ storage: engines.memory!(''), config });
  for (const chain of [small, branch]) {
    async function* blocks(from: number) {
      for (const block of chain) if (block.slot >= from) yield block;
    }
    await streamed.follow(solanaSource({ blocks, from_slot: first, onNotice }));
  }
  assert.equal((await streamed.swaps.list({ limit: 1 })).count, wanted);
});

test('a stream that lacks the blocks of a branch again and again is opened again each time', async () => {
  const second = branchOf(small, small[25]!.slot, { slots: 20, swaps: 4, next: random(12) });
  const third = branchOf(second, second.at(-5)!.slot, { slots: 20, swaps: 4, next: random(13) });
  let opened = 0;
  // What was open goes on with the newest block of the next branch, and says nothing of those below it.
  async function* blocks(from: number) {
    opened++;
    if (opened === 1) yield* [...small, second.at(-1)!];
    else if (opened === 2) yield* [...second.filter(({ slot }) => slot >= from), third.at(-1)!];
    else yield* third.filter(({ slot }) => slot >= from);
  }
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.follow(solanaSource({ blocks, from_slot: FROM, onNotice: () => undefined }));
  assert.deepEqual([(await dex.swaps.list({ limit: 1 })).count, opened], [swapsIn(third), 3]);
});

test('a transaction of an unknown form is counted, and the others of its block are read', async () => {
  const { slot, transactions } = small.find((block) => block.transactions.length > 1)!;
  const odd = structuredClone(transactions[0]!);
  Object.assign(odd.meta!, { loadedAddresses: {} });
  const chain = small.map((block) =>
    block.slot === slot ? { ...block, transactions: [odd, ...transactions.slice(1)] } : block,
  );
  const node = await StandInNode.start(chain);
  const { result, source } = await follow(node.url);
  assert.deepEqual([result.added, source.undecoded.malformed], [swapsIn(small) - 1, 1]);
  await node.stop();
});

test('a block whose time the node does not know yet is asked for it again', async () => {
  const block = small.find(({ transactions }) => transactions.length > 0)!;
  const node = await StandInNode.start(small);
  let asked = 0;
  node.fault = (method, [slot]) => {
    if (slot !== block.slot) return undefined;
    if (method === 'getBlock') return { result: { ...block, blockTime: null } };
    return method === 'getBlockTime' ? { result: asked++ === 0 ? null : block.blockTime } : undefined;
  };
  const { result } = await follow(node.url);
  assert.deepEqual([result.added, asked], [swapsIn(small), 2]);
  await node.stop();
});

test('a hash that one of several nodes does not have yet is asked for again while a fork is looked for', async () => {
  const branch = branchOf(small, small[20]!.slot, { slots: 30, swaps: 4, next: random(8) });
  const node = await StandInNode.start(small);
  const { dex, said } = await follow(node.url);
  node.give(branch);
  let left = 2;
  node.fault = (method, [, options]) =>
    method === 'getBlock' && options?.transactionDetails === 'none' && left-- > 0 ? { result: null } : undefined;
  const onNotice = (line: string): unknown => said.push(line);
  await dex.follow(solanaSource({ url: node.url, to_slot: branch.at(-1)!.slot, poll_ms: 5, onNotice }));
  assert.equal((await dex.swaps.list({ limit: 1 })).count, swapsIn(branch));
  assert.match(said.join('\n'), new RegExp(`from slot ${small[20]!.slot + 1} on`));
  await node.stop();
});

test('a stream whose blocks do not fit each other is an error, also among the first', async () => {
  const [first, second] = small as [StandInBlock, StandInBlock];
  async function* blocks(from: number) {
    yield* [first, { ...second, previousBlockhash: key('another') }].filter(({ slot }) => slot >= from);
  }
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const source = solanaSource({ blocks, from_slot: FROM, onNotice: () => undefined });
  await assert.rejects(dex.follow(source, { signal: AbortSignal.timeout(5000) }), { code: 'source-failed' });
});
