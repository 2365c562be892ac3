import type { Mutant } from './mutant.ts';

const suspects = 'ingest/suspects.ts';
const counterparties = 'bag/counterparties.ts';

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
    file: counterparties,
    find: 'return this.#doubles[d + HOLDING]! <= max_holding * integers[n + REALISED]!;',
    replace: 'return true;',
    noticedBy: ['wash shares'],
  },
  {
    breaks: 'a result of ten times max_result is wash',
    file: counterparties,
    find: '> max_result * volume) return false;',
    replace: '> 10 * max_result * volume) return false;',
    noticedBy: ['wash shares'],
  },
  {
    breaks: 'an explanation names the newest print as the mark',
    file: 'queries/explain-holding.ts',
    find: 'prints: marksOf(config) }',
    replace: "prints: 'all' }",
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
