import type { EventLog } from './event-log.ts';
import { feeOf } from './fees.ts';
import { type BlockTransactions, eventsOf, type Glance, type RawReceipt, type TransactionFacts } from './receipts.ts';
import { type PriceOf, priceReader } from './scan-prices.ts';
import { isWatched, type WatchedKind, watchedAs } from './trader-rules.ts';
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
export function scanReceipts(
  json: string,
  wanted: ReadonlyMap<number, string>,
  watched: readonly WatchedLog[] = watchedLogs(json),
): BlockTransactions | undefined {
  const froms: number[] = [];
  for (let at = json.indexOf(FROM); at >= 0; at = json.indexOf(FROM, at + FROM.length))
    if (json.startsWith('"f', at - 2)) froms.push(at + FROM.length);
  const last = json.lastIndexOf(INDEX) + INDEX.length;
  if (Number(json.slice(last, json.indexOf('"', last))) !== froms.length - 1) return undefined;
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
  let next = 0;
  const textOf = (index: number): string => json.slice(startOf(index), startOf(index + 1) - 1);
  // A rollup's first transaction, which its node makes itself, has no price.
  const priceOf = priceReader([textOf(0), textOf(froms.length - 1)], logsOf);
  for (const [index, hash] of wanted) {
    const from = froms[index];
    if (from === undefined) return undefined;
    const sender = copyOf(json.slice(from, from + ADDRESS_LENGTH));
    if (!/^0x[0-9a-f]{40}$/i.test(sender)) return undefined;
    const [start, end] = [startOf(index), startOf(index + 1) - 1];
    if (!(start <= from && from < end)) return undefined;
    const receipt = json.slice(start, end);
    if (!receipt.includes(OF_TRANSACTION + hash)) return undefined;
    const parse = (): RawReceipt => JSON.parse(receipt) as RawReceipt;
    // Transactions are wanted in their order; else the search begins anew.
    if (next > 0 && watched[next - 1]!.at > start) next = 0;
    while (next < watched.length && watched[next]!.at < start) next++;
    const first = next;
    while (next < watched.length && watched[next]!.at < end) next++;
    const logs = watched.slice(first, next);
    const facts = scanReceipt(receipt, sender.toLowerCase(), { json, logs, parse, priceOf });
    if (facts === undefined) return undefined;
    transactions.push([hash, facts]);
  }
  const hash = json.indexOf(HASH) + HASH.length;
  return { blockHash: json.slice(hash, hash + HASH_LENGTH), transactions };
}

/** A copy of a part of a text, which would keep all of it in memory. */
const copyOf = (part: string): string => Buffer.from(part, 'latin1').toString('latin1');

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

/** A log that tells who traded: the place of its topics in the text of the receipts of a block. */
export interface WatchedLog {
  readonly at: number;
  readonly kind: WatchedKind;
}

/** The logs in the text of receipts that tell who traded, by the beginning of their first topic. */
export function watchedLogs(json: string): WatchedLog[] {
  const found: WatchedLog[] = [];
  for (let at = json.indexOf(TOPICS); at >= 0; at = json.indexOf(TOPICS, at + HASH_LENGTH)) {
    const kind = watchedAs(json, at + TOPICS.length + 1);
    if (kind !== undefined) found.push({ at, kind });
  }
  return found;
}

interface Reading {
  /** The receipts of the block, and the logs of this one that tell who traded. */
  readonly json: string;
  readonly logs: readonly WatchedLog[];
  readonly parse: () => RawReceipt;
  readonly priceOf: PriceOf;
}

const logsOf = (receipt: string): number => receipt.indexOf(LOGS);

/**
 * The fee of a receipt, and its events when they are asked for.
 *
 * Shape: `undefined` if a log that tells who traded has another form than `"address":..,"topics":[..],"data":..`.
 */
