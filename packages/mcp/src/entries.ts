import type { Config } from '@swapfold/core';
import { findOperation, type RequestSchema, show } from '@swapfold/core/host';
import type { AskedStore } from '@swapfold/server';
import * as v from 'valibot';

/** The parts that an object's schema is made of, whatever is piped after it. */
interface Parts {
  readonly entries?: v.ObjectEntries;
  readonly pipe?: readonly Parts[];
}

function entriesIn({ entries, pipe = [] }: Parts): v.ObjectEntries | undefined {
  if (entries !== undefined) return entries;
  for (const part of pipe) {
    const found = entriesIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Entry<T> = RequestSchema<T>;

/** Fields of an operation's request, by their names. */
export function requestEntries<const Fields extends Readonly<Record<string, unknown>>>(
  operation: string,
  config: Config,
  names: readonly (keyof Fields & string)[],
): { readonly [Name in keyof Fields]: Entry<Fields[Name]> } {
  const entries = entriesIn(findOperation(operation).request(config) as unknown as Parts) ?? {};
  return Object.fromEntries(names.map((name) => [name, entries[name]])) as never;
}

/** The schema of an operation's answer. */
export function responseOf(operation: string, store: AskedStore): v.GenericSchema {
  return findOperation(operation).response(store);
}

/** The entries of the object that an operation answers. */
export function responseEntries(operation: string, store: AskedStore): v.ObjectEntries {
  return entriesIn(responseOf(operation, store) as unknown as Parts) ?? {};
}

/** The schema of a page that a search answers which asks for no explanation. */
export function pageResponse(operation: string, store: AskedStore): v.GenericSchema {
  const { plan: _, ...entries } = responseEntries(operation, store);
  return v.strictObject(entries);
}

/** The items of the list that an operation answers. */
export function itemOf(operation: string, store: AskedStore): v.GenericSchema {
  return (responseOf(operation, store) as unknown as { readonly item: v.GenericSchema }).item;
}

/** A schema with what the tool says of it. */
export function says<const S extends v.GenericSchema>(schema: S, description: string, ...examples: unknown[]) {
  return v.pipe(schema, v.metadata({ description, ...(examples.length > 0 ? { examples } : {}) }));
}

/** A whole number of a request. */
export function whole(least: number, most: number) {
  const message = (issue: v.BaseIssue<unknown>): string =>
    `expected a whole number from ${least} to ${most}, received ${show(issue.input)}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message));
}

/** How many items a page has. */
export const limitEntry = (most: number, usual: number) =>
  v.optional(says(whole(1, most), `Items of a page. Default ${usual}, at most ${most}.`), usual);

/** Where a page begins. */
export const cursorEntry = v.optional(
  says(
    v.pipe(v.string(), v.maxLength(8192)),
    'The `cursor` of the page before, with the same arguments: the next page.',
  ),
);

/** The time that metrics are of. */
export const windowEntry = (windows: readonly string[]) => {
  const message = (issue: v.BaseIssue<unknown>): string =>
    `expected one of ${windows.join(', ')}, received ${show(issue.input)}`;
  return v.optional(says(v.picklist(windows, message), 'The time that metrics are of, up to now. Default 7d.'), '7d');
};

/** A page of a list that is whole in memory: its cursor is how many items came before. */
export function pageOf<T>(
  list: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): { readonly items: readonly T[]; readonly cursor?: string } {
  const begin = cursor === undefined ? 0 : Number(cursor);
  const end = begin + limit;
  return { items: list.slice(begin, end), ...(end < list.length ? { cursor: String(end) } : {}) };
}

/** The cursor of `pageOf`. */
export const offsetEntry = v.optional(
  says(
    v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'is none that an answer gave')),
    'The `cursor` of the page before: the next page.',
  ),
);
