import type { Swapfold } from '@swapfold/core';

/** What a store is asked: names of operations with their requests. */
export type Asked = readonly (readonly [operation: string, request: object])[];

/** Requests of every operation about each token and wallet given. */
export function questionsAbout(tokens: readonly string[], wallets: readonly string[]): Asked {
  return [
    ...tokens.flatMap(
      (token): Asked => [
        ['swaps.list', { token, limit: 100 }],
        ['trades.list', { token, limit: 100 }],
        ['prices.candles', { token, interval: 3600, count: 300 }],
        ['tokens.get', { token }],
        ['tokens.buyers', { token, limit: 100 }],
      ],
    ),
    ...wallets.flatMap(
      (wallet): Asked => [
        ['swaps.list', { wallet, limit: 100 }],
        ['trades.list', { wallet, limit: 100 }],
        ['portfolios.get', { wallet }],
        ['wallets.get', { wallet }],
      ],
    ),
    ['swaps.list', { limit: 100 }],
    ['trades.list', { limit: 100 }],
    ['prices.latest', { tokens }],
    ['prices.stats', { tokens }],
    ['tokens.search', { limit: 100 }],
    ['wallets.search', { limit: 100 }],
    ['wallets.search', { limit: 5, sort: [{ field: 'metrics.7d.pnl', direction: 'desc' }] }],
    ['tokens.search', { limit: 5, query: { text: 'a' } }],
  ];
}

/** The answer to each request, to the end of its list, or the error it was given instead. */
export async function answersTo(dex: Swapfold, asked: Asked): Promise<ReadonlyMap<string, string | Error>> {
  const answers = new Map<string, string | Error>();
  for (const [operation, request] of asked) {
    const name = `${operation} ${JSON.stringify(request)}`;
    answers.set(name, await answerTo(dex, operation, request).catch((error: unknown) => error as Error));
  }
  return answers;
}

async function answerTo(dex: Swapfold, operation: string, request: object): Promise<string> {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await dex.call(operation, cursor === undefined ? request : { ...request, cursor })) as {
      cursor?: string;
    };
    pages.push(JSON.stringify(page).replace(/"synced_at":"[^"]*"/g, ''));
    cursor = page.cursor;
  } while (cursor !== undefined && pages.length < 50);
  return pages.join('\n');
}
