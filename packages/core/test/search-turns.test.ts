import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeRows } from '../src/memory/column-table.ts';
import { memory } from '../src/memory/memory.ts';
import { metaTable } from '../src/records/tables.ts';
import type { SearchContext, SearchRequest } from '../src/search/plan.ts';
import { type ProfileRows, rowsInMemory } from '../src/search/rows.ts';
import { everything } from '../src/storage/predicate.ts';
import { finish } from '../src/work.ts';
import { newShare, type Share, Turns, yielder } from '../src/yielder.ts';
import { cachedRows, type Profile, profileRows, searchContext, searchProfiles, tableOf } from './search-fixtures.ts';

const ROWS = 5000;
/** A piece of texts, and what reading the request looks into. */
const LOOKS = 2048 + 128;
const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Addresses that differ from their beginnings on, by a linear congruence. */
let state = 5;
const letter = (): string => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return LETTERS[(state >>> 8) % LETTERS.length]!;
};
const wallets = Array.from(
  { length: ROWS },
  (_, row): Profile => ({
    wallet_address: Array.from({ length: 43 }, letter).join(''),
    'metadata.name': `${letter()}${letter()} bonk ${row}`,
    'metrics.7d.pnl': row % 1000,
  }),
);
const rows = profileRows('wallets', wallets);
const cached = cachedRows('wallets', rows);
const inMemory = (context: Pick<SearchContext, 'yielder'>): ProfileRows => rowsInMemory(cached, context.yielder);

/** How many texts were looked into between two turns, at most, and how often a turn was taken. */
interface Measured {
  longest: number;
  turns: number;
}

/** Runs `work` with a clock by which every look finds a turn due, and counts looks into texts between the turns. */
async function measure(work: (context: Pick<SearchContext, 'yielder'>) => Promise<unknown>): Promise<Measured> {
  const { includes, startsWith } = String.prototype;
  const measured: Measured = { longest: 0, turns: 0 };
  let looks = 0;
  const look = (): void => {
    measured.longest = Math.max(measured.longest, ++looks);
  };
  String.prototype.includes = function (this: string, ...given) {
    look();
    return includes.apply(this, given);
  };
  String.prototype.startsWith = function (this: string, ...given) {
    look();
    return startsWith.apply(this, given);
  };
  let clock = 0;
  const next = async (): Promise<void> => {
    looks = 0;
    measured.turns++;
  };
  try {
    await work({ yielder: () => yielder({ now: () => (clock += 100), turns: { next } }) });
  } finally {
    Object.assign(String.prototype, { includes, startsWith });
  }
  return measured;
}

const contains = (field: string): SearchRequest => ({
  filter: { $or: Array.from({ length: 64 }, (_, i) => ({ [field]: { $contains: `${LETTERS[i % 58]}${i}zz` } })) },
});

const hostile: readonly (readonly [name: string, request: SearchRequest])[] = [
  ['64 $contains over addresses', contains('wallet_address')],
  ['64 $contains over names', contains('metadata.name')],
  ['a fuzzy text that autocompletes', { query: { text: 'bon walet', fuzzy: true, autocomplete: true } }],
  [
    'the same with a sort',
    { query: { text: 'bonk', fuzzy: true, autocomplete: true }, sort: { field: 'wallet_address' } },
  ],
];
for (const [name, request] of hostile) {
  test(`${name}: profiles in memory are searched in turns of at most ${LOOKS} texts`, async () => {
    const { longest, turns } = await measure((context) =>
      searchProfiles(inMemory(context), { limit: 1, ...request }, { ...searchContext('wallets'), ...context }),
    );
    assert.ok(longest <= LOOKS && longest > 0, `${longest} texts without a turn`);
    assert.ok(turns >= ROWS / LOOKS, `${turns} turns`);
  });
}

test('a text that rows of an engine are matched with in the process takes turns', async () => {
  const storage = memory();
  await storage.open({ tables: [tableOf.wallets, metaTable] });
  await storage.write((writer) => writer.append(tableOf.wallets, rows));
  const candidates = await storage.snapshot((reader) =>
    reader.read({ table: tableOf.wallets, columns: Object.keys(tableOf.wallets.columns) }),
  );
  const candidatesOnly = { read: async () => candidates } as never;
  const request = { query: { text: 'bonk', fuzzy: true, autocomplete: true }, limit: 1 };
  const { longest, turns } = await measure((context) =>
    searchProfiles(candidatesOnly, request, { ...searchContext('wallets'), ...context }).catch(() => undefined),
  );
  assert.ok(longest <= LOOKS && longest > 0, `${longest} texts without a turn`);
  assert.ok(turns >= ROWS / 64, `${turns} turns`);
  await storage.close();
});

test('a search that takes several turns answers from the version it began with, and the searches after it see the change', async () => {
  let own = cachedRows('wallets', rows);
  let turns = 0;
  const next = async (): Promise<void> => {
    turns++;
    own = finish(removeRows(own, everything));
  };
  let clock = 0;
  const context = {
    ...searchContext('wallets'),
    yielder: () => yielder({ now: () => (clock += 100), turns: { next } }),
  };
  const search = () => searchProfiles(rowsInMemory(own, context.yielder), { filter: {} }, context);
  assert.equal((await search()).count, ROWS);
  assert.ok(turns > 0, 'no turn was taken');
  assert.equal((await search()).count, 0);
});

