/**
 * Takes an item out of a short list.
 *
 * What comes and goes with every request is in lists, not in a Set: V8 gives a Set a new table whenever most of it is gone, and the old one
 * points to the new one and still has its items. Once one of these tables is in the old generation, all later ones survive with their
 * requests until the whole heap is marked.
 */
export function removeFrom<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}
