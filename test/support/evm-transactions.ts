import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SourceItem } from '@swapfold/core';
import { type EvmSource, type EvmSourceOptions, evmSource } from '@swapfold/evm';
import { eventKinds, isManaged, type KindName } from '../../packages/evm/src/event-kinds.ts';

/** A transaction as a chain has it, cut to what matters, with the swaps that it holds, worked out by hand. */
export interface Recorded {
  readonly name: string;
  readonly kind: string;
  readonly why: string;
  readonly chain_id: number;
  readonly transaction: string;
  readonly pools: readonly {
    /** The contract, and of a manager's pool the id behind a slash. */
    readonly pool: string;
    readonly kind: KindName;
    readonly token0: string;
    readonly token1: string;
    /** `false`: the source is not told of it. */
    readonly followed?: boolean;
  }[];
  /** Amounts in the smallest units. */
  readonly swaps: readonly RecordedSwap[];
  readonly receipt: { readonly from: string; readonly logs: readonly RecordedLog[] };
}

export interface RecordedSwap {
  readonly swap_index: number;
  readonly wallet: string;
  readonly token_in: string;
  readonly amount_in: string;
  readonly token_out: string;
  readonly amount_out: string;
}

interface RecordedLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly logIndex: string;
}

const folder = fileURLToPath(new URL('../fixtures/evm/', import.meta.url));

/** The recorded transactions of EVM chains, by name. */
export const recordedTransactions = (): Recorded[] =>
  readdirSync(folder)
    .sort()
    .map((file) => ({ name: file.replace('.json', ''), ...JSON.parse(readFileSync(folder + file, 'utf8')) }));

