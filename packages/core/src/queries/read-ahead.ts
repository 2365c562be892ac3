import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DutyCycle } from '../duty-cycle.ts';
import { dirtyTable } from '../records/tables.ts';
import { compare } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';
import { perToken, type TokenQuestion } from './per-token.ts';

/** Tokens that are asked about first. */
const FEW = 256;

/** Tokens of one part at most: their answers are made in one turn of the event loop. */
const MANY = 2048;

/** Answers a question from what is kept and the store; outside of the call that it is asked in. */
type Answer = <T>(ask: (context: QueryContext) => Promise<T>) => Promise<T>;

/** A question that is asked about all tokens. */
class AskedAhead {
  readonly work = new DutyCycle();
  /** How often everything kept had been forgotten when it was asked last. */
  cleared = -1;
  isRunning = false;
}

/**
 * Asks questions about all tokens in the background, once one of them was asked, so that the answers are kept when others are; again
 * where everything kept was forgotten.
 */
export class ReadAhead {
  readonly #answer: Answer;
  readonly #runs = new Map<object, AskedAhead>();

  constructor(answer: Answer) {
    this.#answer = AsyncResource.bind(answer);
  }

  /** Sees to it that a question is asked; whether it is being asked. `cleared`: how often everything kept was forgotten by now. */
  isRunning<T extends object>(question: TokenQuestion<T>, cleared: number): boolean {
    const run = this.#runs.get(question) ?? new AskedAhead();
    this.#runs.set(question, run);
    if (run.cleared === cleared || !run.work.isDue) return run.isRunning;
    run.cleared = cleared;
    run.isRunning = true;
    void run.work
      .run(() => this.#ask(question))
      // The engine's failure is told to who asks it next.
      .catch(() => undefined)
      .finally(() => {
        run.isRunning = false;
      });
    return true;
  }

  /** Asks in parts: twice as many tokens each time, half as many where a write came between. */
  async #ask<T extends object>(question: TokenQuestion<T>): Promise<void> {
    const tokens = await this.#answer(tradedTokens);
    let size = FEW;
    for (let from = 0; from < tokens.length; ) {
      const part = tokens.subarray(from, from + size);
      const isKept = await this.#answer(async (context) => {
        const kept = context.kept();
        if (kept === undefined) return false;
        if (question.isAskedAhead?.(kept) !== true) return undefined;
        await context.dictionary.load(context.reader, part);
        await perToken({ ...context, ahead: undefined }, question, part);
        return context.kept() !== undefined;
      });
      if (isKept === undefined) return;
      from += part.length;
      size = isKept ? Math.min(MANY, size * 2) : Math.max(FEW, size / 2);
      await nextTurn();
    }
  }
}

/** Has a question asked about all tokens in the background, and leaves that its turn. Whether it had one: more may be kept then. */
export async function readAhead<T extends object>(context: QueryContext, question: TokenQuestion<T>): Promise<boolean> {
  const { ahead } = context;
  const kept = context.kept();
  if (kept === undefined || ahead === undefined || question.isAskedAhead?.(kept) !== true) return false;
  if (!ahead.isRunning(question, kept.cleared)) return false;
  await nextTurn();
  return true;
}

/** Tokens that profiles are stored of, or will be by the next refresh. */
async function tradedTokens({ reader, shapes }: QueryContext): Promise<Int32Array> {
  const stored = await reader.read({ table: shapes.tokens.table, columns: ['id'] });
  const dirty = await reader.read({ table: dirtyTable, columns: ['id'], where: compare('entity', 'eq', 'tokens') });
  return Int32Array.from(new Set([...(stored.columns.id as Int32Array), ...dirty.columns.id]));
}
