import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { type SolanaSourceOptions, solanaSource } from '@swapfold/solana';
import { key } from '../packages/solana/test/support/transaction.ts';
import { bundled } from './support/bundle.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { kill, type Running, random, start, untilTold } from './support/killable.ts';
import { branchOf, chainOf } from './support/solana-chain.ts';
import { type Fault, type StandInBlock, StandInNode } from './support/solana-node.ts';

/**
 * How often processes are killed in all, half of them on each engine; `SWAPFOLD_KILLS=200 node --import tsx --test test/solana-fault-crash.test.ts` is the
 * whole proof.
 */
const KILLS = Number(process.env.SWAPFOLD_KILLS ?? 4);
const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
const FROM = 9000;
const WALLET = key('wallet 3');
const config = { preset: 'solana' } as const;
const program = await bundled('test/support/solana-child.ts');

type Method = StandInNode['fault'];

/** What a node answers of a block, or of a transaction, that it has and does not give. */
interface Lack {
  readonly fault: (block: StandInBlock) => Fault;
  /** What is said while it lasts; nothing of a node that is silent for less than eight seconds. */
  readonly said?: RegExp;
}

const lacks: Readonly<Record<string, Lack>> = {
  'calls blocks skipped (-32007)': {
    fault: ({ slot }) => ({ code: -32007, message: `Slot ${slot} was skipped, or missing due to ledger jump` }),
    said: /no block/,
  },
  'calls blocks missing (-32009)': {
    fault: ({ slot }) => ({ code: -32009, message: `Slot ${slot} was skipped, or missing in long-term storage` }),
    said: /no block/,
  },
  'gives null in place of blocks and transactions': { fault: () => ({ result: null }), said: /asked again/ },
  'does not know the time of blocks': {
    fault: (block) => ({ result: { ...block, blockTime: null } }),
    said: /does not have the time/,
  },
  'says nothing at all': { fault: () => 'say nothing' },
};

/** A node that lacks the block of a slot, or its transactions, for some calls. */
function lacking({ fault }: Lack, block: StandInBlock, calls: number): Method {
  const signatures = new Set(block.transactions.map(({ transaction }) => transaction.signatures[0]));
  let left = calls;
  return (method, [what]) => {
    const isOfBlock = method === 'getBlock' && what === block.slot;
    const isTimeOf = method === 'getBlockTime' && what === block.slot;
    if (isTimeOf) return left > 0 ? { result: null } : { result: block.blockTime };
    if (!isOfBlock && !(method === 'getTransaction' && signatures.has(what as string))) return undefined;
    if (left-- <= 0) return undefined;
    const answer = fault(block);
    // Codes of skipped slots, and blocks without a time, are no answers of transactions.
    return isOfBlock || answer === 'say nothing' ? answer : { result: null };
  };
}

/** The next slot of what a store has read, and how many swaps it holds. */
async function stored(engine: string, folder: string): Promise<{ readonly next: number; readonly count: number }> {
  const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
  const [source] = await dex.sources();
  const { count = 0 } = await dex.swaps.list({ limit: 1 });
  await dex.close();
  return { next: source === undefined ? FROM : (JSON.parse(source.place) as { next: number }).next, count };
}

const swapsUpTo = (chain: readonly StandInBlock[], end: number): number =>
  chain.reduce((all, { slot, transactions }) => all + (slot < end ? transactions.length : 0), 0);

const ways: Readonly<Record<'slots' | 'wallet', Partial<SolanaSourceOptions>>> = {
  slots: { from_slot: FROM },
  wallet: { wallets: [WALLET] },
};