const hex = (value: number): string => `0x${value.toString(16)}`;
const word = (value: string | number): string =>
  (typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0');
const hashOf = (number: number): string => `0x${word(number)}`;

/** Blocks of the chain: the transaction is in the first. */
const [BLOCK, HEAD] = [1000, 1002];

/** The factory of a pool alone. */
const factoryOf = (pool: string): string => `0xfac7${pool.slice(6)}`;

/** What a node of a chain of that one transaction answers. All tokens have no decimals, so that amounts are in their smallest units. */
function answerTo(of: Recorded, method: string, params: readonly unknown[]): unknown {
  const block = (number: number) => ({
    ...{ number: hex(number), hash: hashOf(number), parentHash: hashOf(number - 1), timestamp: '0x65000000' },
    ...{ logsBloom: '0x', transactions: [] },
  });
  const place = {
    ...{ blockHash: hashOf(BLOCK), blockNumber: hex(BLOCK), blockTimestamp: '0x65000000' },
    ...{ transactionHash: of.transaction, transactionIndex: '0x0' },
  };
  switch (method) {
    case 'eth_chainId':
      return hex(of.chain_id);
    case 'eth_blockNumber':
      return hex(HEAD);
    case 'eth_getBlockByNumber':
      return block(params[0] === 'latest' ? HEAD : Number(params[0]));
    case 'eth_getLogs': {
      const filter = params[0] as { blockHash?: string; fromBlock?: string; toBlock?: string; topics: string[][] };
      const [kinds, ids] = filter.topics.map((topic) => [topic].flat());
      if (ids !== undefined) return initializations(of, kinds![0]!, ids);
      const isAsked =
        filter.blockHash === undefined
          ? Number(filter.fromBlock) <= BLOCK && Number(filter.toBlock) >= BLOCK
          : filter.blockHash === hashOf(BLOCK);
      return isAsked
        ? of.receipt.logs.filter(({ topics }) => kinds!.includes(topics[0]!)).map((log) => ({ ...log, ...place }))
        : [];
    }
    case 'eth_getBlockReceipts':
      return [{ ...of.receipt, ...place }];
    case 'eth_call': {
      const { to, data } = params[0] as { readonly to: string; readonly data: string };
      return callOf(of, to, data);
    }
    default:
      throw Object.assign(new Error(`The method ${method} is not found`), { code: -32601 });
  }
}

function callOf(of: Recorded, to: string, data: string): string {
  const selector = data.slice(0, 10);
  const pool = of.pools.find((each) => each.pool === to);
  if (pool !== undefined) {
    const known = { '0x0dfe1681': pool.token0, '0xd21220a7': pool.token1, '0xc45a0155': factoryOf(to) };
    return `0x${word(known[selector as keyof typeof known] ?? 1)}`;
  }
  const made = of.pools.find((each) => factoryOf(each.pool) === to);
  // Decimals of a token; it has no symbol.
  if (made === undefined) return selector === '0x313ce567' ? `0x${word(0)}` : '0x';
  const { poolOf } = eventKinds.find(({ name }) => name === made.kind)!;
  return `0x${word(selector === poolOf?.selector ? made.pool : 0)}`;
}

function initializations(of: Recorded, topic: string, ids: readonly string[]): readonly object[] {
  return of.pools.flatMap(({ pool, token0, token1 }, i) => {
    const [address, id] = pool.split('/');
    if (id === undefined || !ids.includes(id)) return [];
    return {
      ...{ address, topics: [topic, id, `0x${word(token0)}`, `0x${word(token1)}`], data: `0x${word(0).repeat(5)}` },
      ...{
        blockHash: hashOf(1),
        blockNumber: '0x1',
        transactionHash: hashOf(1),
        transactionIndex: '0x0',
        logIndex: hex(i),
      },
    };
  });
}

/** The source of a recorded transaction: its followed pools, or all of them. */
export function recordedSource(
  of: Recorded,
  { all = false, ...more }: Partial<EvmSourceOptions> & { all?: boolean } = {},
): EvmSource {
  const followed = of.pools.filter((pool) => all || pool.followed !== false);
  const isOfManager = ({ kind }: Recorded['pools'][number]): boolean =>
    isManaged(eventKinds.find(({ name }) => name === kind)!);
  const factories = followed.filter((pool) => !isOfManager(pool)).map(({ pool }) => factoryOf(pool));
  const managers = [...new Set(followed.filter(isOfManager).map(({ pool }) => pool.split('/')[0]!))];
  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> =>
    answerTo(of, method, params);
  return evmSource({
    transport: (() => ({ request })) as never,
    ...(factories.length > 0 && { factories }),
    ...(managers.length > 0 && { managers }),
    ...{ from_block: BLOCK, to_block: BLOCK, onNotice: () => undefined },
    ...more,
  });
}

/** The swaps that a source gives, amounts in the smallest units as the nearest doubles. */
export async function swapsOf(source: EvmSource): Promise<Map<number, Record<string, unknown>>> {
  const found = new Map<number, Record<string, unknown>>();
  for await (const item of source.read(null, { signal: AbortSignal.timeout(20_000) }))
    for (const row of rowsOf(item)) found.set(row.swap_index as number, row);
  return found;
}

function rowsOf({ rows }: SourceItem): Record<string, unknown>[] {
  if (rows === undefined || Array.isArray(rows)) return (rows ?? []) as unknown as Record<string, unknown>[];
  const { length, columns } = rows as unknown as { length: number; columns: Record<string, Column> };
  return Array.from({ length }, (_, i) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, cellOf(column, i)])),
  );
}

type Column = readonly unknown[] | Float64Array | { readonly dictionary: readonly string[]; readonly ids: Int32Array };

const cellOf = (column: Column, i: number): unknown =>
  'dictionary' in column ? (column.dictionary[column.ids[i]!] ?? null) : column[i];

/** Whether a swap is as it was worked out. */
export const isRight = (right: RecordedSwap, row: Record<string, unknown> | undefined): boolean =>
  row !== undefined &&
  row.wallet === right.wallet &&
  row.token_in === right.token_in &&
  row.token_out === right.token_out &&
  row.token_amount_in === Number(right.amount_in) &&
  row.token_amount_out === Number(right.amount_out);
