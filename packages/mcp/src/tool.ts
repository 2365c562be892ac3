import type { RequestSchema } from '@swapfold/core/host';
import type { AskedStore } from '@swapfold/server';
import type { GenericSchema } from 'valibot';

/**
 * One question that an agent can ask.
 *
 * - `description`: when to call it, and what it answers; the model chooses by it.
 * - `operations`: what it asks of the store, and a key has to allow.
 * - `request`, `response`: what it takes, and the object that it answers, on the chain and with the metrics of a store.
 */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly string[];
  readonly request: (store: AskedStore) => RequestSchema<unknown>;
  readonly response: (store: AskedStore) => GenericSchema;
  readonly answer: (store: AskedStore, request: unknown) => Promise<object>;
}

interface Declared<T> extends Omit<Tool, 'request' | 'answer'> {
  readonly request: (store: AskedStore) => RequestSchema<T>;
  readonly answer: (store: AskedStore, request: T) => Promise<object>;
}

/** A tool as the table lists it. */
export function tool<T>(declared: Declared<T>): Tool {
  return { ...declared, answer: (store, request) => declared.answer(store, request as T) };
}
