import type { CountedList } from '../kept/counts.ts';
import { keep, type QueryContext } from './context.ts';

/** A page of a list, and how its rows are counted. */
export interface CountedPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Rows that were read: up to one more than the page may hold. */
  readonly read: number;
  readonly ask: () => Promise<number>;
}

/** How many rows a list of one wallet, one token, both or neither holds: the kept count, else those of a first page that is all, or what `ask` finds. */
export async function countList(
  context: QueryContext,
  list: CountedList,
  { wallet, token }: { readonly wallet?: number; readonly token?: number },
  { limit, cursor, read, ask }: CountedPage,
): Promise<number> {
  const count = async (): Promise<number> => (cursor === undefined && read <= limit ? read : ask());
  if ((wallet === undefined) === (token === undefined)) return count();
  const [by, id] = wallet === undefined ? (['token', token!] as const) : (['wallet', wallet] as const);
  const kept = context.kept()?.counts.get(list, by, id);
  if (kept !== undefined) return kept;
  const counted = await count();
  keep(context, ({ counts }) => counts.set(list, by, id, counted));
  return counted;
}
