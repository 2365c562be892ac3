import type { Mutant } from './mutant.ts';

export const names: readonly Mutant[] = [
  {
    breaks: 'an alias is a token of its own',
    file: 'addresses/token-address.ts',
    find: 'return normal === undefined ? undefined : (aliases.get(normal) ?? normal);',
    replace: 'return normal;',
    noticedBy: 'token names',
  },
  {
    breaks: 'a wrap is stored',
    file: 'addresses/token-address.ts',
    find: '&& (isAlias(given) || isAlias(received))',
    replace: '&& isAlias(given) && isAlias(received)',
    noticedBy: 'token names',
  },
  {
    breaks: 'a swap of a token for itself under its own address is passed over',
    file: 'addresses/token-address.ts',
    find: ' && (isAlias(given) || isAlias(received))',
    replace: '',
    noticedBy: 'token names',
  },
  {
    breaks: 'an alias in a filter finds nothing',
    file: 'filter/parse.ts',
    find: '(target.isToken ? aliases?.get(address) : undefined) ?? address',
    replace: 'address',
    noticedBy: 'token names',
  },
  {
    breaks: 'a store that is folded again keeps its swaps of an alias',
    file: 'ingest/rename-tokens.ts',
    find: 'column[row] = other;',
    replace: '',
    noticedBy: 'token names',
  },
  {
    breaks: 'of an alias the reference prices are lost',
    file: 'ingest/rename-tokens.ts',
    find: 'if (moved.length > 0) await',
    replace: 'if (moved.length > 1) await',
    noticedBy: 'token names',
  },
  {
    breaks: 'one stored swap stands for any number of equal ones',
    file: 'ingest/equal-swaps.ts',
    find: "if (free !== undefined) this.#set(tx, free.rank, 'other');",
    replace: '',
    noticedBy: 'equal swaps',
  },
  {
    breaks: 'what an import stored itself stands for its next equal swap',
    file: 'ingest/equal-swaps.ts',
    find: 'return this.#added.has(key) ||',
    replace: 'return false &&',
    noticedBy: 'equal swaps',
  },
  {
    breaks: 'a swap that came under its index stands for an equal one, too',
    file: 'ingest/equal-swaps.ts',
    find: "this.#set(tx, rank, 'itself');",
    replace: '',
    noticedBy: 'equal swaps',
  },
  {
    breaks: 'an aggregate may leave something of a third token',
    file: 'ledger/aggregates.ts',
    find: 'if (others !== 2 ||',
    replace: 'if (others < 2 ||',
    noticedBy: 'aggregates',
  },
];
