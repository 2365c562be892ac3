import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SourceItem } from '@swapfold/core';
import { evmSource } from '@swapfold/evm';
import { EvmChain, FACTORY, type Fault, FRIEND, POOL, SENDER, TOKEN0, TOKEN1 } from '../../../test/support/evm-node.ts';

const [FROM, HEAD] = [120, 300];

interface Columns {
  readonly length: number;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** Token, giver, receiver and amount of the transfers of each block, as a source gives them. */
async function transfersOf(fault: Fault, wanted = true): Promise<Map<number, string[]>> {
  const chain = new EvmChain(HEAD);
  const request = async ({ method, params }: { method: string; params: readonly unknown[] }) =>
    chain.faulty(fault, method, params);
  const source = evmSource({
    ...{ transport: (() => ({ request })) as never, factories: [FACTORY], from_block: FROM, to_block: HEAD },
    ...{ transfers: wanted, poll_ms: 5, onNotice: () => undefined },
  });
  const found = new Map<number, string[]>();
  for await (const item of source.read(null, { signal: AbortSignal.timeout(20_000) })) {
    const { transfers } = item as SourceItem & { readonly transfers?: Columns };
    if (transfers === undefined) continue;
    const columns = transfers.columns as Record<string, Float64Array & { dictionary: string[]; ids: Int32Array }>;
    const text = (name: string, i: number): string => columns[name]!.dictionary[columns[name]!.ids[i]!]!;
    for (let i = 0; i < transfers.length; i++) {
      const block = columns.block_slot![i]!;
      const line = `${['token', 'from', 'to'].map((name) => text(name, i)).join(' ')} ${columns.token_amount![i]}`;
      found.set(block, [...(found.get(block) ?? []), line]);
      assert.equal(columns.includes_swaps![i], 1);
      assert.equal(columns.block_time![i], 1_735_689_600 + block);
    }
  }
  return found;
}

/** As the chain is made: the two sides of each swap, and a gift in each fifth block. */
function expected(): Map<number, string[]> {
  const all = new Map<number, string[]>();
  for (let block = FROM; block <= HEAD; block++) {
    const lines = Array.from({ length: EvmChain.swapsIn(block) }, (_, i) => [
      `${TOKEN0} ${SENDER} ${POOL} 1`,
      `${TOKEN1} ${POOL} ${SENDER} ${block + i}`,
    ]).flat();
    if (block % 5 === 0) lines.push(`${TOKEN1} ${SENDER} ${FRIEND} 1`);
    if (lines.length > 0) all.set(block, lines);
  }
  return all;
}

test('transfers of the tokens of followed pools come with the swaps, those of swaps among them', async () => {
  assert.deepEqual(await transfersOf(({ usual }) => usual), expected());
});

test('transfers that a node gives late, or cuts between blocks, are not lost', async () => {
  let asked = 0;
  const late: Fault = ({ method, usual }) => (method === 'eth_getLogs' && asked++ % 3 === 0 ? [] : usual);
  assert.deepEqual(await transfersOf(late), expected());
  const cut: Fault = ({ method, usual }) => (method === 'eth_getLogs' ? (usual as unknown[]).slice(0, 12) : usual);
  assert.deepEqual(await transfersOf(cut), expected());
});

test('a source gives no transfers unless it is told to', async () => {
  assert.equal((await transfersOf(({ usual }) => usual, false)).size, 0);
});
