import type { Kept } from '../kept/kept.ts';
import type { TokenShelf } from '../kept/tokens.ts';
import { keep, type QueryContext } from './context.ts';
import { readAhead } from './read-ahead.ts';

/** An answer about a token, which holds until the token is traded again, or `until` an as-of time. */
export interface TokenAnswer<T> {
  readonly value: T;
  readonly until?: number;
}

/** A question about tokens. */
export interface TokenQuestion<T> {
  /** Where answers are kept. */
  readonly shelf: (kept: Kept) => TokenShelf<T>;
  /** The answers for tokens that none is kept of; those without one are absent. */
  readonly ask: (context: QueryContext, tokens: Int32Array) => Promise<ReadonlyMap<number, TokenAnswer<T>>>;
  /** Whether answers for all tokens are worth keeping, and there is room for more. */
  readonly isAskedAhead?: ((kept: Kept) => boolean) | undefined;
}

/** Answers about tokens, those that have one: the kept ones, and what the engine says of the others. */
export async function perToken<T extends object>(
  context: QueryContext,
  question: TokenQuestion<T>,
  tokens: Int32Array,
): Promise<ReadonlyMap<number, T>> {
  let { answers, unknown } = keptAnswers(context, question, tokens);
  if (unknown.length > 0 && (await readAhead(context, question)))
    ({ answers, unknown } = keptAnswers(context, question, tokens));
  if (unknown.length === 0) return answers;
  const found = await question.ask(context, Int32Array.from(unknown));
  for (const [token, { value }] of found) answers.set(token, value);
  keep(context, (kept) => {
    const shelf = question.shelf(kept);
    for (const token of unknown) {
      const answer = found.get(token);
      const until = answer?.until ?? Number.POSITIVE_INFINITY;
      shelf.set(token, { from: context.asOf, until, value: answer?.value ?? null });
    }
  });
  return answers;
}

function keptAnswers<T>(
  context: QueryContext,
  { shelf }: TokenQuestion<T>,
  tokens: Int32Array,
): { answers: Map<number, T>; unknown: number[] } {
  const answers = new Map<number, T>();
  const kept = context.kept();
  if (kept === undefined) return { answers, unknown: [...tokens] };
  const known = shelf(kept);
  const unknown: number[] = [];
  for (const token of tokens) {
    const answer = known.get(token, context.asOf);
    if (answer === undefined) unknown.push(token);
    else if (answer !== null) answers.set(token, answer);
  }
  return { answers, unknown };
}