test('a scan of the memory engine gives the same rows in the same order however often it lets others have their turn', async () => {
  const storage = memory();
  const table = { ...tableOf.wallets, indexes: [] };
  await storage.open({ tables: [table] });
  await storage.write((writer) => writer.append(table, rows));
  const pnl = (row: number): number => row % 1000;
  const sorted = Array.from({ length: ROWS }, (_, row) => row).sort((a, b) => pnl(b) - pnl(a) || a - b);
  const found = await storage.snapshot((reader) =>
    reader.read({
      table,
      columns: ['id'],
      order: [
        { column: 'metrics.7d.pnl', direction: 'desc' },
        { column: 'id', direction: 'asc' },
      ],
    }),
  );
  assert.deepEqual([...(found.columns.id as Int32Array)], sorted);
  await storage.close();
});

test('texts of more rows than a segment has come in order from the memory engine', async () => {
  const storage = memory();
  const table = {
    name: 'texts',
    columns: { id: 'id', text: 'text' },
    key: ['id'],
    indexes: [],
    derived: false,
  } as const;
  const length = 160_000;
  // They repeat from the beginning on, and are fewer than half as many as the rows, but more than 16 bits number.
  const texts = Array.from({ length }, (_, row) => `t${row < 1000 ? 0 : (row * 7919) % 70_000}`);
  await storage.open({ tables: [table] });
  await storage.write((writer) =>
    writer.append(table, { length, columns: { id: Int32Array.from(texts, (_, row) => row), text: texts } }),
  );
  const order = [{ column: 'text', direction: 'asc' }] as const;
  const found = await storage.snapshot((reader) => reader.read({ table, columns: ['text'], order }));
  assert.deepEqual(found.columns.text, [...texts].sort());
  await storage.close();
});

/** Turns by a clock that only work moves on, in rounds of the event loop that are given by hand. */
function givenByHand() {
  let deferred: (() => void)[] = [];
  let clock = 0;
  const turns = new Turns(
    (run) => deferred.push(run),
    () => clock,
  );
  return {
    turns,
    /** Waits for a turn, again and again, and works for so many milliseconds in each. */
    async work(share: Share, milliseconds: number, did: () => void, pieces = Number.POSITIVE_INFINITY) {
      for (let i = 0; i < pieces; i++) {
        await turns.next(share);
        did();
        clock += milliseconds;
        share.worked += milliseconds;
      }
    },
    async round() {
      const running = deferred;
      deferred = [];
      for (const run of running) {
        run();
        // What goes on in the turn asks for the next one.
        for (let i = 0; i < 10; i++) await undefined;
      }
    },
  };
}

test('of those who share the thread the one that worked least has the next turn, and one piece as long as a round goes on in it', async () => {
  const { work, round } = givenByHand();
  const [busy, other] = [newShare(), newShare()];
  const order: string[] = [];
  // Eight searches of one key, then one of another.
  for (let i = 0; i < 8; i++) void work(busy, 10, () => order.push(`busy ${i}`), 3);
  void work(other, 10, () => order.push('other'), 3);
  for (let i = 0; i < 6; i++) await round();
  assert.deepEqual(order, ['busy 0', 'other', 'busy 1', 'other', 'busy 2', 'other']);
});

test('short pieces share a round: as many go on as 5 ms hold, each that waits once', async () => {
  const { work, round } = givenByHand();
  const counts = [0, 0, 0, 0];
  counts.forEach((_, i) => void work(newShare(), 1, () => counts[i]!++));
  await round();
  assert.deepEqual(counts, [1, 1, 1, 1]);
  const { work: workMany, round: next } = givenByHand();
  let pieces = 0;
  for (let i = 0; i < 50; i++) void workMany(newShare(), 1, () => pieces++, 1);
  for (const expected of [5, 10, 15, 20, 25]) {
    await next();
    assert.equal(pieces, expected);
  }
});

test('whoever worked while nobody else wanted to is not made to wait for it for long', async () => {
  const { work, round } = givenByHand();
  const [busy, other] = [newShare(), newShare()];
  busy.worked = 60_000;
  let served = 0;
  void work(busy, 10, () => served++);
  void work(other, 10, () => undefined);
  for (let i = 0; i < 31; i++) await round();
  // It owes 100 ms: ten turns of the other, then every second one is its own.
  assert.ok(served >= 9 && served <= 12, `${served} of 31 turns`);
});

test('an aborted search ends at its next turn', async () => {
  const controller = new AbortController();
  let clock = 0;
  const next = async (): Promise<void> => controller.abort();
  const context = {
    ...searchContext('wallets'),
    yielder: () => yielder({ now: () => (clock += 100), turns: { next }, signal: controller.signal }),
  };
  const searching = searchProfiles(inMemory(context), contains('wallet_address'), context);
  await assert.rejects(searching, { code: 'aborted' });
});

test('many short pieces of work make one turn, though each of them ends before it is due', async () => {
  let clock = 0;
  let turns = 0;
  const next = async (): Promise<void> => {
    turns++;
  };
  const pause = yielder({ now: () => clock, turns: { next }, longest: 5 });
  function* piece() {
    clock += 2;
    yield;
  }
  for (let i = 0; i < 30; i++) await pause.run(piece());
  // A turn is over after more than 5 ms: with every third piece.
  assert.equal(turns, 10);
});
