import type { JudgeOptions } from '../ledger/judge.ts';
import type { Swaps } from '../ledger/value.ts';
import { noVotes } from '../ledger/votes.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, NO_ID } from '../records/columns.ts';
import { addTo, distinctIds } from '../records/key-index.ts';
import { DENIED, isSuspect, SUSPECT } from '../records/standing.ts';
import { FIRST_POOL, legsTable, swapsTable, votePair } from '../records/tables.ts';
import { ascending, type Reader, type Writer } from '../storage/adapter.ts';
import { and, between, isIn, not, type Predicate } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import type { Range } from './chain-keys.ts';
import { Course, type PrintRow } from './course.ts';
import type { Places } from './suspects.ts';
import { addPoolRows, type PoolRow, storedPools, writePools } from './vote-pools.ts';
import { loadPools, loadVotes, type PoolOf, weighedPools } from './vote-state.ts';

/** Prints by token, each token's in chain order. */
export type PrintsOf = ReadonlyMap<number, readonly PrintRow[]>;

const columns = ['token', 'seq', 'price', 'usd_amount', 'standing'] as const;
const isPrint: Predicate = not({ kind: 'missing', column: 'price' });

/** The stored prints of tokens that hold. `swaps`: all their swaps, which are read if it is absent. */
export async function readPrints(
  reader: Reader,
  tokens: Int32Array,
  where: Predicate,
  { swaps, limit }: { readonly swaps?: Swaps; readonly limit?: number } = {},
): Promise<PrintsOf> {
  const { columns: c, length } = await reader.read({
    table: legsTable,
    columns,
    where: and(isIn('token', tokens), where, isPrint),
    order: ascending('token', 'seq'),
    limit,
  });
  if (length === 0) return new Map();
  const { columns: s } =
    swaps ??
    (await reader.read({
      table: swapsTable,
      columns: ['seq', 'wallet', 'pool', 'tx'],
      where: isIn('seq', Float64Array.from(new Set(c.seq))),
    }));
  const rowOf = new Map(Array.from(s.seq, (seq, row) => [seq, row]));
  const found = new Map<number, PrintRow[]>();
  for (let i = 0; i < length; i++) {
    const row = rowOf.get(c.seq[i]!)!;
    addTo(found, c.token[i]!, {
      seq: c.seq[i]!,
      price: c.price[i]!,
      usd: c.usd_amount[i]!,
      standing: c.standing[i]!,
      wallet: s.wallet[row]!,
      pool: s.pool[row]!,
      tx: s.tx[row]!,
    });
  }
  return found;
}

/** Those that are suspect. */
export function suspectsIn(prints: PrintsOf): Places {
  const found = { token: [] as number[], seq: [] as number[] };
  for (const [token, rows] of prints)
    for (const { seq, standing } of rows)
      if (isSuspect(standing)) {
        found.token.push(token);
        found.seq.push(seq);
      }
  return found;
}

/** What was derived again. */
export interface Rejudged {
  /** Ascending, without an overlap. */
  readonly ranges: readonly Range[];
  /** The tokens of the swaps that are in the ranges, or were. */
  readonly tokens: Int32Array;
  /** The prints that stood in the ranges before, as they were judged. */
  readonly old: PrintsOf;
  /** Where the store begins. */
  readonly horizon: number;
}

/** Seconds in which prints of tokens are judged anew; `isStored` if they are the same as before. */
interface Job {
  readonly from: number;
  readonly to: number;
  readonly tokens: Int32Array;
  readonly isStored: boolean;
}

/** A token and a pool. */
type Pair = Pick<PoolOf, 'token' | 'pool'>;

/**
 * Judges the prints in some ranges of seconds, which were derived again, and those after them for as long as the votes before them, or the
 * pools that are own, are others than they were. Gives the prints that are suspect or denied and were not, or were and are no longer.
 */
export async function rejudge(writer: Writer, rejudged: Rejudged, options: JudgeOptions): Promise<Places> {
  return new Rejudging(writer, rejudged, options).run();
}

/** Prints of a token that are read at once behind a range: these, then twice as many. */
const CHUNK = 64;
const MOST_CHUNK = 4096;

class Rejudging {
  readonly #writer: Writer;
  readonly #rejudged: Rejudged;
  readonly #options: JudgeOptions;
  readonly #judged = { token: [] as number[], seq: [] as number[] };
  /** By token, those that have not come together yet. */
  readonly #open = new Map<number, Course>();
  /** Pools that are not own, and whose votes weigh otherwise than they did, although no judgement is another yet. */
  readonly #pending = new Map<number, Pair>();
  readonly #standings: Standing[] = [];
  readonly #rows = new Map<number, PoolRow>();

  constructor(writer: Writer, rejudged: Rejudged, options: JudgeOptions) {
    this.#writer = writer;
    this.#rejudged = rejudged;
    this.#options = options;
  }

