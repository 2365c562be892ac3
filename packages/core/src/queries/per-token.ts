import { keep, type QueryContext } from './context.ts';

/** An answer about a token, which holds until the token is traded again, or `until` an as-of time. */
export interface TokenAnswer<T> {
  readonly value: T;
  readonly until?: number;
}

/**
 * Answers about tokens, those that have one: the kept ones, and what `ask` finds of the others.
 * `question` names what is asked, for the keeping.
 */
export async function perToken<T extends object>(
  context: QueryContext,
  question: string,
  tokens: Int32Array,
  ask: (tokens: Int32Array) => Promise<ReadonlyMap<number, TokenAnswer<T>>>,
): Promise<ReadonlyMap<number, T>> {
  const answers = new Map<number, T>();
  const unknown: number[] = [];
  for (const token of tokens) {
    const kept = context.kept?.tokens.get<T>(question, token, context.asOf);
    if (kept === undefined) unknown.push(token);
    else if (kept !== null) answers.set(token, kept);
  }
  if (unknown.length === 0) return answers;
  const found = await ask(Int32Array.from(unknown));
  for (const [token, { value }] of found) answers.set(token, value);
  keep(context, ({ tokens: kept }) => {
    for (const token of unknown) {
      const answer = found.get(token);
      const until = answer?.until ?? Number.POSITIVE_INFINITY;
      kept.set(question, token, { from: context.asOf, until, value: answer?.value ?? null });
    }
  });
  return answers;
}