function scanReceipt(
  receipt: string,
  sender: string,
  { json, logs, parse, priceOf }: Reading,
): TransactionFacts | undefined {
  const begin = logsOf(receipt);
  if (begin < 0) return undefined;
  const digits = sender.slice(2);
  /** Of the transfers of the sender. */
  const own: number[] = [];
  let [transfers, swaps, isPlain] = [0, 0, true];
  for (const { at, kind } of logs) {
    if (!json.startsWith(ADDRESS, at - BEFORE_TOPICS)) return undefined;
    if (kind === 'swap') swaps++;
    else if (kind === 'rule') isPlain = false;
    else if (kind === 'transfer' && json.startsWith(DATA, at + TOPICS.length + 1 + 3 * TOPIC_STEP - NEXT.length)) {
      transfers++;
      if (isFrom(json, at, digits) !== isTo(json, at, digits)) own.push(at);
    }
  }
  return {
    sender,
    fee: feeOf(priceOf(receipt, begin)),
    called: () => calledIn(receipt),
    glance: isPlain ? { transfers, swaps, ofSender: (token) => ofSender(json, own, digits, token) } : undefined,
    events: () => scanEvents(json, logs) ?? eventsOf(parse()),
  };
}

const isFrom = (json: string, at: number, digits: string): boolean =>
  isAt(json, digits, at + TOPICS.length + 1 + TOPIC_STEP + BEFORE_ADDRESS);
const isTo = (json: string, at: number, digits: string): boolean =>
  isAt(json, digits, at + TOPICS.length + 1 + 2 * TOPIC_STEP + BEFORE_ADDRESS);

/** What an account, given by its digits, gave and got of a token by transfers whose topics are at places of a text. */
function ofSender(json: string, own: readonly number[], digits: string, token: string): ReturnType<Glance['ofSender']> {
  const tokenDigits = token.slice(2);
  let [gave, got]: (bigint | undefined)[] = [];
  for (const at of own) {
    if (!isAt(json, tokenDigits, at - BEHIND_ADDRESS - tokenDigits.length)) continue;
    const start = at + TOPICS.length + 1 + 3 * TOPIC_STEP - NEXT.length + DATA.length;
    const amount = BigInt(json.slice(start, json.indexOf('"', start)));
    if (isFrom(json, at, digits)) gave = (gave ?? 0n) + amount;
    else got = (got ?? 0n) + amount;
  }
  return { gave, got };
}

/** Whether the digits of an address, in lower case, stand at a place. The last one says so of most that do not. */
const isAt = (json: string, digits: string, at: number): boolean =>
  (json.charCodeAt(at + digits.length - 1) | 32) === digits.charCodeAt(digits.length - 1) &&
  (json.startsWith(digits, at) || json.slice(at, at + digits.length).toLowerCase() === digits);

/** The contract that a transaction called. Of the fields of a receipt and of its logs, none is named so but this one. */
function calledIn(receipt: string): string | undefined {
  const at = receipt.indexOf(TO);
  return at < 0 ? undefined : receipt.slice(at + TO.length, at + TO.length + ADDRESS_LENGTH).toLowerCase();
}

/** The events whose topics are at places of a text. Shape: `undefined` if one has another form than is known. */
function scanEvents(json: string, logs: readonly WatchedLog[]): EventLog[] | undefined {
  const events: EventLog[] = [];
  for (const { at } of logs) {
    const topics: string[] = [];
    let end = at + TOPICS.length + 1;
    for (;;) {
      topics.push(json.slice(end, end + HASH_LENGTH).toLowerCase());
      end += HASH_LENGTH;
      if (!json.startsWith(NEXT, end)) break;
      end += NEXT.length;
    }
    if (!isWatched(topics[0])) continue;
    const data = end + DATA.length;
    const behind = json.indexOf('"', data);
    const number = json.indexOf(LOG_INDEX, behind) + LOG_INDEX.length;
    if (!json.startsWith(DATA, end) || number < behind) return undefined;
    events.push({
      at: numberOf(json.slice(number, json.indexOf('"', number))),
      address: json.slice(at - BEHIND_ADDRESS - ADDRESS_LENGTH, at - BEHIND_ADDRESS).toLowerCase(),
      topics,
      data: json.slice(data, behind).toLowerCase(),
    });
  }
  return events;
}
