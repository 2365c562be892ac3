import type { Mutant } from './mutant.ts';

const route = 'ledger/net.ts';
const swaps = 'queries/swaps.ts';
const legs = 'queries/candle-legs.ts';
const token = 'queries/candle-legs.ts';

/** Pools of trades, lists and candles by pool. */
export const pools: readonly Mutant[] = [
  {
    breaks: 'a route ends at its first hop',
    file: route,
    find: 'if (hops.has(next)) reached.add(next);',
    replace: 'hops.has(next);',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a route goes on through quote tokens and other traded tokens',
    file: route,
    find: 'if (hops.has(next)) reached.add(next);',
    replace: 'reached.add(next);',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a trade lists its pools from the traded token on, not in chain order',
    file: route,
    find: '      .sort((a, b) => a - b)\n',
    replace: '',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a trade lists a pool as often as it went through it',
    file: route,
    find: 'Array.from(new Set(pools))',
    replace: 'pools',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a swap of a token for itself is part of its route',
    file: route,
    find: '    if (given === received) continue;\n',
    replace: '',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'of a route only the swap that first touches the token has a pool',
    file: 'ledger/net.ts',
    find: 'if (rows.some((row) => c.pool[row] !== NO_ID)) {',
    replace: 'if (rows.length < 0) {',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a transaction has the route of the one before it',
    file: 'ledger/net.ts',
    find: '    this.#poolsOf = undefined;\n',
    replace: '',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'swaps of a pool and a token are those of the pool',
    file: swaps,
    find: "and(...eq('pool', pool), ...either('token', 'other'), ...since)",
    replace: "and(...eq('pool', pool), ...since)",
    noticedBy: 'pools',
  },
  {
    breaks: 'swaps of a pool and a token have the token on the side that the pool stands for',
    file: swaps,
    find: "either('token', 'other')",
    replace: "either('token', 'token')",
    noticedBy: 'pools',
  },
  {
    breaks: 'swaps of a wallet and a pool are those of the wallet',
    file: swaps,
    find: "...eq('wallet', wallet), ...eq('pool', pool),",
    replace: "...eq('wallet', wallet),",
    noticedBy: 'pools',
  },
  {
    breaks: 'the count of a pool misses what comes after it was cached',
    file: 'cache/regions.ts',
    find: "grow('swaps of a pool', swaps.columns.pool);",
    replace: '',
    noticedBy: 'pools',
  },
  {
    breaks: 'the count of a pool misses late swaps after it was cached',
    file: 'ingest/reprocess.ts',
    find: 'for (const pool of c.pool) changes?.touched.pools.add(pool);',
    replace: 'changes?.touched.pools.size;',
    noticedBy: 'pools',
  },
  {
    breaks: 'a late second leaves the rows by which its pools found its swaps',
    file: 'ingest/reprocess.ts',
    find: 'for (const table of [swapsTable, ...tablesBySeq, tradesTable])',
    replace:
      "for (const table of [swapsTable, ...tablesBySeq.filter(({ name }) => name !== 'pool_swaps'), tradesTable])",
    noticedBy: 'pools',
  },
  {
    breaks: 'a pool of an EVM chain is another in capitals',
    file: 'addresses/address.ts',
    find: "return format === 'evm' ? identifier?.toLowerCase() : identifier;",
    replace: 'return format === undefined ? undefined : identifier;',
    noticedBy: 'pools of an EVM chain',
  },
  {
    breaks: 'candles of a token in a pool are those of the token',
    file: 'queries/candles.ts',
    find: 'if (pool === undefined) return {',
    replace: 'if (pool !== null) return {',
    noticedBy: 'pools',
  },
  {
    breaks: 'candles of the token that a pool does not stand for are empty',
    file: legs,
    find: "or(compare('token', 'eq', token), compare('other', 'eq', token)),",
    replace: "compare('token', 'eq', token),",
    noticedBy: 'pools',
  },
  {
    breaks: 'candles of a range in a pool go on after its end',
    file: legs,
    find: "and(compare('seq', 'gte', next), compare('seq', 'lt', below))",
    replace: "and(compare('seq', 'gte', next), compare('seq', 'gt', 0 * below))",
    noticedBy: 'pools',
  },
  {
    breaks: 'a swap of a token for itself counts in the candles of its pool',
    file: legs,
    find: "const isExchange = not(isIn('other', [NO_ID]));",
    replace: "const isExchange = not(isIn('pool', [NO_ID]));",
    noticedBy: 'pools',
  },
  {
    breaks: 'the token of a pool is one that came to it after the instant asked for',
    file: legs,
    find: "compare('seq', 'lte', until),",
    replace: "compare('seq', 'gte', until - until),",
    noticedBy: 'pools',
  },
  {
    breaks: 'a pool stands for a quote token as soon as that sorts first',
    file: token,
    find: 'traded.length > 0 ? traded : tokens',
    replace: 'tokens',
    noticedBy: 'pools',
  },
  {
    breaks: 'a pool of quote tokens stands for none',
    file: token,
    find: 'traded.length > 0 ? traded : tokens',
    replace: 'traded',
    noticedBy: 'pools',
  },
  {
    breaks: 'a pool stands for the token whose address sorts last',
    file: token,
    find: '< 0 ? token : first',
    replace: '> 0 ? token : first',
    noticedBy: 'pools',
  },
];
