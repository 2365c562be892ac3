import { distance } from 'fastest-levenshtein';

/** Names longer than this are no slip of the finger. */
const LONGEST = 100;

/** The known name closest to `name`, or `undefined` if none is close enough to be what was meant. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  return closest(name, known, Math.max(2, Math.floor(name.length * 0.4)) + 1);
}

/** The first of the names whose distance is less than `bound` and than those of the names before. */
function closest(name: string, known: Iterable<string>, bound: number): string | undefined {
  let best: string | undefined;
  let bestDistance = bound;
  const probe = name.toLowerCase();
  for (const candidate of known) {
    if (Math.abs(candidate.length - probe.length) >= bestDistance) continue;
    const d = distance(probe, candidate.toLowerCase());
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/**
 * The known path that `path` is most likely meant to be: one that ends as it does, else the nearest in spelling. Of several, the one most
 * like it, and of several such the first.
 *
 * `pnl` -> `metrics.7d.pnl`; `metrics.7d.voume` -> `metrics.7d.volume`
 */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  if (path.length > LONGEST) return undefined;
  const part = nearest(lastPart(path), new Set(known.map(lastPart)));
  if (part === undefined) return nearest(path, known);
  const alike = known.filter((candidate) => lastPart(candidate) === part);
  return closest(path, alike, Number.POSITIVE_INFINITY);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** The sentence part ` Did you mean "x"?`, or an empty text where nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const match = nearest(name, known);
  return match === undefined ? '' : ` Did you mean "${match}"?`;
}

/** A received value as a message shows it: JSON, shortened to 60 characters; a `Date` that is no time as such. */
export function show(value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : json(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function json(value: unknown): string {
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid Date';
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Nested too deep, or in a circle.
    return Array.isArray(value) ? 'a list' : 'an object';
  }
}
