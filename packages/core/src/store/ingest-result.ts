import type { Conflict, IngestResult, Reject, UnknownField } from '../ingest/result.ts';

/** Rejects, and conflicts, that a result lists. */
const MOST_ROWS = 1000;

/** Unknown fields that a result lists. */
const MOST_FIELDS = 100;

/** Of an ingest that has stored nothing yet. */
export function newIngestResult(): IngestResult {
  return { added: 0, duplicate: 0, conflicting: 0, rejected: 0, rejects: [], conflicts: [], unknown_fields: [] };
}

export function noteReject(result: IngestResult, reject: Reject): void {
  result.rejected++;
  if (result.rejects.length < MOST_ROWS) result.rejects.push(reject);
}

export function noteConflict(result: IngestResult, conflict: Conflict): void {
  result.conflicting++;
  if (result.conflicts.length < MOST_ROWS) result.conflicts.push(conflict);
}

export function noteUnknownFields(result: IngestResult, fields: Iterable<UnknownField>): void {
  for (const found of fields) {
    const known = result.unknown_fields.find(({ field }) => field === found.field);
    if (known !== undefined) known.rows += found.rows;
    else if (result.unknown_fields.length < MOST_FIELDS) result.unknown_fields.push(found);
  }
}