  async run(): Promise<Places> {
    const { ranges, tokens } = this.#rejudged;
    const jobs: Job[] = ranges.map(([from, to]) => ({ from, to, tokens, isStored: false }));
    const pause = yielder();
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const next = jobs[0]?.from ?? Number.POSITIVE_INFINITY;
      await this.#judge(job);
      await pause.yieldIfDue();
      for (const course of [...this.#open.values()]) {
        await this.#goOn(course, next);
        await pause.yieldIfDue();
      }
      await this.#flush();
      jobs.unshift(...(await this.#flips(next)));
    }
    return this.#judged;
  }

  /** Judges the prints of a job, whose courses are open afterwards. */
  async #judge({ from, to, tokens, isStored }: Job): Promise<void> {
    const now = await readPrints(this.#writer, tokens, between('seq', firstSeqAt(from), lastSeqAt(to)));
    const old = isStored ? now : this.#oldPrints(from, to);
    const begun = Array.from(new Set([...now.keys(), ...old.keys()])).filter((token) => !this.#open.has(token));
    for (const [token, votes] of await loadVotes(this.#writer, begun, { before: from, ...this.#rejudged }))
      this.#open.set(token, new Course(token, votes));
    const steps = [...this.#open.values()]
      .filter(({ reached }) => reached < from)
      .map((course) => ({ course, rows: now.get(course.token) ?? [], before: old.get(course.token) ?? [] }));
    await this.#loadPools(
      steps.map(({ course, rows, before }) => ({ course, rows: [...rows, ...before] })),
      from,
    );
    for (const { course, rows, before } of steps) {
      this.#step(course, rows, before);
      course.reached = to;
    }
  }

  #oldPrints(from: number, to: number): PrintsOf {
    const found = new Map<number, readonly PrintRow[]>();
    for (const [token, rows] of this.#rejudged.old) {
      const own = rows.filter(({ seq }) => timeOf(seq) >= from && timeOf(seq) <= to);
      if (own.length > 0) found.set(token, own);
    }
    return found;
  }

  /** Judges on behind a range, up to the next one, until the course is as it was. */
  async #goOn(course: Course, next: number): Promise<void> {
    let second = course.reached;
    if (second >= next - 1) return;
    if (course.isSame(second) && course.others().length === 0) return this.#close(course);
    for (let size = CHUNK; ; size = Math.min(2 * size, MOST_CHUNK)) {
      const { rows, isLast } = await this.#nextPrints(course.token, second, next, size);
      if (rows.length === 0 && next === Number.POSITIVE_INFINITY) return this.#end(course);
      if (rows.length > 0) await this.#loadPools([{ course, rows }], timeOf(rows[0]!.seq));
      for (let first = 0; ; ) {
        if (course.isSame(second)) return this.#close(course);
        if (first === rows.length) break;
        second = timeOf(rows[first]!.seq);
        let end = first + 1;
        while (end < rows.length && timeOf(rows[end]!.seq) === second) end++;
        this.#step(course, rows.slice(first, end));
        first = end;
      }
      if (!isLast || next === Number.POSITIVE_INFINITY) continue;
      course.reached = next - 1;
      return;
    }
  }

  /** The next prints of a token behind a second, whole seconds, before another. */
  async #nextPrints(
    token: number,
    after: number,
    before: number,
    limit: number,
  ): Promise<{ readonly rows: readonly PrintRow[]; readonly isLast: boolean }> {
    const read = async (from: number, to: number, most: { readonly limit?: number } = {}) =>
      (await readPrints(this.#writer, Int32Array.of(token), between('seq', from, to), most)).get(token) ?? [];
    const until = before === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : firstSeqAt(before) - 1;
    const rows = await read(lastSeqAt(after) + 1, until, { limit });
    if (rows.length < limit) return { rows, isLast: true };
    const last = timeOf(rows[rows.length - 1]!.seq);
    const whole = rows.filter(({ seq }) => timeOf(seq) < last);
    return { rows: [...whole, ...(await read(firstSeqAt(last), lastSeqAt(last)))], isLast: false };
  }

  /** Makes courses know the pools of prints, none of which they have met since they began. */
  async #loadPools(
    wanted: readonly { readonly course: Course; readonly rows: readonly PrintRow[] }[],
    before: number,
  ): Promise<void> {
    const pools: PoolOf[] = [];
    for (const { course, rows } of wanted)
      for (const pool of new Set([FIRST_POOL, ...rows.map((row) => row.pool)]))
        if (!course.stored.has(pool)) pools.push({ token: course.token, pool, votes: course.now });
    const stored = await storedPools(
      this.#writer,
      pools.map(({ token, pool }) => votePair(token, pool)),
    );
    for (const { token, pool } of pools)
      this.#open.get(token)!.stored.set(pool, stored.get(votePair(token, pool)) ?? { pool, ...noVotes });
    const named = pools.filter(({ pool }) => pool !== FIRST_POOL);
    await loadPools(this.#writer, named, { before, ...this.#rejudged });
  }

  /** Judges prints, whole transactions, and adds their votes; `before` are those that stood there as they were judged. */
  #step(course: Course, rows: readonly PrintRow[], before = rows): void {
    for (let first = 0; first < rows.length; ) {
      let end = first + 1;
      while (end < rows.length && rows[end]!.tx === rows[first]!.tx) end++;
      const transaction = rows.slice(first, end);
      for (const [i, standing] of course.judge(transaction, this.#options).entries())
        this.#note(course.token, transaction[i]!, standing);
      first = end;
    }
    course.follow(before);
  }

  #note(token: number, { seq, standing: stored }: PrintRow, standing: number): void {
    if (standing === stored) return;
    this.#standings.push({ token, seq, standing });
    if (((standing ^ stored) & (SUSPECT | DENIED)) === 0) return;
    this.#judged.token.push(token);
    this.#judged.seq.push(seq);
  }

  /** Ends a course behind the last print of its token: pools are as it has them. */
  #end({ token, now, stored }: Course): void {
    const pools = [...stored.keys()].filter((pool) => pool !== FIRST_POOL);
    if (now.first === undefined) this.#rows.set(votePair(token, FIRST_POOL), { pool: NO_ID, ...noVotes });
    addPoolRows(this.#rows, token, now, pools);
    for (const pool of pools) this.#pending.delete(votePair(token, pool));
    this.#open.delete(token);
  }

  /** Ends a course from where on prints are judged as they were. */
  #close(course: Course): void {
    const { token, now, stored, weights } = course;
    const { first } = now;
    const own = [...weights.keys()].filter((pool) => now.isOwn(pool));
    for (const pool of own) this.#pending.delete(votePair(token, pool));
    if (first !== undefined) {
      addPoolRows(this.#rows, token, now, own);
      // What comes later weighs as it did.
      const { usd } = stored.get(FIRST_POOL)!;
      this.#rows.set(votePair(token, FIRST_POOL), { pool: first.pool, usd, ownSince: first.time });
    }
    for (const pool of course.others()) this.#pending.set(votePair(token, pool), { token, pool });
    this.#open.delete(token);
  }

  /** Writes what was found so far. */
  async #flush(): Promise<void> {
    await writeStandings(this.#writer, this.#standings);
    this.#standings.length = 0;
    await writePools(this.#writer, this.#rows);
    this.#rows.clear();
  }

  /** The first seconds, before the next range, in which pending pools become own, or did: what comes then is judged anew. */
  async #flips(next: number): Promise<Job[]> {
    // An open course meets its pools itself.
    const pairs = [...this.#pending].filter(([, { token }]) => !this.#open.has(token));
    if (pairs.length === 0) return [];
    const of = pairs.map(([, pair]) => pair);
    const isEnd = next === Number.POSITIVE_INFINITY;
    const at = { before: isEnd ? undefined : next, horizon: this.#rejudged.horizon };
    const weighed = await weighedPools(this.#writer, of, at);
    const stored = await storedPools(
      this.#writer,
      pairs.map(([pair]) => pair),
    );
    const isBefore = (time: number): boolean => time < next;
    let first: (Job & { readonly pair: number }) | undefined;
    for (const [pair, { token, pool }] of pairs) {
      const { usd, ownSince } = weighed.get(pair)!;
      const before = stored.get(pair)?.ownSince ?? Number.NaN;
      const times = [ownSince, before].filter(isBefore);
      const isOther = times.length === 1 || times[0] !== times[1];
      if (isOther && times.length > 0) {
        const second = Math.min(...times);
        if (first === undefined || second < first.from)
          first = { from: second, to: second, tokens: Int32Array.of(token), isStored: true, pair };
      } else if (isEnd || times.length > 0) {
        this.#rows.set(pair, { pool, usd, ownSince });
        this.#pending.delete(pair);
      }
    }
    if (first === undefined) await this.#flush();
    else this.#pending.delete(first.pair);
    return first === undefined ? [] : [first];
  }
}

/** The standing that a leg is to have. */
interface Standing {
  readonly token: number;
  readonly seq: number;
  readonly standing: number;
}

async function writeStandings(writer: Writer, others: readonly Standing[]): Promise<void> {
  if (others.length === 0) return;
  const where = and(
    isIn('token', distinctIds(Int32Array.from(others, ({ token }) => token))),
    isIn('seq', Float64Array.from(new Set(others.map(({ seq }) => seq)))),
  );
  const legs: Batch<typeof legsTable> = await writer.read({
    table: legsTable,
    columns: columnsOf(legsTable),
    where,
    order: ascending('token', 'seq'),
  });
  const standings = new Map(others.map(({ token, seq, standing }) => [`${token} ${seq}`, standing]));
  for (let row = 0; row < legs.length; row++) {
    const changed = standings.get(`${legs.columns.token[row]} ${legs.columns.seq[row]}`);
    if (changed !== undefined) legs.columns.standing[row] = changed;
  }
  await writer.remove(legsTable, where);
  await writer.append(legsTable, legs);
}
