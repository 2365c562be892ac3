// @ts-check
/**
 * What a search finds, as the address of a view has it: `name` is what somebody called it.
 * @typedef {{ readonly kind: 'wallet' | 'token', readonly address: string, readonly name: string | null, readonly more: string | null }} Found
 */

/**
 * The one that a text names whole, by address or by symbol or name. Several of the same name are a list.
 * @param {readonly Found[]} found
 * @param {string} text
 */
export function namedBy(found, text) {
  const wanted = text.toLowerCase();
  const byAddress =
    found.find(({ address }) => address === text) ?? found.find(({ address }) => address.toLowerCase() === wanted);
  if (byAddress !== undefined) return byAddress;
  const named = found.filter(({ name }) => name?.trim().toLowerCase() === wanted);
  return named.length === 1 ? named[0] : undefined;
}
