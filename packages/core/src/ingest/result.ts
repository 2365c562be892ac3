/** A swap that was not stored: `row` counts the input from 0; `field` is the one at fault. */
export interface Reject {
  readonly row: number;
  readonly field: string;
  readonly reason: string;
}

/** A swap whose identity is stored with another payload: the stored row stays. */
export interface Conflict {
  readonly row: number;
  readonly tx_hash: string;
  readonly swap_index: number;
  readonly reason: string;
}

/**
 * What became of the swaps of one `ingest` call.
 *
 * - `added + duplicate + conflicting + rejected` is the number of input rows.
 * - `rejects`, `conflicts`: the first 1,000 of each; `onReject` and `onConflict` see all.
 */
export interface IngestResult {
  added: number;
  duplicate: number;
  conflicting: number;
  rejected: number;
  readonly rejects: Reject[];
  readonly conflicts: Conflict[];
}

const KEPT = 1000;

export function newIngestResult(): IngestResult {
  return { added: 0, duplicate: 0, conflicting: 0, rejected: 0, rejects: [], conflicts: [] };
}

export function noteReject(result: IngestResult, reject: Reject): void {
  result.rejected++;
  if (result.rejects.length < KEPT) result.rejects.push(reject);
}

export function noteConflict(result: IngestResult, conflict: Conflict): void {
  result.conflicting++;
  if (result.conflicts.length < KEPT) result.conflicts.push(conflict);
}
