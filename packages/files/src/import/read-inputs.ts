import type { SwapfoldError } from '@swapfold/core';
import { isWithoutColumns } from '../fields.ts';
import type { Books } from './books.ts';
import type { Input } from './inputs.ts';
import { readAhead } from './read-ahead.ts';

/** One of several files. */
export interface Of {
  readonly file: string;
  /** Set once something else has read the file: no more of it is read. */
  isTaken: boolean;
}

/** What is read of a file: a part, or a batch. */
export interface Found<T> {
  readonly of: Of;
  readonly found: T;
}

/** What is read of several inputs as one. */
export interface JoinedInputs<T> {
  /** What it is called, unlike any other. */
  readonly name: string;
  readonly count: number;
  readonly found: T;
}

/** What is read of all files, one after the other. */
export interface Reading<T> {
  /** The next one, while that behind it is being read; `undefined` at the end. Errors: those of the file, once what came before it was given. */
  next(): Promise<Found<T> | undefined>;
  /** Reads all that follows, up to an error, and calls `onRead` with each. `next` gives it, and the error behind it. Stops if `onRead` gives false. */
  readAll(onRead: (found: Found<T>) => boolean): Promise<void>;
  end(): Promise<void>;
}

/**
 * Reads the files. One that no argument names and that is of another kind is passed over, and the others go on.
 *
 * - `isOfOthers`: whether an error says that a file is of another kind.
 * - `join` reads several inputs as one, from a place among them on, if it can: `count` of them.
 * - `onEnd` is called when all of a file has been used; nothing is read ahead then.
 * - Errors: those of a file, and of the first one if all were passed over.
 */
export function readInputs<T>(
  inputs: readonly Input[],
  read: (input: Input) => AsyncIterable<T>,
  books: Books,
  o: {
    readonly isOfOthers?: (error: unknown) => error is SwapfoldError;
    readonly join?: ((at: number) => Promise<JoinedInputs<T> | undefined>) | undefined;
    readonly onEnd?: ((file: string) => Promise<void>) | undefined;
  } = {},
): Reading<T> {
  const { isOfOthers = isWithoutColumns, join, onEnd } = o;
  books.files = inputs.length;
  let failed = '';
  async function* all(): AsyncGenerator<Found<T>> {
    for (let at = 0; at < inputs.length; at++) {
      const joined = await join?.(at);
      if (joined !== undefined) {
        yield { of: { file: joined.name, isTaken: false }, found: joined.found };
        at += joined.count - 1;
        continue;
      }
      const input = inputs[at]!;
      const { file, isNamed } = input;
      const of = { file, isTaken: false };
      try {
        for await (const found of read(input)) {
          yield { of, found };
          if (of.isTaken) break;
        }
        await onEnd?.(file);
      } catch (error) {
        failed = file;
        if (isNamed || !isOfOthers(error)) throw error;
        books.passed_files.push({ file, error });
        books.files--;
      }
    }
    if (books.files === 0 && books.passed_files.length > 0) throw books.passed_files[0]!.error;
  }
  const ahead = onEnd === undefined ? readAhead(all()) : all();
  const waiting: Found<T>[] = [];
  let failure: { readonly error: unknown } | undefined;
  async function readNext(): Promise<Found<T> | undefined> {
    const { done, value } = await ahead.next();
    return done ? undefined : value;
  }
  return {
    async readAll(onRead) {
      try {
        for (let found = await readNext(); found !== undefined; found = await readNext()) {
          waiting.push(found);
          if (!onRead(found)) return;
        }
      } catch (error) {
        failure = { error };
      }
    },
    async next() {
      const first = waiting.shift();
      if (first !== undefined) return first;
      try {
        if (failure !== undefined) throw failure.error;
        return await readNext();
      } catch (error) {
        books.say({ kind: 'stopped', file: failed });
        throw error;
      }
    },
    end: async () => void (await ahead.return(undefined)),
  };
}
