// @ts-check
import { useEffect, useState } from './lib.js';

const NAME = 'swapfold-watchlist';
/** @type {Set<() => void>} */
const listeners = new Set();

/** @typedef {{ readonly kind: 'wallet' | 'token', readonly address: string, readonly name?: string | null | undefined }} Watched */

/** What one watches, kept in this browser alone. */
let watched = stored();

/** @returns {readonly Watched[]} */
function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(found) ? found.filter(({ kind, address }) => kind && address) : [];
  } catch {
    return [];
  }
}

/** @param {readonly Watched[]} next */
function put(next) {
  watched = next;
  localStorage.setItem(NAME, JSON.stringify(next));
  for (const listener of listeners) listener();
}

/** Another tab may have changed the list. */
addEventListener('storage', ({ key }) => {
  if (key !== NAME) return;
  watched = stored();
  for (const listener of listeners) listener();
});

/** @type {(kind: Watched['kind'], address: string) => boolean} */
export const isWatched = (kind, address) => watched.some((one) => one.kind === kind && one.address === address);

/** @param {Watched} one */
export function toggleWatched(one) {
  const rest = watched.filter(({ kind, address }) => kind !== one.kind || address !== one.address);
  put(rest.length < watched.length ? rest : [...watched, one]);
}

/**
 * Draws again when the list changes.
 * @returns {readonly Watched[]}
 */
export function useWatched() {
  const [list, setList] = useState(watched);
  useEffect(() => {
    const listener = () => setList(watched);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return list;
}
