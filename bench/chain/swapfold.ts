import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { answerOf, type Contestant, startProgram } from './contestant.ts';
import type { SwapRow } from './tally.ts';

const KEY = 'benchmark-of-chains';
/** Milliseconds between looks at the newest block. */
export const POLL = 100;

interface Page<T> {
  readonly data: readonly T[];
  readonly count: number;
  readonly cursor?: string;
}

interface Profile {
  readonly metrics: { readonly '30d': { readonly trade_count: number } };
}

/** `swapfold serve --follow evm:URL` as it is published, into a store of an engine. */
export const swapfold = (engine: 'sqlite' | 'duckdb'): Contestant => ({
  name: `Swapfold, ${engine === 'sqlite' ? 'SQLite' : 'DuckDB'}`,
  follows: true,
  async start({ chain, exchange }, { folder }) {
    const usdc = exchange.tokens.find(({ symbol }) => symbol === 'USDC')!;
    const config = join(folder, 'config.json');
    const quote_tokens = [{ address: usdc.address, symbol: 'USDC', kind: 'stable' }];
    writeFileSync(config, JSON.stringify({ chain: 'anvil', address_format: 'evm', quote_tokens }));
    const factories = [exchange.v2Factory, exchange.v3Factory].flatMap(({ address }) => ['--factory', address]);
    let url: string | undefined;
    const program = startProgram(
      [
        resolve('packages/cli/dist/bin.js'),
        'serve',
        '--follow',
        `evm:${chain.url}`,
        ...factories,
        ...['--from-block', '0', '--poll-ms', String(POLL), '--port', '0', '--config', config],
        ...['--db', `${engine}:${join(folder, `store.${engine}`)}`],
      ],
      {
        cwd: folder,
        env: { SWAPFOLD_API_KEYS: KEY },
        log: (text) => {
          url = / at (http:\S+?)\/?;/.exec(text)?.[1];
        },
      },
    );
    const ask = async <T>(route: string, body: object): Promise<T | undefined> =>
      url === undefined
        ? undefined
        : answerOf<T>(`${url}/v1/anvil/dex${route}`, {
            method: 'POST',
            headers: { 'X-Api-Key': KEY, 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          });
    const swaps = (more: object): Promise<Page<SwapRow> | undefined> => ask('/swaps/get-swaps', more);
    const all = async <T>(route: string, body: object = {}): Promise<T[]> => {
      const items: T[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await ask<Page<T>>(route, { limit: 100, ...body, ...(cursor !== undefined && { cursor }) });
        items.push(...(page?.data ?? []));
        cursor = page?.cursor;
        if (cursor === undefined) return items;
      }
    };
    return {
      ...program,
      count: async () => (await swaps({ limit: 1 }))?.count,
      // A trade of the window for each that is listed, of whatever wallet.
      isComplete: async () => {
        const trades = await ask<Page<unknown>>('/trades/get-trades', { limit: 1 });
        const of = { options: { include_metrics: ['30d'] } };
        const profiles = await all<Profile>('/profiles/wallets/search-profiles', of);
        return profiles.reduce((sum, { metrics }) => sum + metrics['30d'].trade_count, 0) === trades?.count;
      },
      rows: () => all<SwapRow>('/swaps/get-swaps'),
    };
  },
});
