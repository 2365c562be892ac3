import type { Calls, Movement, PoolSwap } from './movement.ts';
import { vaultOf } from './trader-rules.ts';

interface Call {
  readonly at: number;
  readonly contract: string;
  readonly caller: string;
}

/** The calls of one caller: how many swaps, and what each token lacks of the ones that are followed, less what they gave. */
interface Group {
  readonly name: string;
  readonly caller: string;
  readonly known: Map<string, bigint>;
  swaps: number;
}

/** Whose calls to managers of pools movements settle. */
export interface Callers {
  readonly calls: ReadonlyMap<string, Calls>;
  readonly vaults: Iterable<string>;
  /** The calls that a movement at a vault settles. Shape: `undefined` for any other account. */
  nameOf(account: string, movement: Movement): string | undefined;
}

/**
 * Groups the calls to managers by caller. A movement is of the caller that it names, else of the one whose swaps lack about as much of the
 * token, or have it left, else of the one with the most swaps.
 */
export function callers(all: readonly Call[], swaps: readonly PoolSwap[], raw: readonly Movement[]): Callers {
  const followed = new Set(swaps.map(({ at }) => at));
  const byVault = new Map<string, Group[]>();
  const calls = new Map<string, Calls>();
  const groupOf = ({ contract, caller }: Call): Group => {
    const vault = vaultOf(contract);
    const name = `${vault}|${caller}`;
    const groups = byVault.get(vault) ?? [];
    byVault.set(vault, groups);
    let group = groups.find((each) => each.name === name);
    if (group === undefined) {
      group = { name, caller, known: new Map(), swaps: 0 };
      groups.push(group);
    }
    return group;
  };
  for (const call of all) {
    const group = groupOf(call);
    group.swaps++;
    const hasUnknown = calls.get(group.name)?.hasUnknown === true || !followed.has(call.at);
    calls.set(group.name, { caller: group.caller, hasUnknown });
  }
  for (const { at, contract, caller, tokenIn, tokenOut, amountIn, amountOut } of swaps) {
    if (caller === undefined) continue;
    const { known } = groupOf({ at, contract, caller });
    known.set(tokenIn, (known.get(tokenIn) ?? 0n) + amountIn);
    known.set(tokenOut, (known.get(tokenOut) ?? 0n) - amountOut);
  }
  for (const groups of byVault.values()) groups.sort((a, b) => b.swaps - a.swaps);
  const chosen = new Map<Movement, string>();
  for (const movement of raw)
    for (const vault of [movement.from, movement.to]) {
      const groups = byVault.get(vault);
      if (groups !== undefined) chosen.set(movement, bestOf(groups, movement, movement.to === vault).name);
    }
  return {
    calls,
    vaults: byVault.keys(),
    nameOf: (account, movement) => (byVault.has(account) ? chosen.get(movement) : undefined),
  };
}

function bestOf(groups: readonly Group[], { token, amount, from, to }: Movement, isIn: boolean): Group {
  const other = isIn ? from : to;
  let [best, least] = [groups[0]!, Number.POSITIVE_INFINITY];
  if (groups.length === 1) return best;
  for (const group of groups) {
    if (group.caller === other) return group;
    const lacks = (group.known.get(token) ?? 0n) * (isIn ? 1n : -1n);
    if (lacks <= 0n) continue;
    const off = Math.abs(Number(amount) / Number(lacks) - 1);
    if (off < least) [best, least] = [group, off];
  }
  return best;
}
