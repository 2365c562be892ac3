import { SwapfoldError } from '@swapfold/core';

/** How far the transactions of an address are read: from the newest one to older ones. */
export interface AddressPlace {
  /** The newest one of the pass that runs; `null` before its first. */
  readonly top: string | null;
  /** The last one that was read in it. */
  readonly before: string | null;
  /** The newest one of the last pass that is complete: where the pass ends. */
  readonly floor: string | null;
  /** Unix seconds: older transactions were not read. All were if it is absent. */
  readonly since?: number;
}

/** Nothing read yet. */
export const noPlace: AddressPlace = { top: null, before: null, floor: null };

/** A pass is complete: the next one ends where it began. `since`: of this pass, which has not read behind the passes before either. */
export function completed({ top, floor, since: before = 0 }: AddressPlace, since = 0): AddressPlace {
  const all = floor === null ? since : Math.max(before, since);
  return { ...noPlace, floor: top ?? floor, ...(all === 0 ? {} : { since: all }) };
}

/** Errors: `invalid-input` for a text that is no place of addresses. */
export function parsePlaces(place: string): Map<string, AddressPlace> {
  try {
    const { addresses } = JSON.parse(place) as { addresses?: Record<string, AddressPlace> };
    if (addresses instanceof Object) return new Map(Object.entries(addresses));
  } catch {
    // Falls through to the same error.
  }
  throw new SwapfoldError('invalid-input', 'The place that the store remembers is none of a source of addresses.');
}

export const toPlace = (places: ReadonlyMap<string, AddressPlace>): string =>
  JSON.stringify({ addresses: Object.fromEntries(places) });
