import type { CountedList } from '../kept/counts.ts';
import { keep, type QueryContext } from './context.ts';

/** How many rows a list of one wallet, one token, both or neither holds: the kept count, or what `count` finds. */
export async function countList(
  context: QueryContext,
  list: CountedList,
  { wallet, token }: { readonly wallet?: number; readonly token?: number },
  count: () => Promise<number>,
): Promise<number> {
  if ((wallet === undefined) === (token === undefined)) return count();
  const [by, id] = wallet === undefined ? (['token', token!] as const) : (['wallet', wallet] as const);
  const kept = context.kept?.counts.get(list, by, id);
  if (kept !== undefined) return kept;
  const counted = await count();
  keep(context, ({ counts }) => counts.set(list, by, id, counted));
  return counted;
}
