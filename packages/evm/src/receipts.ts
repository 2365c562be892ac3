/** The receipt of a transaction, as a node gives it. */
export interface RawReceipt {
  readonly transactionHash: string;
  readonly blockHash: string;
  readonly from: string;
}

/** Who sent transactions of a block, by hash. */
export interface BlockSenders {
  readonly blockHash: string | undefined;
  readonly senders: Iterable<readonly [hash: string, sender: string]>;
}

/** Of `"from":"0x...`: short, and its first letter rare, so that it is found several times as fast as the whole. */
const FROM = 'rom":"';
const INDEX = '"transactionIndex":"';
const HASH = '"blockHash":"';
/** Characters of an address and of a hash with `0x`. */
const ADDRESS_LENGTH = 42;
const HASH_LENGTH = 66;

/**
 * Senders of some transactions of a block, by index and hash, from the receipts of all as JSON.
 *
 * Receipts hold all logs of a block once more, so that to parse them takes longer than all else that is read. They stand in the order of their
 * transactions, and each has one `from`, so that what is between two of these belongs to two receipts at most.
 *
 * - Shape: `undefined` unless there are as many of these as transactions, and each hash stands near that of its transaction.
 */
export function scanReceipts(json: Buffer, transactions: ReadonlyMap<number, string>): BlockSenders | undefined {
  const text = (from: number, length: number): string => json.toString('latin1', from, from + length);
  const froms: number[] = [];
  for (let at = json.indexOf(FROM); at >= 0; at = json.indexOf(FROM, at + FROM.length))
    if (text(at - 2, 2) === '"f') froms.push(at + FROM.length);
  const last = json.lastIndexOf(INDEX) + INDEX.length;
  if (Number(text(last, json.indexOf('"', last) - last)) !== froms.length - 1) return undefined;
  const senders: [string, string][] = [];
  for (const [index, hash] of transactions) {
    const from = froms[index];
    if (from === undefined) return undefined;
    const found = json.indexOf(hash.slice(2), froms[index - 1], 'latin1');
    const sender = text(from, ADDRESS_LENGTH);
    if (found < 0 || found > (froms[index + 1] ?? json.length) || !/^0x[0-9a-f]{40}$/i.test(sender)) return undefined;
    senders.push([hash, sender.toLowerCase()]);
  }
  return { blockHash: text(json.indexOf(HASH) + HASH.length, HASH_LENGTH), senders };
}

/** The same of receipts that are parsed. */
export const sendersOf = (receipts: readonly RawReceipt[]): BlockSenders => ({
  blockHash: receipts[0]?.blockHash,
  senders: receipts.map(({ transactionHash, from }) => [transactionHash, from.toLowerCase()]),
});
