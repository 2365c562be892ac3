import type { Page } from '../queries/swaps.ts';
import type { AnswerOf, OperationName } from './api.ts';

/** Operations that answer with a page: lists and searches. */
export type PagedName = {
  readonly [Name in OperationName]: AnswerOf<Name> extends Page<unknown> ? Name : never;
}[OperationName];

/** What the pages of an operation hold: `ItemOf<'trades.list'>` is `Trade`. */
export type ItemOf<Name extends PagedName, Own extends string = never> =
  AnswerOf<Name, Own> extends Page<infer Item> ? Item : never;

/** The pages that `ask` gives, from the first one on: of a page without a cursor there is no next one. A consumer that stops asks no further. */
export async function* pagesOver<One extends Pick<Page<unknown>, 'cursor'>>(
  ask: (after: { readonly cursor?: string }) => Promise<One>,
): AsyncGenerator<One, void, undefined> {
  for (let after: { readonly cursor?: string } | undefined = {}; after !== undefined; ) {
    const page: One = await ask(after);
    yield page;
    after = page.cursor === undefined ? undefined : { cursor: page.cursor };
  }
}
