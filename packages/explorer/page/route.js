// @ts-check
import { useEffect, useState } from './lib.js';

/**
 * A view is a fragment of the address: `#/wallet/ADDRESS?window=7d`. The server sees one path, so that the page works below any path of a proxy.
 * @param {string} hash
 */
export function parseRoute(hash) {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view = '', ...parts] = path.split('/').map(decoded);
  return { view, parts, query: new URLSearchParams(query) };
}

/**
 * Which view an address is of, without its choices.
 * @param {string} hash
 */
export const placeOf = (hash) => hash.split('?', 1)[0];

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @typedef {Readonly<Record<string, string | number | null | undefined>>} Query */

/**
 * The address of a view; fields of the query that are undefined or empty are left out.
 * @param {readonly string[]} parts
 * @param {Query} [query]
 */
export function href(parts, query = {}) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

export function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = () => setHash(location.hash);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return parseRoute(hash);
}

/** @param {string} address */
export function go(address) {
  location.hash = address;
}

/**
 * Changes fields of the query of the view that is shown. A choice takes the place of the one before, so that "back" leaves the view.
 * @param {Query} changes
 */
export function choose(changes) {
  const { view, parts, query } = parseRoute(location.hash);
  const fields = { ...Object.fromEntries(query), ...changes };
  history.replaceState(null, '', href([view, ...parts], fields));
  dispatchEvent(new HashChangeEvent('hashchange'));
}
