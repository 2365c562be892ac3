import { swapKindsOf } from './event-kinds.ts';
import type { LogFilter } from './log-filter.ts';
import type { RawReceipt } from './receipts.ts';

/** Of `"topics":["`, from a letter on that is rare. */
const TOPICS = 'pics":["';
/** Characters of an address, and those between it and `TOPICS`. */
const ADDRESS_LENGTH = 42;
const BEHIND_ADDRESS = '","to'.length;
const ADDRESS = '"address":"';

/** Counts swaps of a filter in the receipts of a block. */
export interface SwapCount {
  /** In their text. Shape: 0 if a log has another form than `"address":..,"topics":[..]`. */
  inText(json: Buffer): number;
  in(receipts: readonly RawReceipt[]): number;
}

export function swapCountOf({ topics, address }: LogFilter): SwapCount {
  const wanted = topics[0]!.filter((topic) => swapKindsOf(topic) !== undefined);
  const needles = wanted.map((topic) => Buffer.from(TOPICS + topic, 'latin1'));
  const addresses = address && new Set(address);
  return {
    inText(json) {
      let count = 0;
      for (const needle of needles)
        for (let at = json.indexOf(needle); at >= 0; at = json.indexOf(needle, at + needle.length)) {
          const end = at - BEHIND_ADDRESS;
          const start = end - ADDRESS_LENGTH;
          if (json.toString('latin1', start - ADDRESS.length, start) !== ADDRESS) return 0;
          if (addresses?.has(json.toString('latin1', start, end).toLowerCase()) ?? true) count++;
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
