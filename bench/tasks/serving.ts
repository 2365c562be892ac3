import { openStore } from '../databases.ts';
import { type Engine, filesOf } from '../files.ts';
import { openPlain } from '../plain/sql.ts';
import type { Question } from '../questions/question.ts';
import { allQuestions } from '../questions/questions.ts';
import type { Target } from '../row.ts';
import { takeSamples } from '../samples.ts';
import { atRest, summary, type Times, timed, timePair, WARM_UP } from '../timing.ts';

export interface ServingFigures {
  readonly operation: string;
  readonly target: Target;
  readonly what: string;
  readonly ours: Times;
  readonly baseline: Times;
  /** The first call of a store that was just opened, milliseconds. */
  readonly first: number;
  readonly firstTarget: Target | null;
  /** Questions that were asked before: what the process keeps of their answers. */
  readonly again: Times;
}

/** Questions that are asked again. */
const AGAIN = 100;

/** Asks every question one at a time, beside the plain SQL that answers it. */
export async function serve(task: {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
  readonly runs: number;
  readonly seconds: number;
}): Promise<ServingFigures[]> {
  const { engine } = task;
  const files = filesOf(task.root, task.swaps);
  const plain = await openPlain(engine, files.plain[engine]);
  const samples = await takeSamples(plain);
  const ask = async <R>(work: (questions: readonly Question[]) => Promise<R>): Promise<R> => {
    const dex = await openStore(engine, files.store[engine]);
    try {
      return await work(allQuestions({ dex, plain, samples }));
    } finally {
      await dex.close();
    }
  };
  const count = await ask(async (questions) => questions.length);
  const first: number[] = [];
  for (let q = 0; q < count; q++) first.push(await ask((questions) => timed(() => questions[q]!.ours(7))));
  const figures = await ask(async (questions) => {
    const all: ServingFigures[] = [];
    for (const [q, question] of questions.entries()) {
      const { operation, what, ours } = question;
      const check = question.check as (ours: unknown, baseline: unknown, i: number) => void;
      // The first search has the stored profiles read in the background.
      await ours(7);
      await atRest();
      const times = await timePair({ ...question, check }, task);
      const again: number[] = [];
      for (let i = 0; i < Math.min(AGAIN, times.ours.runs); i++) again.push(await timed(() => ours(i + WARM_UP)));
      all.push({
        operation,
        target: targetOf(question, engine),
        what,
        first: first[q]!,
        firstTarget:
          engine === 'duckdb' && question.first !== undefined ? { kind: 'most', ours: question.first } : null,
        again: summary(again),
        ...times,
      });
    }
    return all;
  });
  await plain.close();
  return figures;
}

/** ClickHouse is a server of its own: what an answer takes there says less than what plain SQL takes. */
function targetOf({ most }: Question, engine: Engine): Target {
  if (engine === 'clickhouse') return { kind: 'most-ratio', ratio: 3 };
  const given = most[engine];
  return typeof given === 'number' ? { kind: 'most', ours: given } : given;
}
