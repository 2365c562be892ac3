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
  {
    breaks: 'a wide row of a rare shape loses the sign of -0',
    file: 'packages/sqlite/src/append.ts',
    find: 'if (Object.is(values[i], 0)) values[i] = 0n;',
    replace: 'if (values[i] === 0) values[i] = 0n;',
    noticedBy: 'row shapes',
  },
  {
    breaks: 'a wide row of a rare shape keeps its zeros as doubles',
    file: 'packages/sqlite/src/append.ts',
    find: '      shortenZeros(values);\n',
    replace: '',
    noticedBy: 'row shapes',
  },
];
