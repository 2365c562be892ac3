import type { Mutant } from './mutant.ts';

const sorting = 'packages/files/src/time-order.ts';
const noticedBy = 'time order';

export const timeOrder: readonly Mutant[] = [
  {
    breaks: 'rows that go back in time are stored as they were read',
    file: sorting,
    find: '(await goesBack(connection, form.batchRows)) ?',
    replace: 'false ?',
    noticedBy,
  },
  {
    breaks: 'a sorted import moves rows of one second',
    file: sorting,
    find: "const SECOND = 'floor(block_time)'",
    replace: "const SECOND = 'block_time'",
    noticedBy,
  },
  {
    breaks: 'of rows that contradict each other in a sorted import the oldest counts',
    file: sorting,
    find: '`left join swapfold_torn on transaction = ${transaction}`',
    replace: '`left join (from swapfold_torn where false) on transaction = ${transaction}`',
    noticedBy,
  },
  {
    breaks: 'a row of a sorted import is named by its place among all rows',
    file: 'packages/files/src/import/gathered-parts.ts',
    find: 'numberOf(part, row - before)',
    replace: 'row',
    noticedBy,
  },
  {
    breaks: 'an import that keeps the order of files is sorted',
    file: 'store/write/ingest-store.ts',
    find: 'keepOrder === true ? source : inTimeOrder(source)',
    replace: 'inTimeOrder(source)',
    noticedBy,
  },
  {
    breaks: 'a stream is read to its end before its first swap is stored',
    file: 'packages/files/src/import/import-rows.ts',
    find: 'this.#isSortable && {',
    replace: '{',
    noticedBy,
  },
];