const engineNames = ['sqlite', 'duckdb'] as const;
for (const [i, engine] of engineNames.entries())
  for (const [j, way] of (['slots', 'wallet'] as const).entries()) {
    const kills = Math.floor((KILLS + 2 * i + j) / 4);
    test(`on ${engine}, by ${way}: a process that is killed ${kills} times while its node lacks blocks and transactions loses nothing (seed ${SEED})`, (t) =>
      withFolder(async (folder) => {
        const next = random(SEED + 7 * i + j);
        let chain = chainOf({ from: FROM, slots: 8, swaps: 5, next });
        const node = await StandInNode.start(chain);
        node.finalized = 0;
        const seen = new Map<string, number>();
        let place = FROM;
        for (let n = 0; n < kills; n++) {
          const parent = chain.at(-1)!.slot;
          chain = branchOf(chain, parent, { slots: 10, swaps: 5, next });
          node.give(chain);
          // Of the newest block only the one behind it tells that it is lacking.
          const ahead = chain.slice(0, -1).filter(({ slot }) => slot >= place);
          const block = ahead[Math.floor(next() * ahead.length)]!;
          const [name, lack] = Object.entries(lacks)[Math.floor(next() * 5)]!;
          const isForEver = next() < 0.5;
          node.fault = lacking(lack, block, isForEver ? Number.POSITIVE_INFINITY : 1 + Math.floor(next() * 6));
          const child = await start(program, engine, folder, node.url, JSON.stringify(ways[way]));
          // Of a block without a transaction of the wallet, nothing is asked, and nothing said.
          const isTold = way === 'slots' && isForEver && lack.said !== undefined && next() < 0.5;
          if (isTold) await untilTold(child, 'notice The node', 120_000);
          else if (next() < 0.7) await untilTold(child, 'write', 2000);
          await new Promise((resolve) => setTimeout(resolve, next() * 60));
          await kill(child);
          seen.set(name, (seen.get(name) ?? 0) + 1);
          if (way === 'wallet') continue;
          const after = await stored(engine, folder);
          assert.ok(after.next >= place, 'the place has gone back');
          // All up to the place, and nothing behind it.
          assert.equal(after.count, swapsUpTo(chain, after.next), `${name}, block ${block.slot}, place ${after.next}`);
          if (isForEver) assert.ok(after.next <= block.slot, `${name}: ${after.next} is behind block ${block.slot}`);
          if (isTold)
            assert.match(
              notices(child),
              lack.said!,
              `${name}, block ${block.slot}, place ${place}, ${[...node.calls]}, ${JSON.stringify(chain.slice(-14).map((b) => [b.slot, b.parentSlot]))}`,
            );
          place = after.next;
        }
        t.diagnostic([...seen].map(([name, times]) => `${times} times ${name}`).join('; '));
        node.fault = () => undefined;
        await compareWithWhole({ engine, folder, url: node.url, way, last: chain.at(-1)!.slot });
        await node.stop();
      }));
  }

const notices = ({ text }: Running): string =>
  text()
    .match(/^notice .*$/gm)
    ?.join('\n') ?? '';

interface Killed {
  readonly engine: string;
  readonly folder: string;
  readonly url: string;
  readonly way: keyof typeof ways;
  readonly last: number;
}

/** A store that was killed again and again, read to the end, is that of one undisturbed import. */
async function compareWithWhole({ engine, folder, url, way, last }: Killed): Promise<void> {
  const of = { url, ...ways[way], to_slot: way === 'wallet' ? ('latest' as const) : last, onNotice: () => undefined };
  const [storage, undisturbed] = [engines[engine]!(folder), engines[engine]!(folder, 1)];
  const dex = await Swapfold.open({ storage, config });
  const whole = await Swapfold.open({ storage: undisturbed, config });
  for (const one of [dex, whole]) {
    await one.follow(solanaSource({ ...of, poll_ms: 5 }));
    await one.refresh();
  }
  assert.ok((await whole.swaps.list({ limit: 1 })).count! > 0);
  assert.deepEqual(firstDifferences(await dumpStore(dex, storage), await dumpStore(whole, undisturbed)), []);
  await dex.close();
  await whole.close();
}
