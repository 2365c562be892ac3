import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { memory, Swapfold } from '@swapfold/core';
import { createRandom } from '../packages/testing/src/conformance/random.ts';
import { interleaved, pauses } from './cache-stress/interleaved.ts';
import { answerOf, config, names, STORED, swaps, type Write, writesOf } from './cache-stress/market.ts';
import { engines, withFolder } from './support/engines.ts';
import { isWhole } from './support/whole.ts';

/** `SWAPFOLD_SEED` runs another. */
const SEED = Number(process.env.SWAPFOLD_SEED ?? 31);
/** Rounds of writes beside questions for each engine and cache, and the milliseconds after which no other begins. */
const [ROUNDS, LASTS] = isWhole ? [2000, 60_000] : [12, 3000];
/** Callers that ask at the same time, and what each asks beside the writes of one round. */
const CALLERS = 5;
const ASKED = 3;
const MOST_ASKED = 30;

const nothing = 0;
/** Bounds of the cache: as large as they come, and so small that values are dropped all the time. */
const caches = {
  'the whole cache': undefined,
  'a small cache': 240_000,
} as const;

/** An answer, and the least and the greatest number of commits that it may know of. */
interface Asked {
  readonly name: string;
  readonly answer: string;
  readonly from: number;
  readonly to: number;
}

for (const [engine, open] of Object.entries(engines))
  for (const [cache, bounds] of Object.entries(caches)) {
    // What leaves a small cache does so whatever the engine.
    if (cache === 'a small cache' && engine !== 'duckdb' && !isWhole) continue;
    test(`${engine}: beside queued, late and failing writes every answer from ${cache} is that of a commit during the question (seed ${SEED})`, (t) =>
      withFolder(async (folder) => {
        const random = createRandom(SEED);
        const pause = pauses(random, 0.4);
        const { storage, commits, write } = interleaved(open(folder), pause);
        const dex = await Swapfold.open({ storage, config, memory: bounds });
        // It takes the same writes, one after the other, and caches nothing.
        const plain = await Swapfold.open({ storage: memory(), config, memory: nothing });
        for (const one of [dex, plain]) {
          await one.ingest(swaps.slice(0, STORED));
          await one.refresh();
        }
        const nextWrite = writesOf(random);
        const writes: Write[] = [];
        /** Commits that the process knows of. */
        let known = 0;
        let [answers, crossed] = [0, 0];
        let isWriting = false;

        const run = async (number: number, { change, failsAtCommit = false }: Write): Promise<void> => {
          await pause();
          const isDone = await write(number, failsAtCommit, () => change(dex)).then(
            () => true,
            () => false,
          );
          assert.equal(isDone, commits.includes(number), writes[number]!.name);
          if (isDone) known = Math.max(known, commits.indexOf(number) + 1);
        };
        const ask = async (name: string): Promise<Asked> => {
          const from = known;
          const answer = await answerOf(dex, name);
          return { name, answer, from, to: commits.length };
        };
        const caller = async (): Promise<Asked[]> => {
          const asked: Asked[] = [];
          for (let i = 0; i < ASKED || (isWriting && i < MOST_ASKED); i++) {
            await pause();
            await nextTurn();
            asked.push(await ask(names[Math.floor(random() * names.length)]!));
          }
          return asked;
        };

        const end = performance.now() + LASTS;
        for (let round = 0; round < ROUNDS && performance.now() < end; round++) {
          const first = commits.length;
          const own = Array.from({ length: 1 + Math.floor(random() * 4) }, nextWrite);
          const numbers = own.map((made) => writes.push(made) - 1);
          isWriting = true;
          const asking = Array.from({ length: CALLERS }, caller);
          await Promise.all(numbers.map((number) => run(number, writes[number]!)));
          isWriting = false;
          const asked = (await Promise.all(asking)).flat();
          // At rest: from the cache, or into it.
          for (const name of names) if (random() < 0.3) asked.push(await ask(name));
          const states = new Map([...new Set(asked.map(({ name }) => name))].map((name) => [name, [] as string[]]));
          for (let done = first; done <= commits.length; done++) {
            for (const [name, given] of states) given[done] = await answerOf(plain, name);
            if (done < commits.length) {
              const { change, calm = change } = writes[commits[done]!]!;
              await calm(plain);
            }
          }
          for (const { name, answer, from, to } of asked) {
            answers++;
            const right = states.get(name)!.slice(from, to + 1);
            if (new Set(right).size > 1) crossed++;
            if (right.includes(answer)) continue;
            const done = commits.slice(first).map((number) => writes[number]!.name);
            const others = own.map((made) => made.name);
            const is = states.get(name)!.indexOf(answer);
            assert.fail(
              `${name}, round ${round}: commits ${from} to ${to} of ${first}..${commits.length} (${done}; of ${others}); ` +
                `the answer is that of ${is < 0 ? 'none' : is}\n${right.map((one) => difference(answer, one)).join('\n')}`,
            );
          }
        }
        t.diagnostic(`${answers} answers, ${crossed} beside commits that change them, ${commits.length} commits`);
        assert.ok(!isWhole || crossed > 100, 'too few answers had a commit beside them that changes them');
        await dex.close();
        await plain.close();
      }));
  }

/** What two texts say where they differ first. */
function difference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 200);
  return `at ${at}: ${a.slice(from, at + 300)}\n  and: ${b.slice(from, at + 300)}`;
}
