/** The most that an operation returns at once. */
const PAGE = 100;

interface Page<T> {
  readonly count: number;
  readonly cursor?: string;
  readonly data: readonly T[];
}

/** The first `limit` items of a list that is asked for page by page, and how many it has. */
export async function firstItems<T>(
  limit: number,
  ask: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>,
): Promise<{ readonly count: number; readonly items: readonly T[] }> {
  const items: T[] = [];
  let page = await ask({ limit: Math.min(limit, PAGE) });
  for (;;) {
    items.push(...page.data);
    if (page.cursor === undefined || items.length >= limit) return { count: page.count, items: items.slice(0, limit) };
    page = await ask({ limit: Math.min(limit, PAGE), cursor: page.cursor });
  }
}

/** What a table leaves out, if anything. */
export function restLine(shown: number, count: number, noun: string): string[] {
  return shown >= count ? [] : [`${shown} of ${count.toLocaleString('en-US')} ${noun}; --limit shows more.`];
}
