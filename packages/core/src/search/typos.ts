/** Typos that a word of this many characters may hold and still match. */
export function typosAllowed(length: number): 0 | 1 | 2 {
  if (length < 3) return 0;
  return length < 8 ? 1 : 2;
}

/**
 * Edits that make `typed` the beginning or the whole of `word`: characters inserted, deleted, replaced, or two neighbours swapped
 * (optimal string alignment); `undefined` where it takes more than `most`.
 */
export function typosBetween(typed: string, word: string, most: number, isPrefix: boolean): number | undefined {
  const a = [...typed];
  const b = [...word].slice(0, isPrefix ? a.length + most : undefined);
  if (b.length < a.length - most || b.length > a.length + most) return undefined;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, beforePrevious[j - 2]! + 1);
      row.push(least);
    }
    if (Math.min(...row) > most && Math.min(...previous) > most) return undefined;
    beforePrevious = previous;
    previous = row;
  }
  const typos = isPrefix ? Math.min(...previous) : previous[b.length]!;
  return typos <= most ? typos : undefined;
}
