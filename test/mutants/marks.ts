import type { Mutant } from './mutant.ts';

const suspects = 'ingest/suspects.ts';
const roundTrips = 'bag/round-trips.ts';

export const marks: readonly Mutant[] = [
  {
    breaks: 'four prints are enough to call the next one suspect',
    file: suspects,
    find: 'const LEAST_PRINTS = 5;',
    replace: 'const LEAST_PRINTS = 4;',
    noticedBy: ['suspects'],
  },
  {
    breaks: 'twenty-two prints count',
    file: suspects,
    find: 'const MOST_PRINTS = 21;',
    replace: 'const MOST_PRINTS = 22;',
    noticedBy: ['suspects'],
  },
  {
    breaks: 'a print of a day ago is too old',
    file: suspects,
    find: 'if (time - p[at]! > DAY) continue;\n      count++;',
    replace: 'if (time - p[at]! >= DAY) continue;\n      count++;',
    noticedBy: ['suspects'],
  },
  {
    breaks: 'exactly the factor above is suspect',
    file: suspects,
    find: 'return price > median * factor ||',
    replace: 'return price >= median * factor ||',
    noticedBy: ['suspects'],
  },
  {
    breaks: 'a print far under the others is never suspect',
    file: suspects,
    find: '|| price * factor < median;',
    replace: ';',
    noticedBy: ['suspects'],
  },
  {
    breaks: 'the median is that of the number of prints',
    file: suspects,
    find: 'values[place] = p[at + 2]!;',
    replace: 'values[place] = 1;',
    noticedBy: ['suspects'],
  },
  {
    breaks: 'the median is the upper one where two halves meet',
    file: suspects,
    find: 'if (sum * 2 >= total)',
    replace: 'if (sum * 2 > total)',
    noticedBy: ['suspects'],
  },
  {
    breaks: 'what is held for long is wash',
    file: roundTrips,
    find: 'trades.time[row]! > this.#rule.max_holding',
    replace: 'trades.time[row]! > 20 * this.#rule.max_holding',
    noticedBy: ['wash shares'],
  },
  {
    breaks: 'a result of ten times max_result is wash',
    file: roundTrips,
    find: 'result <= (max_result + ROUNDING)',
    replace: 'result <= (10 * max_result + ROUNDING)',
    noticedBy: ['wash shares'],
  },
  {
    breaks: 'any loss is wash',
    file: roundTrips,
    find: '-result <= (max_loss + ROUNDING) * volume',
    replace: '-result <= volume',
    noticedBy: ['wash shares', 'round trips'],
  },
  {
    breaks: 'a round trip is wash whatever the other quick pairs made',
    file: roundTrips,
    find: 'return volume === 0 || this',
    replace: 'return true || this',
    noticedBy: ['round trips'],
  },
  {
    breaks: 'what was sold is not taken from what a sell wants',
    file: roundTrips,
    find: 'this.#wanted[sell]! -= part;',
    replace: '',
    noticedBy: ['round trips'],
  },
  {
    breaks: 'without a price in USD there is no round trip',
    file: roundTrips,
    find: 'isValued ? paid + received : paidNative + receivedNative;',
    replace: 'paid + received;',
    noticedBy: ['wash shares', 'round trips'],
  },
  {
    breaks: 'a share of a wash volume is never that of the native token',
    file: 'metrics/shared/native.ts',
    find: 'bag.unvalued > bag.buysKnown + bag.sellsKnown',
    replace: 'false',
    noticedBy: ['wash shares', 'round trips'],
  },
  {
    breaks: 'suspect prints are in the price series of tokens',
    file: 'market-data/latest-prints.ts',
    find: 'isCleanPrint: Predicate = and(isPrint, isClean);',
    replace: 'isCleanPrint: Predicate = isPrint;',
    noticedBy: ['judged prices'],
  },
  {
    breaks: 'a price change is that of suspect prints',
    file: 'queries/prices.ts',
    find: 'isSuspect(c.standing[i]!) ? Number.NaN : c.price[i]!',
    replace: 'c.price[i]!',
    noticedBy: ['judged prices'],
  },
  {
    breaks: 'an explanation names the newest print as the mark',
    file: 'queries/explain-holding.ts',
    find: '(await latestMarks(context, Int32Array.of(token), until)).get(token)',
    replace:
      "(await latestMarks({ ...context, config: { ...context.config, marks: 'last' } }, Int32Array.of(token), until)).get(token)",
    noticedBy: ['marks'],
  },
  {
    breaks: 'filling gaps forgets the swaps of a bucket that has suspect prints alone',
    file: 'market-data/candle-fold.ts',
    find: '...(this.#printless.get(timestamp) ?? NO_SWAPS),',
    replace: '...NO_SWAPS,',
    noticedBy: ['marks'],
  },
];
