import type { Mutant } from './mutant.ts';

const keys = 'ingest/chain-keys.ts';
const moment = 'records/moment.ts';
const files = 'ingest/file-order.ts';
const noticedBy = 'order';

export const order: readonly Mutant[] = [
  {
    breaks: 'nothing between tx_index and the file orders',
    file: keys,
    find: '    x.moment[a]! - y.moment[b]! ||\n',
    replace: '',
    noticedBy,
  },
  {
    breaks: 'the file does not order',
    file: keys,
    find: '    x.filePlace[a]! - y.filePlace[b]! ||\n',
    replace: '',
    noticedBy,
  },
  {
    breaks: 'the log index comes before tx_index',
    file: keys,
    find: '    (x.index[a]! || 0) - (y.index[b]! || 0) ||\n    x.moment[a]! - y.moment[b]! ||\n',
    replace: '    x.moment[a]! - y.moment[b]! ||\n    (x.index[a]! || 0) - (y.index[b]! || 0) ||\n',
    noticedBy,
  },
  {
    breaks: 'a log index without a slot orders',
    file: 'ingest/batch-validator.ts',
    find: 'momentOf(Number.isNaN(slot[row]) ? Number.NaN : index[row]!, fraction)',
    replace: 'momentOf(index[row]!, fraction)',
    noticedBy,
  },
  {
    breaks: 'a missing log index is one of 0',
    file: moment,
    find: '(Number.isNaN(logIndex) ? 0 : logIndex + 1)',
    replace: '(Number.isNaN(logIndex) ? 0 : logIndex)',
    noticedBy,
  },
  {
    breaks: 'the last log index of a transaction counts',
    file: moment,
    find: 'smallestGiven((a - x) / MICROSECONDS, (b - y) / MICROSECONDS)',
    replace: '((b - y) / MICROSECONDS)',
    noticedBy,
  },
  {
    breaks: 'the greatest fraction of a transaction counts',
    file: moment,
    find: 'Math.min(x, y)',
    replace: 'Math.max(x, y)',
    noticedBy,
  },
  {
    breaks: 'fractions are cut off to milliseconds',
    file: moment,
    find: 'Math.floor((time - Math.floor(time)) * MICROSECONDS + 0.5)',
    replace: 'Math.floor((time - Math.floor(time)) * 1e3) * 1e3',
    noticedBy,
  },
  {
    breaks: 'a row of another slot moves a transaction',
    file: 'ingest/deduplicate.ts',
    find: '    if (difference !== undefined) {\n',
    replace:
      '    if (difference !== undefined) {\n      if (moveTransaction(transactions, transaction, validSwaps.keys, i)) moved.add(transaction);\n',
    noticedBy,
  },
  {
    breaks: 'a late smaller value is stored, and nothing derived again',
    file: 'ingest/reprocess.ts',
    find: '  late.push(...moved);\n',
    replace: '',
    noticedBy,
  },
  {
    breaks: 'the native price of a moved transaction stays where it was',
    file: 'ingest/reprocess.ts',
    find: '  isMoving ||= moved.length > 0;\n',
    replace: '',
    noticedBy: 'order',
  },
  {
    breaks: 'a file that runs from new to old is read as it is',
    file: files,
    find: 'this.isFalling = later < 0',
    replace: 'this.isFalling = false',
    noticedBy,
  },
  {
    breaks: 'fractions do not tell that a file runs from new to old',
    file: files,
    find: 'time[row]! - first || fractionOfMoment(moment[row]!) - fraction',
    replace: 'time[row]! - first || (fractionOfMoment(moment[row]!) - fraction) * 0',
    noticedBy,
  },
  {
    breaks: 'a later file begins where the first one did',
    file: 'store/write/ingest-store.ts',
    find: 'Math.floor(last / FILE_ROWS) + 1',
    replace: '0',
    noticedBy,
  },
];
