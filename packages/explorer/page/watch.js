import { useEffect, useState } from './lib.js';

const NAME = 'swapfold-watchlist';
const listeners = new Set();

/** What one watches: `{ kind: 'wallet' | 'token', address, name? }`, kept in this browser alone. */
let watched = stored();

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(found) ? found.filter(({ kind, address }) => kind && address) : [];
  } catch {
    return [];
  }
}

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

export const isWatched = (kind, address) => watched.some((one) => one.kind === kind && one.address === address);

export function toggleWatched(one) {
  const rest = watched.filter(({ kind, address }) => kind !== one.kind || address !== one.address);
  put(rest.length < watched.length ? rest : [...watched, one]);
}

/** Draws again when the list changes. */
export function useWatched() {
  const [list, setList] = useState(watched);
  useEffect(() => {
    const listener = () => setList(watched);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return list;
}
