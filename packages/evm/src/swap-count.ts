import { swapKindsOf } from './event-kinds.ts';
import type { LogFilter } from './log-filter.ts';
import type { RawReceipt } from './receipts.ts';
import type { WatchedLog } from './scan-receipts.ts';

/** Of `"topics":["`, from a letter on that is rare. */
const TOPICS = 'pics":["';
/** Characters of an address, and those between it and `TOPICS`. */
const ADDRESS_LENGTH = 42;
const BEHIND_ADDRESS = '","to'.length;
const ADDRESS = '"address":"';

/** Counts swaps of a filter in the receipts of a block. */
export interface SwapCount {
  /** In their text. Shape: 0 if a log has another form than `"address":..,"topics":[..]`. */
  inText(text: string, logs: readonly WatchedLog[]): number;
  in(receipts: readonly RawReceipt[]): number;
}

export function swapCountOf({ topics, address }: LogFilter): SwapCount {
  const wanted = topics[0]!.filter((topic) => swapKindsOf(topic) !== undefined);
  const addresses = address && new Set(address);
  return {
    inText(text, logs) {
      let count = 0;
      for (const { at, kind } of logs) {
        if (kind === 'transfer' || kind === 'wrap') continue;
        const topic = at + TOPICS.length;
        if (!wanted.some((each) => text.startsWith(each, topic))) continue;
        const end = at - BEHIND_ADDRESS;
        const start = end - ADDRESS_LENGTH;
        if (!text.startsWith(ADDRESS, start - ADDRESS.length)) return 0;
        if (addresses?.has(text.slice(start, end).toLowerCase()) ?? true) count++;
      }
      return count;
    },
    in(receipts) {
      const logs = receipts.flatMap((receipt) => receipt.logs ?? []);
      return logs.filter(
        (log) => wanted.includes(log.topics[0]!) && (addresses?.has(log.address.toLowerCase()) ?? true),
      ).length;
    },
  };
}
