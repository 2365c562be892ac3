import { type PricedReceipt, pricingFields } from './fees.ts';

/** What the text of a receipt tells of its price; its logs begin at a place. */
export type PriceOf = (receipt: string, logs: number) => PricedReceipt;

interface Place {
  readonly field: keyof PricedReceipt;
  readonly key: string;
  /** Before the logs, or behind them. */
  readonly isBefore: boolean;
}

/** Of a transaction that carries blobs, which alone tells what they cost. */
const BLOBS = '0x3';

/**
 * Reads prices of the receipts of a block, of which some are given as text: a field that none of these has is not looked for in the others, and
 * one that is is looked for on the same side of the logs.
 */
export function priceReader(some: readonly string[], logsOf: (receipt: string) => number): PriceOf {
  const places = pricingFields.flatMap((field): Place[] => {
    const key = `"${field}":"0x`;
    const found = some.find((receipt) => outsideOf(receipt, key, logsOf(receipt)) >= 0);
    return found === undefined ? [] : [{ field, key, isBefore: found.indexOf(key) < logsOf(found) }];
  });
  const read = (receipt: string, logs: number): Partial<Record<keyof PricedReceipt, string>> => {
    const found: Partial<Record<keyof PricedReceipt, string>> = {};
    for (const { field, key, isBefore } of places) {
      const at = isBefore ? receipt.indexOf(key) : receipt.lastIndexOf(key);
      if (at >= 0 && at < logs === isBefore) found[field] = valueAt(receipt, at + key.length - 2);
    }
    return found;
  };
  return (receipt, logs) => {
    const found = read(receipt, logs);
    if (found.type === BLOBS)
      for (const field of ['blobGasUsed', 'blobGasPrice'] as const) {
        const key = `"${field}":"0x`;
        const at = outsideOf(receipt, key, logs);
        if (at >= 0) found[field] = valueAt(receipt, at + key.length - 2);
      }
    return found;
  };
}

/** Of `"topics":[`, which only logs have. */
const TOPICS = 'pics":[';

/** Where a key is before the logs, or else the last time in or behind the last one: what is between is most of the text. */
function outsideOf(receipt: string, key: string, logs: number): number {
  const first = receipt.slice(0, logs).indexOf(key);
  if (first >= 0) return first;
  const behind = Math.max(logs, receipt.lastIndexOf(TOPICS));
  const last = receipt.slice(behind).lastIndexOf(key);
  return last < 0 ? -1 : behind + last;
}

const valueAt = (receipt: string, at: number): string => receipt.slice(at, receipt.indexOf('"', at));
