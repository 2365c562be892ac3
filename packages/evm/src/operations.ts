import type { EventLog } from './event-log.ts';
import { BEFORE_EXECUTION, entryPoints, USER_OPERATION } from './trader-rules.ts';
import { addressWord, word, wordCount } from './words.ts';

/** An operation of ERC-4337 within a transaction. */
export interface Operation {
  readonly sender: string;
  /** Numbers of logs in the block: those of the operation lie between. */
  readonly from: number;
  readonly to: number;
  /** What the account itself paid for it, in the smallest unit of the native token: nothing if a paymaster did. */
  readonly fee: bigint;
}

/**
 * The operations of the known EntryPoints in a transaction. An EntryPoint tells that it begins to run a bundle, and after each operation that it
 * has run, so that the logs of an operation are those since the one before.
 */
export function operationsOf(events: readonly EventLog[]): Operation[] {
  const operations: Operation[] = [];
  const since = new Map<string, number>();
  for (const event of events) {
    const { topics, address, at, data } = event;
    if (!entryPoints.has(address)) continue;
    if (topics[0] === BEFORE_EXECUTION) since.set(address, at);
    if (topics[0] !== USER_OPERATION || topics.length !== 4 || wordCount(data) !== 4) continue;
    const isOwn = BigInt(topics[3]!) === 0n;
    operations.push({
      sender: addressWord(topics[2]!),
      from: since.get(address) ?? -1,
      to: at,
      fee: isOwn ? word(data, 2) : 0n,
    });
    since.set(address, at);
  }
  return operations;
}
