import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SourceItem } from '@swapfold/core';
import { type SolanaSourceOptions, solanaSource } from '@swapfold/solana';
import { made, sale, who } from './support/swaps.ts';
import { anchor, call, key } from './support/transaction.ts';

const CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const [FROM, LAST, HEAD] = [100, 109, 112];
/** A slot that never has a block. */
const EMPTY = 104;
const TIME = 1_730_000_000;

const swap = call(CLMM, [key('a'), key('b'), who.pool], anchor('swap'), ...sale(who.pool, false));
const transactionIn = (slot: number) => made([swap], { slot, signature: `signature${slot}` });
const slots = Array.from({ length: HEAD + 1 }, (_, slot) => slot).filter((slot) => slot >= FROM - 1 && slot !== EMPTY);
const parentOf = (slot: number): number => (slot - 1 === EMPTY ? slot - 2 : slot - 1);

type Answer = (method: string, first: unknown) => unknown;
const refuse = (code: number, message: string): never => {
  throw Object.assign(new Error(message), { code });
};

/** Nothing, until the transport no longer waits, as that of `url` does after half a minute. */
const silence = (): Promise<never> =>
  new Promise((_, reject) => {
    const error = Object.assign(new Error('The request took too long to respond.'), { name: 'TimeoutError' });
    setTimeout(() => reject(error), 30_000);
  });

/** What a good node answers. The address has the transactions of all slots of the range. */
const good =
  (finalized: number): Answer =>
  (method, first) => {
    const slot = first as number;
    switch (method) {
      case 'getGenesisHash':
        return 'chain';
      case 'getSlot':
        return (first as { commitment: string }).commitment === 'finalized' ? finalized : HEAD;
      case 'getBlock':
        return slots.includes(slot)
          ? {
              ...{ blockhash: `h${slot}`, previousBlockhash: `h${parentOf(slot)}`, parentSlot: parentOf(slot) },
              ...{ blockTime: TIME + slot, transactions: [transactionIn(slot)] },
            }
          : refuse(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
      case 'getBlockTime':
        return TIME + slot;
      case 'getTransaction':
        return { ...transactionIn(Number((first as string).slice(9))), blockTime: TIME, transactionIndex: 0 };
      case 'getSignatureStatuses':
        return { value: [{ slot: 1 }] };
      default:
        return refuse(-32601, `Method not found: ${method}`);
    }
  };

/** Faults, each as what a node answers in place of a good one; `undefined` where it is good. */
const faults: Readonly<Record<string, (good: Answer, of: { method: string; first: unknown }) => unknown>> = {
  'the first block, which it calls skipped (-32007)': (_, { method, first }) =>
    method === 'getBlock' && first === FROM ? refuse(-32007, 'Slot 100 was skipped') : undefined,
  'the first two blocks, which it calls missing (-32009)': (_, { method, first }) =>
    method === 'getBlock' && (first === FROM || first === FROM + 1) ? refuse(-32009, 'Slot was skipped') : undefined,
  'the last block, which it calls skipped': (_, { method, first }) =>
    method === 'getBlock' && first === LAST ? refuse(-32007, 'Slot 109 was skipped') : undefined,
  'a block between, which it calls missing': (_, { method, first }) =>
    method === 'getBlock' && first === 106 ? refuse(-32009, 'Slot 106 was skipped') : undefined,
  'a block, of which it says null': (_, { method, first }) =>
    method === 'getBlock' && first === 106 ? null : undefined,
  'the time of a block': (answer, { method, first }) => {
    if (method === 'getBlockTime') return null;
    if (method !== 'getBlock' || first !== 106) return undefined;
    return { ...(answer(method, first) as object), blockTime: null };
  },
  'all answers but the first': (_, { method }) =>
    method === 'getGenesisHash' ? undefined : refuse(429, 'Too many requests'),
  'any answer to its calls, nor a refusal': () => silence(),
  'any answer for a block, nor a refusal': (_, { method, first }) =>
    method === 'getBlock' && first === 106 ? silence() : undefined,
};

/** Reads a source, on a clock that is moved on a quarter of a second each time nothing else is to be done, for at most so many seconds. */
async function read(
  t: TestContext,
  answer: Answer,
  seconds: number,
  of: Partial<SolanaSourceOptions>,
  after: string | null = null,
) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const said: string[] = [];
  const source = solanaSource({
    transport: (method, [first], { signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        Promise.resolve()
          .then(() => answer(method, first))
          .then(resolve, reject);
      }),
    ...{ poll_ms: 400, onNotice: (line: string) => said.push(line) },
    ...of,
  });
  const stopping = new AbortController();
  const items: SourceItem[] = [];
  let isOver = false;
  const reading = (async () => {
    for await (const item of source.read(after, { signal: stopping.signal })) items.push(item);
  })().finally(() => {
    isOver = true;
  });
  let clock = 0;
  for (; clock < seconds && !isOver; clock += 0.25) {
    now = clock;
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    t.mock.timers.tick(250);
  }
  stopping.abort();
  await reading;
  t.mock.timers.reset();
  const hashes = items.flatMap((item) =>
    'rows' in item ? [...(item.rows as unknown as { columns: { tx_hash: readonly string[] } }).columns.tx_hash] : [],
  );
  return { said, hashes, place: items.at(-1)?.place, undecoded: source.undecoded };
}

