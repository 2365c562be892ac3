/** The rows in another order, decided by the seed (xorshift, Fisher-Yates). */
export function shuffled<T>(rows: readonly T[], seed: number): T[] {
  const copy = [...rows];
  let state = (seed * 2654435761) >>> 0 || 1;
  for (let i = copy.length - 1; i > 0; i--) {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    const j = state % (i + 1);
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}
