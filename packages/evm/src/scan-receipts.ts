import type { EventLog } from './event-log.ts';
import { feeOf } from './fees.ts';
import { type BlockTransactions, eventsOf, type Glance, type RawReceipt, type TransactionFacts } from './receipts.ts';
import { type PriceOf, priceReader } from './scan-prices.ts';
import { isWatched, watchedAs } from './trader-rules.ts';
import { numberOf } from './words.ts';

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
    const facts = scanReceipt(receipt, sender.toLowerCase(), { parse, priceOf });
    if (facts === undefined) return undefined;
    transactions.push([hash, facts]);
  }
  return { blockHash: text(json.indexOf(HASH) + HASH.length, HASH_LENGTH), transactions };
}

/** Of `"logs":[` and `"topics":[`, from a letter on that is rare. */
const LOGS = 'gs":[';
const TOPICS = 'pics":[';
const ADDRESS = '"address":"';
const TO = '"to":"';
/** From the address in `"address":"..","topics":[`, and from its beginning, to that letter. */
const BEHIND_ADDRESS = '","to'.length;
const BEFORE_TOPICS = ADDRESS.length + ADDRESS_LENGTH + BEHIND_ADDRESS;
const DATA = '"],"data":"';
const LOG_INDEX = '"logIndex":"';
/** Between two topics, between their beginnings, and before the address in one. */
const NEXT = '","';
const TOPIC_STEP = HASH_LENGTH + NEXT.length;
const BEFORE_ADDRESS = HASH_LENGTH - ADDRESS_LENGTH + 2;

interface Reading {
  readonly parse: () => RawReceipt;
  readonly priceOf: PriceOf;
}

const logsOf = (receipt: string): number => receipt.indexOf(LOGS);

/**
 * The fee of a receipt, and its events when they are asked for.
 *
 * Shape: `undefined` if a log that tells who traded has another form than `"address":..,"topics":[..],"data":..`.
 */
function scanReceipt(receipt: string, sender: string, { parse, priceOf }: Reading): TransactionFacts | undefined {
  const logs = logsOf(receipt);
  if (logs < 0) return undefined;
  const digits = sender.slice(2);
  const places: number[] = [];
  const glance = { transfers: 0, swaps: 0, gave: new Map<string, bigint>(), got: new Map<string, bigint>() };
  let isPlain = true;
  for (let at = receipt.indexOf(TOPICS, logs); at >= 0; at = receipt.indexOf(TOPICS, at + HASH_LENGTH)) {
    const topic = at + TOPICS.length + 1;
    const kind = watchedAs(receipt, topic);
    if (kind === undefined) continue;
    if (!receipt.startsWith(ADDRESS, at - BEFORE_TOPICS)) return undefined;
    places.push(at);
    if (kind === 'swap') glance.swaps++;
    else if (kind === 'rule') isPlain = false;
    else if (kind === 'transfer' && receipt.startsWith(DATA, topic + 3 * TOPIC_STEP - NEXT.length)) {
      glance.transfers++;
      addOwn(receipt, at, digits, glance);
    }
  }
  return {
    sender,
    fee: feeOf(priceOf(receipt, logs)),
    called: () => calledIn(receipt),
    glance: isPlain ? glance : undefined,
    events: () => scanEvents(receipt, places) ?? eventsOf(parse()),
  };
}

/** Adds a transfer to what the sender gave and got. */
function addOwn(
  receipt: string,
  at: number,
  digits: string,
  { gave, got }: { readonly gave: Map<string, bigint>; readonly got: Map<string, bigint> } & Glance,
): void {
  const topic = at + TOPICS.length + 1;
  const isFrom = isAt(receipt, digits, topic + TOPIC_STEP + BEFORE_ADDRESS);
  const isTo = isAt(receipt, digits, topic + 2 * TOPIC_STEP + BEFORE_ADDRESS);
  if (isFrom === isTo) return;
  const amount = topic + 3 * TOPIC_STEP - NEXT.length + DATA.length;
  const token = receipt.slice(at - BEHIND_ADDRESS - ADDRESS_LENGTH, at - BEHIND_ADDRESS).toLowerCase();
  const side = isFrom ? gave : got;
  side.set(token, (side.get(token) ?? 0n) + BigInt(receipt.slice(amount, receipt.indexOf('"', amount))));
}

/** Whether the digits of an address, in lower case, stand at a place. */
const isAt = (receipt: string, digits: string, at: number): boolean =>
  receipt.startsWith(digits, at) || receipt.slice(at, at + digits.length).toLowerCase() === digits;

/** The contract that a transaction called. Of the fields of a receipt and of its logs, none is named so but this one. */
function calledIn(receipt: string): string | undefined {
  const at = receipt.indexOf(TO);
  return at < 0 ? undefined : receipt.slice(at + TO.length, at + TO.length + ADDRESS_LENGTH).toLowerCase();
}

/** The events whose topics are at places of a text. Shape: `undefined` if one has another form than is known. */
function scanEvents(receipt: string, places: readonly number[]): EventLog[] | undefined {
  const events: EventLog[] = [];
  for (const at of places) {
    const topics: string[] = [];
    let end = at + TOPICS.length + 1;
    for (;;) {
      topics.push(receipt.slice(end, end + HASH_LENGTH).toLowerCase());
      end += HASH_LENGTH;
      if (!receipt.startsWith(NEXT, end)) break;
      end += NEXT.length;
    }
    if (!isWatched(topics[0])) continue;
    const data = end + DATA.length;
    const behind = receipt.indexOf('"', data);
    const number = receipt.indexOf(LOG_INDEX, behind) + LOG_INDEX.length;
    if (!receipt.startsWith(DATA, end) || number < behind) return undefined;
    events.push({
      at: numberOf(receipt.slice(number, receipt.indexOf('"', number))),
      address: receipt.slice(at - BEHIND_ADDRESS - ADDRESS_LENGTH, at - BEHIND_ADDRESS).toLowerCase(),
      topics,
      data: receipt.slice(data, behind).toLowerCase(),
    });
  }
  return events;
}
