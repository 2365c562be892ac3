/** What a key needs, beside being known, for what is pushed. */
export const pushPermissions = [
  'ingest.swaps',
  'ingest.registry',
  'ingest.prices',
  'ingest.rollback',
  'ingest.refresh',
] as const;

/** Permissions to send rows. */
const ofRows: readonly PushPermission[] = ['ingest.swaps', 'ingest.registry', 'ingest.prices'];

export type PushPermission = (typeof pushPermissions)[number];

/** In `operations` of a key, for those that send rows. */
export const PUSH_ROWS = 'ingest';

export function isPushPermission(name: string): name is PushPermission {
  return (pushPermissions as readonly string[]).includes(name);
}

/** Whether the operations of a key have a permission. A key without a list of them may ask everything, and push nothing. */
export function mayPush(operations: readonly string[] | undefined, permission: PushPermission): boolean {
  if (operations === undefined) return false;
  return operations.includes(permission) || (ofRows.includes(permission) && operations.includes(PUSH_ROWS));
}
