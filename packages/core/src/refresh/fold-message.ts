import type { EntityKind } from '../profiles/fields.ts';
import type { Batch } from '../records/columns.ts';

/**
 * What a refresh folds: first, once, how many entities there are to fold; then their profiles, some thousands at a time. The positions of
 * wallets come before the last profiles of wallets.
 */
export type FoldMessage = FoundEntities | FoldedProfiles | FoldedPositions;

interface FoundEntities {
  readonly kind: 'found';
  readonly entities: number;
}

interface FoldedProfiles {
  readonly kind: EntityKind;
  readonly missing: Int32Array;
  /** Rows of the table of profiles, which replace the rows of the same entities. */
  readonly rows: Batch;
}

export interface FoldedPositions {
  readonly kind: 'positions';
  /** Pairs whose stored positions go before rows are stored, of which some may have no trade by the as-of time. */
  readonly missing: Float64Array;
  /** Rows of the table of positions, which replace the rows of the same pairs. */
  readonly rows: Batch;
}