/** Seconds on the clock of the run. */
let now = 0;

const during = (fault: keyof typeof faults, seconds: number, finalized = 0): Answer => {
  const answer = good(finalized);
  return (method, first) => {
    const instead = now < seconds ? faults[fault]!(answer, { method, first }) : undefined;
    return instead === undefined ? answer(method, first) : instead;
  };
};

const range = { from_slot: FROM, to_slot: LAST };
const wanted = slots.filter((slot) => slot >= FROM && slot <= LAST).map((slot) => `signature${slot}`);

for (const fault of Object.keys(faults)) {
  for (const seconds of [2, 60])
    test(`a node that does not give ${fault} for ${seconds} seconds: what is stored is that of a good node`, async (t) => {
      const { hashes, place, undecoded } = await read(t, during(fault, seconds), 600, range);
      assert.deepEqual(hashes, wanted);
      assert.equal(JSON.parse(place!).next, LAST + 1);
      assert.equal(undecoded.no_time, 0);
    });
  test(`a node that never gives ${fault}: the place does not move over it, and a notice says why`, async (t) => {
    const { hashes, place, said } = await read(t, during(fault, Number.POSITIVE_INFINITY), 120, range);
    assert.ok(hashes.length < wanted.length);
    assert.deepEqual(hashes, wanted.slice(0, hashes.length));
    assert.ok(place === undefined || JSON.parse(place).next <= Number(wanted[hashes.length]!.slice(9)));
    assert.ok(said.length > 0, 'nothing was said');
    assert.equal(new Set(said).size, said.length, said.join('\n'));
  });
}

test('a block whose time the node does not know although it is final is read without, and counted', async (t) => {
  const { hashes, undecoded } = await read(t, during('the time of a block', Number.POSITIVE_INFINITY, HEAD), 60, range);
  assert.deepEqual(
    hashes,
    wanted.filter((hash) => hash !== 'signature106'),
  );
  assert.equal(undecoded.no_time, 1);
});

const listed = (slot: number) => ({ signature: `signature${slot}`, slot, err: null, blockTime: TIME });
/** A node that lists the transactions of a wallet, and for some seconds has none of one of them. */
const listing = (seconds: number, { finalized, status }: { finalized: number; status: unknown }): Answer => {
  const answer = good(finalized);
  let lists = 0;
  return (method, first) => {
    if (method === 'getSignaturesForAddress') return lists++ === 0 ? [103, 102, 101].map(listed) : [];
    if (method === 'getTransaction' && first === 'signature102' && now < seconds) return null;
    if (method === 'getSignatureStatuses') return { value: [status] };
    return answer(method, first);
  };
};
const ofWallet = { wallets: [who.wallet], to_slot: 'latest' } as const;
const inOrder = ['signature103', 'signature102', 'signature101'];

for (const seconds of [2, 60])
  test(`a transaction that a node lists, and has ${seconds} seconds later, is read`, async (t) => {
    const { hashes, undecoded } = await read(t, listing(seconds, { finalized: 0, status: null }), 600, ofWallet);
    assert.deepEqual(hashes, inOrder);
    assert.equal(undecoded.not_found, 0);
  });

test('a transaction that a node lists and never has holds the place, and a notice says why', async (t) => {
  const { hashes, said } = await read(
    t,
    listing(Number.POSITIVE_INFINITY, { finalized: HEAD, status: { slot: 102 } }),
    120,
    ofWallet,
  );
  assert.deepEqual(hashes, []);
  assert.equal(said.filter((line) => line.includes('lists transactions')).length, 1);
});

test('a transaction that the chain has dropped is counted and left out, once its slot is final', async (t) => {
  const { hashes, undecoded } = await read(
    t,
    listing(Number.POSITIVE_INFINITY, { finalized: HEAD, status: null }),
    120,
    ofWallet,
  );
  assert.deepEqual(hashes, ['signature103', 'signature101']);
  assert.equal(undecoded.not_found, 1);
});

test('following says where it begins, and a range that lies behind the place says that it is not read', async (t) => {
  const first = await read(t, good(0), 5, { from_slot: FROM });
  assert.deepEqual(first.said, [`Following begins at slot ${FROM}.`]);
  const again = await read(t, good(0), 5, {}, first.place);
  assert.deepEqual(again.said, [`Following goes on at slot ${HEAD + 1}.`]);
  const older = await read(t, good(0), 5, { from_slot: FROM, to_slot: 105 }, first.place);
  assert.match(older.said.join(), /has read this source up to slot 112: nothing up to slot 105 is read again/);
  const same = await read(t, good(0), 5, { from_slot: FROM, to_slot: HEAD }, first.place);
  assert.deepEqual(same.said, []);
});
