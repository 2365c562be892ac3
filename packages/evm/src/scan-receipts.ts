import { feeOf, type PricedReceipt, pricingFields } from './fees.ts';
import type { BlockTransactions, EventLog, TransactionFacts } from './receipts.ts';
import { isWatched } from './trader-rules.ts';
import { numberOf } from './words.ts';

/** Of `"from":"0x...`: short, and its first letter rare, so that it is found several times as fast as the whole. */
const FROM = 'rom":"';
const INDEX = '"transactionIndex":"';
const HASH = '"blockHash":"';
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
 * - `hasEvents`: whether their events and fees are wanted as well.
 * - Shape: `undefined` unless there are as many of these as transactions, each hash stands in its receipt, and each has the form that is known.
 */
export function scanReceipts(
  json: Buffer,
  wanted: ReadonlyMap<number, string>,
  hasEvents: boolean,
): BlockTransactions | undefined {
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
  for (const [index, hash] of wanted) {
    const from = froms[index];
    if (from === undefined) return undefined;
    const sender = text(from, ADDRESS_LENGTH);
    if (!/^0x[0-9a-f]{40}$/i.test(sender)) return undefined;
    const [start, end] = [startOf(index), startOf(index + 1) - 1];
    if (!(start <= from && from < end)) return undefined;
    const receipt = text(start, end - start);
    if (!receipt.includes(hash)) return undefined;
    const facts = hasEvents ? scanReceipt(receipt, sender) : { fee: undefined, events: [] };
    if (facts === undefined) return undefined;
    transactions.push([hash, { sender: sender.toLowerCase(), ...facts }]);
  }
  return { blockHash: text(json.indexOf(HASH) + HASH.length, HASH_LENGTH), transactions };
}

const TOPICS = '"topics":[';
const LOG_INDEX = '"logIndex":"';
/** `"address":"` and what is behind the address. */
const ADDRESS = '"address":"';
const BEFORE_TOPICS = ADDRESS.length + ADDRESS_LENGTH + '",'.length;
const DATA = '],"data":"';

/** Fee and events of a receipt. Shape: `undefined` if its logs have another form than `"address":..,"topics":[..],"data":..`. */
function scanReceipt(receipt: string, sender: string): Pick<TransactionFacts, 'fee' | 'events'> | undefined {
  const logs = receipt.indexOf('"logs":[');
  if (logs < 0 || !receipt.includes(sender)) return undefined;
  const events: EventLog[] = [];
  const firstIndex = receipt.indexOf(LOG_INDEX, logs);
  const first = firstIndex < 0 ? 0 : numberOf(receipt.slice(firstIndex + LOG_INDEX.length, firstIndex + 32));
  let end = logs;
  let log = first;
  for (let at = receipt.indexOf(TOPICS, logs); at >= 0; at = receipt.indexOf(TOPICS, end), log++) {
    const topics = at + TOPICS.length;
    end = topics;
    if (!isWatched(receipt.slice(topics + 1, topics + 1 + HASH_LENGTH))) continue;
    const data = receipt.indexOf(DATA, topics);
    if (data < 0 || !receipt.startsWith(ADDRESS, at - BEFORE_TOPICS)) return undefined;
    const address = receipt.slice(at - ADDRESS_LENGTH - 2, at - 2);
    // Four topics at most, each in quotes and with a comma between.
    const given: string[] = [];
    for (let topic = topics + 1; topic < data; topic += HASH_LENGTH + 3)
      given.push(receipt.slice(topic, topic + HASH_LENGTH));
    const dataFrom = data + DATA.length;
    end = receipt.indexOf('"', dataFrom);
    events.push({
      at: log,
      address: address.toLowerCase(),
      topics: given,
      data: receipt.slice(dataFrom, end),
    });
  }
  const behind = receipt.indexOf(']', end);
  return { fee: feeOf(priceIn(receipt.slice(0, logs), receipt.slice(behind))), events };
}

const pricing = new RegExp(`"(${pricingFields.join('|')})":"(0x[0-9a-f]+)"`, 'g');

function priceIn(...parts: readonly string[]): PricedReceipt {
  const found: Record<string, string> = {};
  for (const part of parts) for (const [, name, value] of part.matchAll(pricing)) found[name!] = value!;
  return found;
}
