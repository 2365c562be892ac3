import { typosAllowed } from './typos.ts';

/**
 * Texts of which a word line holds at least one, if it holds a word near to `term`: cut in one piece more than it may hold typos,
 * the term keeps a piece whole. The first piece begins a word, the last ends one. Only two neighbours swapped across a cut
 * touch two pieces; for each cut, the piece with that swap is listed too.
 */
export function fuzzyPieces(term: string, isPrefix: boolean): string[] {
  const letters = [...term];
  const end = isPrefix ? '' : ' ';
  switch (typosAllowed(letters.length)) {
    case 0:
      return [` ${term}${end}`];
    case 1: {
      const cut = Math.ceil(letters.length / 2);
      return [
        ` ${joined(letters, 0, cut)}`,
        `${joined(letters, cut)}${end}`,
        ` ${joined(swapped(letters, cut), 0)}${end}`,
      ];
    }
    case 2: {
      const first = Math.ceil(letters.length / 3);
      const second = letters.length - first;
      return [
        ` ${joined(letters, 0, first)}`,
        joined(letters, first, second),
        `${joined(letters, second)}${end}`,
        ` ${joined(swapped(letters, first), 0, first + 1)}`,
        `${joined(swapped(letters, second), second - 1)}${end}`,
      ];
    }
  }
}

/** The letters with those before and after `cut` exchanged. */
function swapped(letters: readonly string[], cut: number): string[] {
  return letters.with(cut - 1, letters[cut]!).with(cut, letters[cut - 1]!);
}

function joined(letters: readonly string[], from: number, to?: number): string {
  return letters.slice(from, to).join('');
}
