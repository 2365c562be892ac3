import assert from 'node:assert/strict';
import { AsyncResource } from 'node:async_hooks';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { memory, Swapfold } from '@swapfold/core';
import type { Reader, StorageAdapter } from '@swapfold/core/engine';
import { sqlite } from '@swapfold/sqlite';
import { createRandom } from '../packages/testing/src/conformance/random.ts';
import { bundle } from './support/bundle.ts';
import { engines, withFolder } from './support/engines.ts';
import { answerOf, answersOf, motionAsks, motionConfig, startMotion } from './support/motion.ts';
import type { Order } from './support/motion-child.ts';
import { isWhole } from './support/whole.ts';

type Answers = Readonly<Record<string, string>>;
const root = join(import.meta.dirname, '..');
const names = Object.keys(motionAsks);

const SEED = 18;
/** Answers of any kind that are asked for with a commit set among their reads. */
const ASKED = isWhole ? 2000 : 0;
/** Where the commit is made: before the snapshot is taken, before or after one of the first reads. */
const PLACES = 6;

/** What is asked first, so that it is kept, and then with a commit among the reads. */
const pairs = [
  ['prices.latest', 'portfolios.get'],
  ['prices.latest', 'prices.stats'],
  ['swaps.list of a token', 'swaps.list of a token'],
  ['trades.list of a wallet', 'trades.list of a wallet'],
] as const;

/** The warm and the asked questions, and where among the reads a commit is made: of all pairs, then any. */
function* questions(): Generator<{ warm: readonly string[]; name: string; place: number }> {
  for (const [warm, name] of pairs) for (let place = 0; place < PLACES; place++) yield { warm: [warm], name, place };
  const random = createRandom(SEED);
  const below = (count: number): number => Math.floor(random() * count);
  const any = (): string => names[below(names.length)]!;
  for (let i = 0; i < ASKED; i++)
    yield { warm: Array.from({ length: below(3) }, any), name: any(), place: below(PLACES) };
}

/** How long the stress lasts, and how many commits at least. */
const STRESS = isWhole ? { ms: 60_000, commits: 1000 } : { ms: 500, commits: 12 };

let program: string;
let end: () => void = () => undefined;
before(async () => {
  const given = new Promise<void>((resolve) => {
    end = resolve;
  });
  await new Promise<void>((ready) => {
    void withFolder(async (folder) => {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      program = join(folder, 'motion-child.mjs');
      await bundle(join(root, 'test/support/motion-child.ts'), program);
      ready();
      await given;
    });
  });
});
after(() => end());

/** An adapter that calls `between` before each snapshot, and before and after each of its reads. */
function interrupted(storage: StorageAdapter, between: () => Promise<void>): StorageAdapter {
  async function within<R>(read: () => Promise<R>): Promise<R> {
    await between();
    const answer = await read();
    await between();
    return answer;
  }
  const inside = (reader: Reader): Reader => ({
    ...reader,
    read: (scan) => within(() => reader.read(scan)),
    latest: (query) => within(() => reader.latest(query)),
    count: (table, where) => within(() => reader.count(table, where)),
    max: (table, column, where) => within(() => reader.max(table, column, where)),
    async *stream(scan) {
      await between();
      for await (const batch of reader.stream(scan)) {
        yield batch;
        await between();
      }
    },
  });
  return {
    ...storage,
    async snapshot(read, use) {
      await between();
      return storage.snapshot((reader) => read(inside(reader)), use);
    },
  };
}

/** A commit that is made at the n-th place between reads from when it is set, be they an answer's or in the background. */
class CommitBetween {
  #left = Number.POSITIVE_INFINITY;
  #committing: Promise<void> | undefined;
  readonly #commit: () => Promise<void>;

  constructor(commit: () => Promise<void>) {
    // Outside of the snapshot of the answer.
    this.#commit = AsyncResource.bind(commit);
  }

  set(place: number): void {
    this.#left = place;
  }

