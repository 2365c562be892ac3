import type { Mutant } from './mutant.ts';

const file = 'packages/sqlite/src/row-shapes.ts';

export const rowShapes: readonly Mutant[] = [
  {
    breaks: 'a wide row loses the sign of -0',
    file,
    find: 'else if (Object.is(value, 0)) kind = ZERO;',
    replace: 'else if (value === 0) kind = ZERO;',
    noticedBy: 'row shapes',
  },
  {
    breaks: 'rows of two shapes go by one statement',
    file,
    find: 'packed = (packed << 2) | kind;',
    replace: 'packed = (packed << 1) | kind;',
    noticedBy: 'row shapes',
  },
];
