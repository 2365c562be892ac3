import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solanaSource } from '@swapfold/solana';

const SOL = 'So11111111111111111111111111111111111111112';

const failed = (code: number, message: string): Error => Object.assign(new Error(message), { code });

test('a slot without a block holds nobody up while its node says that it may still come: the block behind it tells', async () => {
  // As agave answers: -32007 only of what is final.
  const [skipped, head] = [103, 110];
  const parentOf = (slot: number): number => (slot - 1 === skipped ? slot - 2 : slot - 1);
  let full = 0;
  const transport = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === 'getGenesisHash') return 'chain';
    if (method === 'getSlot') return head;
    const slot = params[0] as number;
    if (slot === skipped || slot > head) throw failed(-32004, `Block not available for slot ${slot}`);
    full++;
    const parentSlot = parentOf(slot);
    return {
      ...{ blockhash: `h${slot}`, previousBlockhash: `h${parentSlot}`, parentSlot, blockTime: 1 },
      transactions: [],
    };
  };
  const source = solanaSource({ transport, from_slot: 100, to_slot: head, poll_ms: 10 });
  let place = '';
  for await (const item of source.read(null, { signal: AbortSignal.timeout(5000) })) place = item.place ?? place;
  assert.equal((JSON.parse(place) as { next: number }).next, head + 1);
  assert.equal(full, head - 100, 'each block is asked for once');
});

test('of several nodes behind an address, one that does not know where a page ends is waited for', async () => {
  const all = Array.from({ length: 2500 }, (_, i) => ({
    ...{ signature: `s${2500 - i}`, slot: 5000 - i, err: i === 2400 ? null : { failed: 1 }, blockTime: 1 },
  }));
  const fetched: string[] = [];
  let [lists, refused] = [0, 0];
  const transport = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === 'getGenesisHash') return 'chain';
    if (method === 'getSlot') return 4000;
    if (method === 'getTransaction') {
      fetched.push(params[0] as string);
      const message = { accountKeys: ['x'], header: { numRequiredSignatures: 1 }, instructions: [] };
      const meta = { err: null, fee: 0, preBalances: [], postBalances: [] };
      return {
        ...{ slot: 1, blockTime: 1, transactionIndex: 0, meta },
        transaction: { signatures: [params[0]], message },
      };
    }
    const { before, minContextSlot = 0 } = params[1] as { before?: string; minContextSlot?: number };
    // Every second node is 1,500 slots behind, and lists nothing before what it does not know.
    const known = lists++ % 2 === 1 ? all.slice(1500) : all;
    if (minContextSlot > known[0]!.slot) {
      refused++;
      throw failed(-32016, 'Minimum context slot has not been reached');
    }
    const at = known.findIndex(({ signature }) => signature === before) + 1;
    return before !== undefined && at === 0 ? [] : known.slice(at, at + 1000);
  };
  const source = solanaSource({ transport, mints: [SOL], poll_ms: 10 });
  for await (const _ of source.read(null, { signal: AbortSignal.timeout(10_000) })) if (fetched.length > 0) break;
  assert.deepEqual(fetched, ['s100']);
  assert.ok(refused > 0);
});

test('a node that lags far behind what another one has told of is asked for few slots at once', async () => {
  let asked = 0;
  const transport = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === 'getGenesisHash') return 'chain';
    if (method === 'getSlot') return 5000;
    const slot = params[0] as number;
    if (slot > 105) {
      asked++;
      throw failed(-32004, `Block not available for slot ${slot}`);
    }
    const previous = { previousBlockhash: `h${slot - 1}`, parentSlot: slot - 1 };
    return { blockhash: `h${slot}`, ...previous, blockTime: 1, transactions: [] };
  };
  const source = solanaSource({ transport, from_slot: 100, poll_ms: 10_000 });
  const stop = new AbortController();
  const reading = (async () => {
    for await (const item of source.read(null, { signal: stop.signal }))
      if ((JSON.parse(item.place ?? '{}') as { next: number }).next > 105) setTimeout(() => stop.abort(), 200);
  })();
  await reading.catch(() => undefined);
  assert.ok(asked > 0 && asked < 100, `${asked} slots`);
});
