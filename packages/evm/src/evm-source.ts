import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Node, Notices, type SendCalls, Trail } from '@swapfold/chain';
import { type Source, type SourceItem, SwapfoldError } from '@swapfold/core';
import { Blocks } from './blocks.ts';
import { chains } from './chains.ts';
import { Contracts } from './contracts.ts';
import { factoriesOn } from './factories.ts';
import { ChainFollower } from './follow-chain.ts';
import { InitializeSearch } from './initialize-search.ts';
import { LatePools } from './late-pools.ts';
import { filterOf, type LogFilter } from './log-filter.ts';
import { Logs } from './logs.ts';
import { nativeItself, nativeTokenOf, quoteTokensOf } from './native.ts';
import { type EvmSourceOptions, type Settings, settingsOf } from './options.ts';
import { Pools } from './pools.ts';
import { searchedIn } from './searched-pools.ts';
import { senderOf } from './send-calls.ts';
import { swapCountOf } from './swap-count.ts';
import { SwapReader } from './swap-reader.ts';
import { TokenTransfers } from './token-transfers.ts';
import { Tokens } from './tokens.ts';
import { noneUndecoded, type Undecoded } from './undecoded.ts';
import { numberOf } from './words.ts';

/** A source of the swaps of a chain. */
export interface EvmSource extends Source {
  /** Swap events that became no swap since the last `read` began, by reason, and swaps whose wallet is assumed. */
  readonly undecoded: Readonly<Undecoded>;
}

/**
 * Swaps of pools of Uniswap V2, V3 and V4, of forks, and of the other kinds that docs/guides/chain.md lists, from a node of an EVM chain, for
 * `dex.follow`.
 *
 * - A swap event is a swap: `tx_hash`, `swap_index` the number of its log in the block, `block_slot` the number of the block, amounts in whole
 *   tokens, each the nearest double, `wallet` the account whose tokens were exchanged or, as an option, the sender or the recipient.
 * - Reorganisations are found by the hashes of parents and rolled back to the fork, in the same stream, also if they happened meanwhile the
 *   process was down.
 * - A node that fails, limits or lags is asked again, with smaller questions; `onNotice` receives it.
 * - Errors: `invalid-input` for wrong options, a chain of another id, a listed pool that is none; `source-failed` if the node's chain has none
 *   of the blocks that were read.
 *
 * @example
 * const source = evmSource({ url: 'http://127.0.0.1:8545', factories: ['uniswap-v3'], from_block: 19_000_000 });
 * await dex.follow(source, { signal });
 */
export function evmSource(options: EvmSourceOptions): EvmSource {
  const settings = settingsOf(options);
  const undecoded = noneUndecoded();
  return {
    name: options.name ?? nameOf(settings),
    undecoded,
    async *read(after, { signal: given }): AsyncGenerator<SourceItem> {
      const signal = AbortSignal.any([given]);
      // Each call to the node that runs listens to it.
      setMaxListeners(0, signal);
      const { send, close } = senderOf(options);
      try {
        Object.assign(undecoded, noneUndecoded());
        yield* await follow(send, settings, { after, signal, undecoded });
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        await close();
      }
    },
  };
}

interface Reading {
  readonly after: string | null;
  readonly signal: AbortSignal;
  readonly undecoded: Undecoded;
}

