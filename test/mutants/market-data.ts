import type { Mutant } from './mutant.ts';

const candles = 'queries/candles.ts';
const candleFold = 'market-data/candle-fold.ts';
const prices = 'queries/prices.ts';
const volumes = 'queries/prices.ts';

export const marketData: readonly Mutant[] = [
  {
    breaks: 'buckets begin one interval late',
    file: candleFold,
    find: 'bucketStart(timeOf(seq), this.interval)',
    replace: 'bucketStart(timeOf(seq) + this.interval - 1, this.interval)',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'dust is left out of the volume of a candle',
    file: candleFold,
    find: 'if (!Number.isNaN(usd)) sums.volume += usd;',
    replace: 'if (!Number.isNaN(price)) sums.volume += usd;',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a candle counts prints, not swaps',
    file: candleFold,
    find: '    sums.count++;\n',
    replace: '    if (!Number.isNaN(price)) sums.count++;\n',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a filled bucket repeats the open before it',
    file: candleFold,
    find: 'const { close } = candle;',
    replace: 'const { open: close } = candle;',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a range takes in the bucket that begins with its end',
    file: candles,
    find: 'range(firstSeqAt(start), seqLimit(context, end))',
    replace: 'range(firstSeqAt(start), seqLimit(context, end + interval))',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a range begins with the first whole bucket',
    file: candles,
    find: 'Math.max(0, bucketStart(from, interval))',
    replace: 'Math.max(0, bucketStart(from + interval - 1, interval))',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a candle closes with its first print',
    file: candleFold,
    find: '    c.close[row] = price;\n',
    replace: '',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'swaps of a token for itself count in candles',
    file: 'ledger/prints.ts',
    find: 'prints.standing_in[row] = prints.standing_out[row] = SELF;',
    replace: '',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a volume window takes in its start',
    file: volumes,
    find: 'asOf - time < edges[bucket - 1]!',
    replace: 'asOf - time <= edges[bucket - 1]!',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'the window before takes in the oldest swaps of the window',
    file: volumes,
    find: 'edge > from &&',
    replace: 'edge >= from &&',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a change in volume compares with nothing as with 1',
    file: prices,
    find: 'previous === 0 ? null :',
    replace: 'previous === 0 ? volume :',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'an instant of the history leaves out what happens at it',
    file: 'queries/history.ts',
    find: 'while (instant < time) emit();',
    replace: 'while (instant <= time) emit();',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'the first instant of a history counts the volume of the second its interval starts with',
    file: 'queries/history.ts',
    find: "between('seq', range.until + 1, lastSeqAt(end))",
    replace: "between('seq', Math.max(0, range.until + 1 - 2 ** 20), lastSeqAt(end))",
    noticedBy: 'boundaries',
  },
  {
    breaks: 'the top holdings are eleven',
    file: 'refresh/market.ts',
    find: 'const TOP = 10;',
    replace: 'const TOP = 11;',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'market caps go by the total supply',
    file: 'refresh/market.ts',
    find: 'at * knownSupply(numbers, circulating, total)',
    replace: 'at * total',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a portfolio begins with what has no price',
    file: 'queries/portfolio.ts',
    find: '(b.value ?? -1) - (a.value ?? -1)',
    replace: '(b.value ?? Number.MAX_VALUE) - (a.value ?? Number.MAX_VALUE)',
    noticedBy: 'boundaries',
  },
];
