import type { Mutant } from './mutant.ts';

const condition = 'filter/parse.ts';
const evaluate = 'storage/evaluate.ts';

export const filter: readonly Mutant[] = [
  {
    breaks: '$ne leaves out missing values, as in SQL',
    file: condition,
    find: 'return not(equals(target, value as Value, asOf));',
    replace: 'return and(not(equals(target, value as Value, asOf)), not(isMissing(target)));',
    noticedBy: 'filter',
  },
  {
    breaks: '$nin with null keeps missing values',
    file: condition,
    find: 'const missing = given.length < values.length ? [isMissing(target)] : [];',
    replace: 'const missing: Predicate[] = [];',
    noticedBy: 'filter',
  },
  {
    breaks: 'a part of a label is the label',
    file: evaluate,
    find: 'predicate.label}|`',
    replace: 'predicate.label}`',
    noticedBy: 'filter',
  },
  {
    breaks: '$all of no labels holds for everything',
    file: condition,
    find: 'labels.length === 0 ? nothing : and(',
    replace: 'labels.length < 0 ? nothing : and(',
    noticedBy: 'filter',
  },
  {
    breaks: '$gt takes the bound',
    file: evaluate,
    find: "case 'gt':\n      return (row) => column[row]! > value;",
    replace: "case 'gt':\n      return (row) => column[row]! >= value;",
    noticedBy: 'filter',
  },
  {
    breaks: '$lte leaves out the bound',
    file: evaluate,
    find: "case 'lte':\n      return (row) => column[row]! <= value;",
    replace: "case 'lte':\n      return (row) => column[row]! < value;",
    noticedBy: 'filter',
  },
  {
    breaks: '$nor takes what one of its filters fails',
    file: 'filter/reading.ts',
    find: "case '$not':\n      return not(or(...of));",
    replace: "case '$not':\n      return not(and(...of));",
    noticedBy: 'filter',
  },
  {
    breaks: '$exists false asks for a value',
    file: condition,
    find: 'value === true ? not(isMissing(target)) : isMissing(target);',
    replace: 'value === true ? not(isMissing(target)) : not(isMissing(target));',
    noticedBy: 'filter',
  },
  {
    breaks: 'an age is compared the wrong way round',
    file: condition,
    find: "const mirrored = { gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte', eq: 'eq' } as const;",
    replace: "const mirrored = { gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte', eq: 'eq' } as const;",
    noticedBy: 'filter',
  },
  {
    breaks: '$contains tells case',
    file: 'filter/words.ts',
    find: "text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase()",
    replace: "text.normalize('NFKC')",
    noticedBy: 'filter',
  },
  {
    breaks: 'missing numbers come first',
    file: 'memory/column.ts',
    find: '+Number.isNaN(a) - +Number.isNaN(b)',
    replace: '+Number.isNaN(b) - +Number.isNaN(a)',
    noticedBy: 'search',
  },
  {
    breaks: 'the page after a value leaves out the missing ones',
    file: 'search/rows.ts',
    find: ", { kind: 'missing', column });",
    replace: ');',
    noticedBy: 'search',
  },
];