async function follow(
  send: SendCalls,
  settings: Settings,
  { after, signal, undecoded }: Reading,
): Promise<AsyncGenerator<SourceItem>> {
  const notices = new Notices(settings.onNotice);
  const node = new Node(send, { batch: settings.batch, signal, notices });
  const chainId = await chainOf(node, settings.chainId);
  const contracts = new Contracts(node);
  const known = chains.find((chain) => chain.id === chainId)?.factories ?? [];
  const factories = factoriesOn(chainId, settings);
  const search = new InitializeSearch(node, { signal, notices });
  const native = settings.nativeToken ?? nativeTokenOf(chainId);
  const pools = new Pools({ contracts, search, native }, factories, known);
  const tokens = new Tokens(contracts, {
    native,
    given: [...(native === undefined ? [nativeItself] : []), ...settings.tokens],
  });
  await learnPools(pools, settings.pools ?? []);
  const filter = filterOf(settings.pools, new Set(factories.flatMap(({ kinds }) => kinds)));
  const logsBy = (of: LogFilter): Logs => new Logs(node, { filter: of, most: settings.maxRange, signal, notices });
  const blocks = new Blocks(node, { notices, swapCount: swapCountOf(filter) });
  const newest = after === null || settings.toBlock === 'latest' ? (await blocks.latest()).number : 0;
  const toBlock = settings.toBlock === 'latest' ? newest - settings.confirmations : settings.toBlock;
  const fromBlock = settings.fromBlock === 'latest' ? newest + 1 - settings.confirmations : settings.fromBlock;
  const trail = after === null ? Trail.from(chainId, Math.max(0, fromBlock)) : Trail.parse(after, chainId);
  notices.tell(beginning(settings, { after, next: trail.next, toBlock }));
  const latePools = new LatePools({ search, pools, logsOf: logsBy, notices });
  if (after !== null) latePools.resume(searchedIn(after));
  const follower = new ChainFollower({
    latePools,
    blocks,
    logs: logsBy(filter),
    transfers: settings.transfers
      ? new TokenTransfers({
          ...{ blocks, tokens, followed: () => pools.tokens },
          logsOf: (address, topic) => logsBy({ address, topics: [[topic]] }),
        })
      : undefined,
    pause: (millis) => node.pause(millis),
    reader: new SwapReader({
      ...{ pools, tokens, blocks, notices, wallet: settings.wallet },
      known: { native, quotes: quoteTokensOf(chainId) },
    }),
    trail,
    confirmations: settings.confirmations,
    toBlock,
    pollMs: settings.pollMs,
    signal,
    notices,
    undecoded,
    takeTokens: () => tokens.takeFresh(),
    forgetFrom: (block) => {
      pools.forgetFrom(block);
      tokens.forgetFrom(block);
    },
  });
  return follower.items();
}

/** Says where reading begins, and if that is not where the options say. */
function beginning(
  { fromBlock }: Settings,
  {
    after,
    next,
    toBlock,
  }: { readonly after: string | null; readonly next: number; readonly toBlock: number | undefined },
): string {
  const end = toBlock === undefined ? '' : ` and ends behind block ${toBlock}`;
  if (after === null) return `Reading begins at block ${next}${end}.`;
  if (toBlock !== undefined && toBlock < next)
    return `The store has blocks up to ${next - 1}, and the range ends at block ${toBlock}: there is nothing to read. Give the source another "name" to read it again.`;
  const given =
    typeof fromBlock === 'number' && fromBlock < next
      ? ` Block ${fromBlock} would be the first of a store that has nothing of this source yet.`
      : '';
  return `Reading goes on at block ${next}, behind the last one that is stored${end}.${given}`;
}

/** The id of the node's chain. Errors: `invalid-input` if it is another one than expected; `source-failed` if the node lets nobody in. */
async function chainOf(node: Node, expected: number | undefined): Promise<number> {
  const { failure, value } = await node.attempt<string>('eth_chainId');
  if (failure?.status !== undefined && [401, 403, 404].includes(failure.status))
    throw new SwapfoldError('source-failed', `The node refuses to answer (HTTP ${failure.status}): ${failure.message}`);
  const id = numberOf(value ?? (await node.call('eth_chainId')));
  if (expected === undefined || id === expected) return id;
  const nameOfChain = (of: number): string => chains.find((chain) => chain.id === of)?.name ?? 'unknown to Swapfold';
  throw new SwapfoldError(
    'invalid-input',
    `The node is of chain ${id} (${nameOfChain(id)}), not of chain ${expected} (${nameOfChain(expected)}): give the address of another node, or another "chain_id".`,
  );
}

/** Errors: `invalid-input` for an address that is no pool. */
async function learnPools(pools: Pools, addresses: readonly string[]): Promise<void> {
  const none = await pools.learnList(addresses);
  if (none.length === 0) return;
  throw new SwapfoldError(
    'invalid-input',
    `"pools" of evmSource: ${none.slice(0, 10).join(', ')} ${none.length === 1 ? 'is no pool' : 'are no pools'} on this chain: no "token0" and "token1".`,
  );
}

/** Sources that would give other swaps have other names. */
function nameOf({ pools, factories, managers, wallet }: Settings): string {
  const followed = [
    ...(pools ?? []),
    ...[...factories, ...managers].map((factory) => ('address' in factory ? factory.address : factory.name)),
  ].sort();
  const sum = createHash('sha256')
    .update(JSON.stringify([followed, wallet]))
    .digest('hex')
    .slice(0, 12);
  return `evm-${sum}`;
}
