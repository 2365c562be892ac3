import type { Mutant } from './mutant.ts';

const [page, asked, terms, spans, falls] = [
  'queries/explain-page.ts',
  'queries/explain-metric.ts',
  'queries/explain-terms.ts',
  'bag/spans.ts',
  'bag/falls.ts',
];

export const explain: readonly Mutant[] = [
  {
    breaks: 'an explanation lists the trade at the start of its window',
    file: page,
    find: 'const before = lastSeqAt(asOf - window.seconds);',
    replace: 'const before = lastSeqAt(asOf - window.seconds - 1);',
    noticedBy: ['explain'],
  },
  {
    breaks: 'an explanation lists trades that came after the instant of the profile',
    file: page,
    find: 'const until = lastSeqAt(asOf) + 1;',
    replace: 'const until = lastSeqAt(asOf + 10) + 1;',
    noticedBy: ['explain'],
  },
  {
    breaks: 'of equal best tokens the last by address is the best',
    file: page,
    find: '<= 0 ? a : b',
    replace: '>= 0 ? a : b',
    noticedBy: ['explain'],
  },
  {
    breaks: 'the best token has a part in what is without it',
    file: 'bag/terms.ts',
    find: 'known(pnl, !isOfBest)',
    replace: 'known(pnl)',
    noticedBy: ['explain'],
  },
  {
    breaks: 'a profile that was left behind is explained as of the last refresh',
    file: asked,
    find: 'Math.min(until, (await readProfilesAsOf(reader)) ?? context.asOf)',
    replace: '(await readProfilesAsOf(reader)) ?? context.asOf',
    noticedBy: ['explain'],
  },
  {
    breaks: 'as of an earlier instant a wallet without a swap by then is explained',
    file: asked,
    find: "and(compare(key, 'eq', id), until)",
    replace: "compare(key, 'eq', id)",
    noticedBy: ['explain'],
  },
  {
    breaks: 'a trade has a part of a metric that is no sum',
    file: terms,
    find: 'if (isSum !== true) return null;',
    replace: '',
    noticedBy: ['explain'],
  },
  {
    breaks: 'a trade that is in none of the terms has a part of 0',
    file: terms,
    find: 'if (parts.every(([, part]) => part === null)) return null;',
    replace: '',
    noticedBy: ['explain'],
  },
  {
    breaks: 'a streak begins with the trade before it',
    file: spans,
    find: 'else if (++length === 1) from = time[row]!;',
    replace: 'else if (++length === 2) from = time[row]!;',
    noticedBy: ['explain'],
  },
  {
    breaks: 'a fall begins at the last peak of all',
    file: falls,
    find: 'found = { peak, trough: i };',
    replace: 'found = { peak: 0, trough: i };',
    noticedBy: ['explain'],
  },
  {
    breaks: 'a fall ends where it is not the largest',
    file: falls,
    find: 'if (!(fall > largest)) continue;',
    replace: 'if (!(fall > 0)) continue;',
    noticedBy: ['explain'],
  },
];