  async between(): Promise<void> {
    if (this.#left-- !== 0) return;
    this.#committing = this.#commit();
    await this.#committing;
  }

  /** Whether one was made since it was set. */
  async end(): Promise<boolean> {
    this.#left = Number.POSITIVE_INFINITY;
    const wasMade = this.#committing !== undefined;
    await this.#committing;
    this.#committing = undefined;
    return wasMade;
  }
}

/**
 * Asks one thing after the other, with some of it kept from before, and a commit set among the reads; `stateAfter` tells the answers that
 * hold after it. Asserts that each answer is one of those before the commit or after it.
 */
async function askAcrossCommits(
  t: TestContext,
  dex: Swapfold,
  commit: CommitBetween,
  first: Answers,
  stateAfter: () => Promise<Answers>,
): Promise<void> {
  const wrong: string[] = [];
  let asked = 0;
  let crossed = 0;
  let state = first;
  for (const { warm, name, place } of questions()) {
    asked++;
    for (const other of warm)
      if ((await answerOf(dex, other)) !== state[other]) wrong.push(`${other}, no commit in it`);
    commit.set(place);
    const answer = await answerOf(dex, name);
    const before = state;
    if (await commit.end()) {
      crossed++;
      state = await stateAfter();
    }
    if (![before[name], state[name]].includes(answer)) wrong.push(`${name}, commit at place ${place}`);
  }
  t.diagnostic(`${wrong.length} wrong of ${crossed} answers with a commit among their reads, seed ${SEED}`);
  assert.ok(crossed > asked / 3, `only ${crossed} of ${asked} answers had a commit among their reads`);
  assert.deepEqual(wrong, []);
}

async function startWriter(path: string): Promise<{ child: ChildProcess; answers: Answers }> {
  const child = fork(program, [path], { cwd: root });
  const [answers] = (await once(child, 'message')) as [Answers];
  return { child, answers };
}

async function endWriter(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

for (const threads_from_mb of [Number.POSITIVE_INFINITY, 0]) {
  const where = threads_from_mb === 0 ? 'on threads' : 'on its own thread';
  test(`sqlite: an answer of a reader ${where} is of one commit, wherever in its reads another process commits`, async (t) => {
    await withFolder(async (folder) => {
      const path = join(folder, 'store.db');
      const { child, answers } = await startWriter(path);
      let state = answers;
      const commit = new CommitBetween(async () => {
        child.send('swaps' satisfies Order);
        [state] = (await once(child, 'message')) as [Answers];
      });
      const storage = interrupted(sqlite({ path, read_only: true, threads_from_mb }), () => commit.between());
      const dex = await Swapfold.open({ storage, config: motionConfig });
      try {
        await askAcrossCommits(t, dex, commit, answers, async () => {
          // A reader looks whether others have committed once a turn of its event loop.
          await nextTurn();
          return state;
        });
      } finally {
        await dex.close();
        await endWriter(child);
      }
    });
  });
}

for (const engine of isWhole ? Object.keys(engines) : ['sqlite']) {
  test(`${engine}: an answer is of one commit, wherever in its reads its own process commits`, async (t) => {
    await withFolder(async (folder) => {
      const commit = new CommitBetween(() => motion.takeSwaps());
      const motion = await startMotion(interrupted(engines[engine]!(folder), () => commit.between()));
      // Another store that takes the same steps, one after the other.
      const calm = await startMotion(memory());
      await askAcrossCommits(t, motion.dex, commit, await answersOf(calm.dex), async () => {
        await calm.takeSwaps();
        return answersOf(calm.dex);
      });
      await motion.dex.close();
      await calm.dex.close();
    });
  });
}

test(`sqlite: every answer of a reader beside a process that commits without pause is that of a commit`, async (t) => {
  await withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const { child, answers } = await startWriter(path);
    const committed = new Map(names.map((name) => [name, new Set([answers[name]!])]));
    const dex = await Swapfold.open({ storage: sqlite({ path, read_only: true }), config: motionConfig });
    const asked = new Map(names.map((name) => [name, new Set<string>()]));
    let count = 0;
    let commits = 0;
    const exit = once(child, 'exit');
    child.on('message', (state: Answers) => {
      commits++;
      for (const name of names) committed.get(name)!.add(state[name]!);
    });
    child.send('run' satisfies Order);
    const askers = [0, 1, 2].map(async (first) => {
      const until = performance.now() + STRESS.ms;
      for (let i = first; performance.now() < until || commits < STRESS.commits; i++, count++) {
        // A step that shares no factor with the number of names reaches all of them.
        const name = names[(i * 31) % names.length]!;
        asked.get(name)!.add(await answerOf(dex, name));
        await nextTurn();
      }
    });
    await Promise.all(askers);
    child.send('end' satisfies Order);
    await exit;
    const wrong = names.map(
      (name) => [name, [...asked.get(name)!].filter((answer) => !committed.get(name)!.has(answer)).length] as const,
    );
    const distinct = [...asked.values()].reduce((sum, answers) => sum + answers.size, 0);
    t.diagnostic(`${count} answers, ${distinct} distinct, beside ${commits} commits`);
    assert.ok(distinct > names.length, `only ${distinct} distinct answers`);
    assert.deepEqual(
      wrong.filter(([, number]) => number > 0),
      [],
    );
    await dex.close();
  });
});
