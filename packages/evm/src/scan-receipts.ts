import { feeOf } from './fees.ts';
import { type BlockTransactions, eventsOf, type RawReceipt, type TransactionFacts } from './receipts.ts';
import { type PriceOf, priceReader } from './scan-prices.ts';
import { mayBeRule, TRANSFER } from './trader-rules.ts';

/** Of `"from":"0x...`: short, and its first letter rare, so that it is found several times as fast as the whole. */
const FROM = 'rom":"';
const INDEX = '"transactionIndex":"';
const HASH = '"blockHash":"';
/** Of `"transactionHash":"0x...`, likewise. */
const OF_TRANSACTION = 'nHash":"';
/** Between two receipts, and between two logs. */
const BETWEEN = '},{';
/** Characters of an address and of a hash with `0x`. */
const ADDRESS_LENGTH = 42;
const HASH_LENGTH = 66;

/**
 * Some transactions of a block, by index and hash, from the receipts of all as JSON.
 *
 * Receipts hold all logs of a block once more, so that to parse them takes longer than all else that is read. They stand in the order of their
 * transactions, and each has one `from`, before or after its logs as the node puts it; what is behind one `from` and before the next one
 * belongs to two receipts.
 *
 * - Shape: `undefined` unless there are as many of these as transactions, each hash stands in its receipt, and each has the form that is known.
 */
export function scanReceipts(json: Buffer, wanted: ReadonlyMap<number, string>): BlockTransactions | undefined {
  const text = (from: number, length: number): string => json.toString('latin1', from, from + length);
  const froms: number[] = [];
  for (let at = json.indexOf(FROM); at >= 0; at = json.indexOf(FROM, at + FROM.length))
    if (text(at - 2, 2) === '"f') froms.push(at + FROM.length);
  const last = json.lastIndexOf(INDEX) + INDEX.length;
  if (Number(text(last, json.indexOf('"', last) - last)) !== froms.length - 1) return undefined;
  const logsAt = json.indexOf('"logs":');
  const isLogsFirst = logsAt >= 0 && logsAt < froms[0]!;
  /** Where the receipt of an index begins. */
  const startOf = (index: number): number => {
    if (index === 0) return json.indexOf('{');
    if (index === froms.length) return json.lastIndexOf('}') + 2;
    const at = isLogsFirst ? json.indexOf(BETWEEN, froms[index - 1]) : json.lastIndexOf(BETWEEN, froms[index]);
    return at + 2;
  };
  const transactions: [string, TransactionFacts][] = [];
  const tokenOf = copies();
  const textOf = (index: number): string => text(startOf(index), startOf(index + 1) - 1 - startOf(index));
  // A rollup's first transaction, which its node makes itself, has no price.
  const priceOf = priceReader([textOf(0), textOf(froms.length - 1)], logsOf);
  for (const [index, hash] of wanted) {
    const from = froms[index];
    if (from === undefined) return undefined;
    const sender = text(from, ADDRESS_LENGTH);
    if (!/^0x[0-9a-f]{40}$/i.test(sender)) return undefined;
    const [start, end] = [startOf(index), startOf(index + 1) - 1];
    if (!(start <= from && from < end)) return undefined;
    const receipt = text(start, end - start);
    if (!receipt.includes(OF_TRANSACTION + hash)) return undefined;
    const parse = (): RawReceipt => JSON.parse(text(start, end - start)) as RawReceipt;
    const facts = scanReceipt(receipt, sender.toLowerCase(), { parse, priceOf, tokenOf });
    if (facts === undefined) return undefined;
    transactions.push([hash, facts]);
  }
  return { blockHash: text(json.indexOf(HASH) + HASH.length, HASH_LENGTH), transactions };
}

/** Of `"logs":[` and `"topics":[`, from a letter on that is rare. */
const LOGS = 'gs":[';
const TOPICS = 'pics":[';
const ADDRESS = '"address":"';
/** From the address in `"address":"..","topics":[`, and from its beginning, to that letter. */
const BEHIND_ADDRESS = '","to'.length;
const BEFORE_TOPICS = ADDRESS.length + ADDRESS_LENGTH + BEHIND_ADDRESS;
const DATA = '"],"data":"0x';
/** Between the beginnings of two topics, and before the address in one. */
const TOPIC_STEP = HASH_LENGTH + '","'.length;
const BEFORE_ADDRESS = HASH_LENGTH - ADDRESS_LENGTH + 2;
const WORD = 64;

interface Reading {
  readonly parse: () => RawReceipt;
  readonly priceOf: PriceOf;
  readonly tokenOf: (address: string) => string;
}

/** Copies of addresses, each once: a part of a string keeps all of it in memory. */
function copies(): (address: string) => string {
  const known = new Map<string, string>();
  return (address) => {
    let copy = known.get(address);
    if (copy === undefined) {
      copy = Buffer.from(address, 'latin1').toString('latin1').toLowerCase();
      known.set(copy === address ? copy : Buffer.from(address, 'latin1').toString('latin1'), copy);
    }
    return copy;
  };
}

/** No other event begins so. */
const TRANSFER_BEGINS = TRANSFER.slice(0, 18);

const logsOf = (receipt: string): number => receipt.indexOf(LOGS);

/**
 * The fee of a receipt and what its sender gave and got; its events are parsed if they are asked for, which most receipts are not.
 *
 * Shape: `undefined` if a transfer has another form than `"address":..,"topics":[..],"data":..`.
 */
function scanReceipt(
  receipt: string,
  sender: string,
  { parse, priceOf, tokenOf }: Reading,
): TransactionFacts | undefined {
  const logs = logsOf(receipt);
  if (logs < 0) return undefined;
  const digits = sender.slice(2);
  const [gave, got] = [new Map<string, bigint>(), new Map<string, bigint>()];
  let isPlain = true;
  let end = logs + LOGS.length - 1;
  for (let at = receipt.indexOf(TOPICS, end); at >= 0; at = receipt.indexOf(TOPICS, end)) {
    const topic = at + TOPICS.length + 1;
    end = topic;
    if (!receipt.startsWith(TRANSFER_BEGINS, topic)) {
      if (isPlain && mayBeRule(receipt, topic)) isPlain = false;
      continue;
    }
    const data = topic + 2 * TOPIC_STEP + HASH_LENGTH;
    // Of ERC-721, with four topics and no data.
    if (!receipt.startsWith('"]', data)) continue;
    if (!receipt.startsWith(DATA, data) || !receipt.startsWith(ADDRESS, at - BEFORE_TOPICS)) return undefined;
    const amount = data + DATA.length;
    end = amount + WORD;
    const isFrom = receipt.startsWith(digits, topic + TOPIC_STEP + BEFORE_ADDRESS);
    const isTo = receipt.startsWith(digits, topic + 2 * TOPIC_STEP + BEFORE_ADDRESS);
    if (!(isFrom || isTo) || receipt[end] !== '"') continue;
    const token = tokenOf(receipt.slice(at - BEHIND_ADDRESS - ADDRESS_LENGTH, at - BEHIND_ADDRESS));
    const moved = BigInt(`0x${receipt.slice(amount, end)}`);
    if (isFrom) gave.set(token, (gave.get(token) ?? 0n) + moved);
    if (isTo) got.set(token, (got.get(token) ?? 0n) + moved);
  }
  const fee = feeOf(priceOf(receipt, logs));
  return { sender, fee, isPlain, own: { gave, got }, events: () => eventsOf(parse()) };
}
