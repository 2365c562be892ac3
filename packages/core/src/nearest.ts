import { distance } from 'fastest-levenshtein';

/** The known name closest to `name`, or `undefined` where none is close enough to be what was meant. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length * 0.4)) + 1;
  const probe = name.slice(0, 200).toLowerCase();
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

/** The sentence part ` Did you mean "x"?`, or an empty text where nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const match = nearest(name, known);
  return match === undefined ? '' : ` Did you mean "${match}"?`;
}

/** A received value as a message shows it: JSON, shortened to 60 characters. */
export function show(value: unknown): string {
  let text: string;
  try {
    text = typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? String(value));
  } catch {
    text = String(value);
  }
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
