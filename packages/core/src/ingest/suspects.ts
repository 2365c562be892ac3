import { printPrice, type Swaps } from '../ledger/value.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, filterRows } from '../records/columns.ts';
import { distinctIds } from '../records/key-index.ts';
import { COUNTED, legsTable, SUSPECT } from '../records/tables.ts';
import { ascending, type Reader, type Writer } from '../storage/adapter.ts';
import { and, between, compare, isIn, not, type Predicate } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import type { Range } from './chain-keys.ts';

/** Prints that a price is compared with: the last of the token before it, none older than a day. */
const MOST_PRINTS = 21;
const LEAST_PRINTS = 5;
const DAY = 86_400;

/** Numbers of a print. */
const WIDTH = 3;

/** The last prints of one token, which tell whether the next one is suspect. */
export class RecentPrints {
  static readonly most = MOST_PRINTS;
  static readonly seconds = DAY;

  /** Time, price and USD value of each print, as a ring. */
  readonly #prints = new Float64Array(MOST_PRINTS * WIDTH);
  #next = 0;
  #length = 0;

  /** Time of the newest print; none is before it. */
  get newest(): number {
    return this.#length === 0
      ? Number.NEGATIVE_INFINITY
      : this.#prints[((this.#next + MOST_PRINTS - 1) % MOST_PRINTS) * WIDTH]!;
  }

