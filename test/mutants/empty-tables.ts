import type { Mutant } from './mutant.ts';

export const emptyTables: readonly Mutant[] = [
  {
    breaks: 'a table that got its first row is still taken for empty',
    file: 'packages/sql/src/empty-tables.ts',
    find: 'this.#isEmpty.set(table.name, false);',
    replace: '',
    noticedBy: 'storage of SQLite',
  },
  {
    breaks: 'a table that a write made anew is taken for empty once that was taken back',
    file: 'packages/sql/src/create-writer.ts',
    find: 'isAlone && !remade.has(table.name) && empty',
    replace: 'isAlone && empty',
    noticedBy: 'storage of SQLite',
  },
  {
    breaks: 'the first rows of a table without any count as out of order after all its rows were removed',
    file: 'packages/sql/src/create-writer.ts',
    find: `        if (where.kind === 'and' && where.of.length === 0) noteEmptied(table, change.grown);
        if (await isEmpty(table)) return;
`,
    replace: `        if (await isEmpty(table)) return;
        if (where.kind === 'and' && where.of.length === 0) noteEmptied(table, change.grown);
`,
    noticedBy: 'sorted tables',
  },
  {
    breaks: 'a refresh looks for reference prices in a store without any',
    file: 'market-data/native-price.ts',
    find: '  if (!hasReferencePrices) return ReferencePrices.none;\n',
    replace: '',
    noticedBy: 'reads of a block',
  },
  {
    breaks: 'no reference price is found by what is asked',
    file: 'store/open/session.ts',
    find: 'hasReferencePrices: ingest.hasReferencePrices,',
    replace: 'hasReferencePrices: false,',
    noticedBy: 'reads of a block',
  },
  {
    breaks: 'a refresh does not see what transfers have moved',
    file: 'store/open/session.ts',
    find: 'hasTransfers: ingest.lastTransfer !== null,',
    replace: 'hasTransfers: false,',
    noticedBy: 'reads of a block',
  },
  {
    breaks: 'a reference price moves no profile of a quote token',
    file: 'refresh/stale.ts',
    find: 'filter((token) => !stale.has(token));',
    replace: 'filter((token) => stale.has(token));',
    noticedBy: 'reads of a block',
  },
];
