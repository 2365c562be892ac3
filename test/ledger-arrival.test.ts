import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigInput, memory, presets, Swapfold, type SwapInput, type TransferInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { cases } from './support/whole.ts';

const seed = Number(process.env.SWAPFOLD_SEED ?? 64);
const config: ConfigInput = presets.ethereum;
const [stable, , native] = presets.ethereum.quote_tokens.map((token) => token.address) as [string, string, string];
const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const tokens = [stable, native, address(0xa1), address(0xa2)];
const START = 1_700_000_000;

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return ((state >>> 4) * 2 ** -28) % 1;
  };
}

interface World {
  readonly swaps: SwapInput[];
  readonly transfers: TransferInput[];
}

/** What some wallets do in a few seconds: swaps that report balances or not, taxes, transfers of every kind, and what nobody tells. */
function randomWorld(random: () => number): World {
  const below = (n: number): number => Math.floor(random() * n);
  const balances = new Map<string, number>();
  const of = (wallet: number, token: string): number => balances.get(`${wallet} ${token}`) ?? 0;
  const move = (wallet: number, token: string, amount: number): void => {
    balances.set(`${wallet} ${token}`, Math.max(0, of(wallet, token) + amount));
  };
  const swaps: SwapInput[] = [];
  const transfers: TransferInput[] = [];
  const steps = 12 + below(40);
  const reporting = random();
  for (let step = 0; step < steps; step++) {
    const slot = Math.floor(step / (1 + below(4)));
    const place = {
      tx_hash: `0x${below(1e6)}x${step}`,
      block_time: START + Math.floor(slot / 3),
      block_slot: random() < 0.8 ? slot : null,
      tx_index: random() < 0.4 ? step : null,
    };
    const wallet = 1 + below(3);
    const size = 1 + below(40);
    const kind = random();
    // What moves unseen.
    if (random() < 0.15) move(wallet, tokens[1 + below(3)]!, below(2) === 0 ? size : -size);
    if (kind < 0.65) {
      const legs = random() < 0.15 ? 2 : 1;
      for (let swap_index = 0; swap_index < legs; swap_index++) {
        const a = below(tokens.length);
        const [given, received] = [tokens[a]!, tokens[(a + 1 + below(tokens.length - 1)) % tokens.length]!];
        const [paid, got] = [size, 1 + below(60)];
        const isReported = random() < reporting;
        const side = (token: string, amount: number, end: 'in' | 'out') => {
          const pre = of(wallet, token);
          move(wallet, token, random() < 0.2 && end === 'out' ? amount * 0.9 : amount);
          const post = of(wallet, token);
          if (!isReported) return {};
          const before = random() < 0.8 ? { [`pre_token_balance_${end}`]: pre } : {};
          return { ...before, [`post_token_balance_${end}`]: random() < 0.05 ? 0 : post };
        };
        swaps.push({
          ...place,
          swap_index,
          wallet: address(wallet),
          token_in: given,
          token_out: received,
          token_amount_in: paid,
          token_amount_out: got,
          ...side(given, -paid, 'in'),
          ...side(received, got, 'out'),
        });
      }
    }
    if (kind > 0.5) {
      const rows = 1 + below(2);
      for (let transfer_index = 0; transfer_index < rows; transfer_index++) {
        const token = tokens[1 + below(3)]!;
        const to = random() < 0.5 ? 9 : 1 + below(4);
        move(wallet, token, -size);
        move(to, token, size);
        const cost = random() < 0.2 ? { cost_usd: below(200) } : {};
        const listing = random() < 0.15 ? { includes_swaps: true } : {};
        const sides =
          random() < 0.5 ? { from: address(wallet), to: address(to) } : { from: address(to), to: address(wallet) };
        transfers.push({ ...place, transfer_index, token, token_amount: size, ...sides, ...cost, ...listing });
      }
    }
  }
  return { swaps, transfers };
}

type Rows = { readonly swaps: readonly SwapInput[] } | { readonly transfers: readonly TransferInput[] };

async function store(dex: Swapfold, rows: Rows): Promise<void> {
  if ('swaps' in rows) await dex.ingest(rows.swaps);
  else await dex.transfers.ingest(rows.transfers);
}

/** The rows in pieces, whole or one by one, in a random order. */
function* shuffled({ swaps, transfers }: World, random: () => number): Iterable<Rows> {
  const left: (SwapInput | TransferInput)[] = [...swaps, ...transfers];
  const isInOrder = random() < 0.3;
  while (left.length > 0) {
    const at = isInOrder ? 0 : Math.floor(random() * left.length);
    const count = 1 + Math.floor(random() * 6);
    const taken = left.splice(at, count);
    const found = taken.filter((row): row is SwapInput => 'swap_index' in row);
    const moved = taken.filter((row): row is TransferInput => 'transfer_index' in row);
    if (found.length > 0) yield { swaps: found };
    if (moved.length > 0) yield { transfers: moved };
  }
}

async function ledgerOf(dex: Swapfold, storage: StorageAdapter): Promise<string[]> {
  return (await dumpStore(dex, storage)).filter((line) => /^(trades|lots|balances|moves): /.test(line));
}

async function openIn(storage: StorageAdapter): Promise<{ readonly dex: Swapfold; readonly storage: StorageAdapter }> {
  return { dex: await Swapfold.open({ storage, config }), storage };
}

const rounds = cases(500, 25);
test(`rows in any order leave the ledger of all of them at once, after ${rounds} histories (seed ${seed})`, async () => {
  for (let round = 0; round < rounds; round++) {
    const random = randomOf(seed * 1000 + round);
    const world = randomWorld(random);
    const [once, pieces] = [await openIn(memory()), await openIn(memory())];
    await store(once.dex, { swaps: world.swaps });
    await store(once.dex, { transfers: world.transfers });
    for (const rows of shuffled(world, random)) await store(pieces.dex, rows);
    const right = await ledgerOf(once.dex, once.storage);
    assert.deepEqual(firstDifferences(await ledgerOf(pieces.dex, pieces.storage), right), [], `round ${round}, pieces`);
    await pieces.dex.rebuild();
    assert.deepEqual(
      firstDifferences(await ledgerOf(pieces.dex, pieces.storage), right),
      [],
      `round ${round}, rebuilt`,
    );
    await once.dex.close();
    await pieces.dex.close();
  }
});

for (const engine of ['sqlite', 'duckdb'])
  test(`${engine}: an empty store that is loaded has the ledger of batches (seed ${seed})`, () =>
    withFolder(async (folder) => {
      for (let round = 0; round < 3; round++) {
        const { swaps } = randomWorld(randomOf(seed * 2000 + round));
        const [loaded, batches] = [await openIn(engines[engine]!(folder, round)), await openIn(memory())];
        await loaded.dex.ingest(
          (async function* () {
            yield swaps;
          })(),
        );
        for (const swap of swaps) await batches.dex.ingest([swap]);
        const right = await ledgerOf(batches.dex, batches.storage);
        assert.deepEqual(firstDifferences(await ledgerOf(loaded.dex, loaded.storage), right), [], `round ${round}`);
        await loaded.dex.close();
        await batches.dex.close();
      }
    }));