  /** Adds a print, which comes after those that are there. */
  add(time: number, price: number, usd: number): void {
    const at = this.#next * WIDTH;
    this.#prints[at] = time;
    this.#prints[at + 1] = price;
    this.#prints[at + 2] = usd;
    this.#next = (this.#next + 1) % MOST_PRINTS;
    if (this.#length < MOST_PRINTS) this.#length++;
  }

  /** Whether a print that comes after those that are there is off their median, weighted by USD value, by more than a factor. */
  isSuspect(time: number, price: number, factor: number): boolean {
    const p = this.#prints;
    let count = 0;
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (let at = 0; at < this.#length * WIDTH; at += WIDTH) {
      if (time - p[at]! > DAY) continue;
      count++;
      const other = p[at + 1]!;
      if (other < least) least = other;
      if (other > most) most = other;
    }
    if (count < LEAST_PRINTS) return false;
    // The median lies between the least and the greatest: mostly they say enough.
    if (price <= least * factor && price * factor >= most) return false;
    const median = this.#median(time, count);
    return price > median * factor || price * factor < median;
  }

  /** The least price up to which the prints have half of the value. */
  #median(time: number, count: number): number {
    const p = this.#prints;
    const prices = new Float64Array(count);
    const values = new Float64Array(count);
    let length = 0;
    let total = 0;
    // Oldest first, so that the same prints add up to the same bits.
    for (let i = MOST_PRINTS - this.#length; i < MOST_PRINTS; i++) {
      const at = ((this.#next + i) % MOST_PRINTS) * WIDTH;
      if (time - p[at]! > DAY) continue;
      total += p[at + 2]!;
      let place = length++;
      for (; place > 0 && prices[place - 1]! > p[at + 1]!; place--) {
        prices[place] = prices[place - 1]!;
        values[place] = values[place - 1]!;
      }
      prices[place] = p[at + 1]!;
      values[place] = p[at + 2]!;
    }
    let sum = 0;
    for (let i = 0; i < count; i++) {
      sum += values[i]!;
      if (sum * 2 >= total) return prices[i]!;
    }
    return prices[count - 1]!;
  }
}

/** Tokens of which prints are kept at most, unless more had one within a day. */
const MOST_TOKENS = 50_000;

type Prints = Batch<typeof legsTable, 'token' | 'seq' | 'price' | 'usd_amount' | 'standing'>;
const printColumns = ['token', 'seq', 'price', 'usd_amount', 'standing'] as const;
const isPrint: Predicate = not({ kind: 'missing', column: 'price' });

/** The legs that are prints. */
export function printsOf(legs: Batch<typeof legsTable>): Prints {
  const { price } = legs.columns;
  return filterRows(legs, (row) => !Number.isNaN(price[row]!));
}

/** Says of prints that come in chain order whether they are suspect, from the last prints of each token. */
export class PrintJudge {
  readonly #recent = new Map<number, RecentPrints>();
  #mostTokens = MOST_TOKENS;

  knows(token: number): boolean {
    return this.#recent.has(token);
  }

  forget(token: number): void {
    this.#recent.delete(token);
  }

  /** Forgets all tokens: their prints were derived again. */
  clear(): void {
    this.#recent.clear();
  }

  /** Takes prints, in chain order within a token, that are judged already; tokens without any have none. */
  load(tokens: Iterable<number>, { columns: c, length }: Prints): void {
    for (const token of tokens) this.#recent.set(token, new RecentPrints());
    for (let row = 0; row < length; row++)
      this.#recent.get(c.token[row]!)!.add(timeOf(c.seq[row]!), c.price[row]!, c.usd_amount[row]!);
  }

  /** Whether the next print of a token is suspect; from then on it is one of the last. */
  add(token: number, time: number, price: number, usd: number, factor: number): boolean {
    let recent = this.#recent.get(token);
    if (recent === undefined) {
      this.makeRoom(time);
      recent = new RecentPrints();
      this.#recent.set(token, recent);
    }
    const isSuspect = recent.isSuspect(time, price, factor);
    recent.add(time, price, usd);
    return isSuspect;
  }

  /** Notes in legs in chain order which are suspect prints. */
  judge({ columns: c, length }: Batch<typeof legsTable>, factor: number): void {
    for (let row = 0; row < length; row++) {
      const price = c.price[row]!;
      if (Number.isNaN(price)) continue;
      if (this.add(c.token[row]!, timeOf(c.seq[row]!), price, c.usd_amount[row]!, factor)) c.standing[row] = SUSPECT;
    }
  }

  /** The suspect prints of valued swaps in chain order, for engines that make the legs themselves. */
  suspectsOf({ columns: c, length }: Swaps, dustUsd: number, factor: number): { token: number[]; seq: number[] } {
    const found = { token: [] as number[], seq: [] as number[] };
    const judge = (token: number, seq: number, usd: number, amount: number): void => {
      const price = printPrice(usd, amount, dustUsd);
      if (Number.isNaN(price) || !this.add(token, timeOf(seq), price, usd, factor)) return;
      found.token.push(token);
      found.seq.push(seq);
    };
    for (let row = 0; row < length; row++) {
      if (c.token_in[row] === c.token_out[row]) continue;
      judge(c.token_in[row]!, c.seq[row]!, c.usd_amount_in[row]!, c.token_amount_in[row]!);
      judge(c.token_out[row]!, c.seq[row]!, c.usd_amount_out[row]!, c.token_amount_out[row]!);
    }
    return found;
  }

  /** If there are too many tokens, drops those whose last print counts no more at a time that no print comes before. */
  makeRoom(time: number): void {
    if (this.#recent.size < this.#mostTokens) return;
    const oldest = time - RecentPrints.seconds;
    for (const [token, recent] of this.#recent) if (recent.newest < oldest) this.#recent.delete(token);
    // As many again come before the next look, so that a busy day does not look through all tokens at each new one.
    this.#mostTokens = Math.max(MOST_TOKENS, 2 * this.#recent.size);
  }
}

/** Notes which legs are suspect prints; they come after all that the store has. */
export async function judgeAppended(
  writer: Writer,
  judge: PrintJudge,
  legs: Batch<typeof legsTable>,
  factor: number,
): Promise<void> {
  const { token, price, seq } = legs.columns;
  const unknown = new Set<number>();
  let first = Number.POSITIVE_INFINITY;
  for (let row = 0; row < legs.length; row++) {
    if (Number.isNaN(price[row]!)) continue;
    first = Math.min(first, timeOf(seq[row]!));
    if (!judge.knows(token[row]!)) unknown.add(token[row]!);
  }
  if (unknown.size > 0) {
    const tokens = Int32Array.from(unknown);
    judge.makeRoom(first);
    judge.load(tokens, await lastPrints(writer, tokens, { from: first - RecentPrints.seconds, until: undefined }));
  }
  judge.judge(legs, factor);
}

/** What was derived again. */
export interface Rejudged {
  readonly ranges: readonly Range[];
  /** Tokens whose prints in the ranges are, or were, others. */
  readonly tokens: Int32Array;
  /** The block time of the newest swap. */
  readonly lastTime: number;
}

/** Prints by token and place in chain order. */
export interface Places {
  readonly token: readonly number[];
  readonly seq: readonly number[];
}

/** The suspect prints of swaps in chain order, as they are stored. */
export async function storedSuspects(reader: Reader, { columns: c, length }: Swaps): Promise<Places> {
  if (length === 0) return { token: [], seq: [] };
  const tokens = distinctIds(c.token_in, c.token_out);
  const where = and(isIn('token', tokens), isIn('seq', c.seq), compare('standing', 'eq', SUSPECT));
  const { columns } = await reader.read({ table: legsTable, columns: ['token', 'seq'], where });
  return { token: [...columns.token], seq: [...columns.seq] };
}

/**
 * Judges anew the stored prints of tokens in some ranges of seconds, and the prints after each that are compared with them. Gives those whose
 * standing was another.
 */
export async function rejudge(writer: Writer, { ranges, tokens, lastTime }: Rejudged, factor: number): Promise<Places> {
  const all: Other = { token: [], seq: [], standing: [] };
  if (tokens.length === 0) return all;
  const pause = yielder();
  for (const [from, to] of ranges) {
    const judge = new PrintJudge();
    const before = { from: from - RecentPrints.seconds, until: firstSeqAt(from) - 1 };
    judge.load(tokens, await lastPrints(writer, tokens, before));
    const inside = await writer.read({
      table: legsTable,
      columns: printColumns,
      where: and(isIn('token', tokens), between('seq', firstSeqAt(from), lastSeqAt(to)), isPrint),
      order: ascending('token', 'seq'),
    });
    const other: Other = { token: [], seq: [], standing: [] };
    noteOthers(judge, inside, factor, other);
    await pause.yieldIfDue();
    if (to < lastTime)
      for (const token of tokens) noteOthers(judge, await nextPrints(writer, token, to), factor, other);
    await writeStandings(writer, other);
    for (const [row, token] of other.token.entries()) {
      all.token.push(token);
      all.seq.push(other.seq[row]!);
    }
  }
  return all;
}

/** The prints of tokens that the next ones are compared with, oldest first within a token. */
async function lastPrints(
  reader: Reader,
  tokens: Int32Array,
  { from, until }: { readonly from: number; readonly until: number | undefined },
): Promise<Prints> {
  return reader.latest({
    table: legsTable,
    columns: printColumns,
    key: 'token',
    keys: tokens,
    by: 'seq',
    most: RecentPrints.most,
    until,
    where: and(isPrint, compare('seq', 'gte', firstSeqAt(Math.max(0, from)))),
  });
}

/** The prints of a token after a second that are compared with those before. */
function nextPrints(reader: Reader, token: number, time: number): Promise<Prints> {
  return reader.read({
    table: legsTable,
    columns: printColumns,
    where: and(
      compare('token', 'eq', token),
      between('seq', lastSeqAt(time) + 1, lastSeqAt(time + RecentPrints.seconds)),
      isPrint,
    ),
    order: [{ column: 'seq', direction: 'asc' }],
    limit: RecentPrints.most,
  });
}

/** Prints whose standing is another than is stored. */
interface Other {
  readonly token: number[];
  readonly seq: number[];
  readonly standing: number[];
}

function noteOthers(judge: PrintJudge, { columns: c, length }: Prints, factor: number, other: Other): void {
  for (let row = 0; row < length; row++) {
    const isSuspect = judge.add(c.token[row]!, timeOf(c.seq[row]!), c.price[row]!, c.usd_amount[row]!, factor);
    const standing = isSuspect ? SUSPECT : COUNTED;
    if (standing === c.standing[row]) continue;
    other.token.push(c.token[row]!);
    other.seq.push(c.seq[row]!);
    other.standing.push(standing);
  }
}

async function writeStandings(writer: Writer, { token, seq, standing }: Other): Promise<void> {
  if (token.length === 0) return;
  const where = and(isIn('token', distinctIds(Int32Array.from(token))), isIn('seq', Float64Array.from(seq)));
  const legs: Batch<typeof legsTable> = await writer.read({
    table: legsTable,
    columns: columnsOf(legsTable),
    where,
    order: ascending('token', 'seq'),
  });
  const standings = new Map(token.map((id, i) => [`${id} ${seq[i]}`, standing[i]!]));
  for (let row = 0; row < legs.length; row++) {
    const changed = standings.get(`${legs.columns.token[row]} ${legs.columns.seq[row]}`);
    if (changed !== undefined) legs.columns.standing[row] = changed;
  }
  await writer.remove(legsTable, where);
  await writer.append(legsTable, legs);
}
