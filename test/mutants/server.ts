import type { Mutant } from './mutant.ts';

const permissions = 'packages/server/src/ingest/permissions.ts';

/** What keeps callers of a server in bounds. */
export const server: readonly Mutant[] = [
  {
    breaks: 'a WebSocket takes frames of 128 KiB',
    file: 'packages/server/src/live/sockets.ts',
    find: 'maxPayload: MAX_FRAME,',
    replace: 'maxPayload: 2 * MAX_FRAME,',
    noticedBy: 'frames of clients',
  },
  {
    breaks: 'the length of a message of 126 bytes reads as that of a longer one',
    file: 'packages/server/src/live/frame.ts',
    find: 'const start = size < 126',
    replace: 'const start = size < 127',
    noticedBy: 'frames',
  },
  {
    breaks: 'a key without operations may push',
    file: permissions,
    find: 'if (operations === undefined) return false;',
    replace: 'if (operations === undefined) return true;',
    noticedBy: 'permissions',
  },
  {
    breaks: 'a key that may push rows may roll back and refresh',
    file: permissions,
    find: '(ofRows.includes(permission) && operations.includes(PUSH_ROWS))',
    replace: 'operations.includes(PUSH_ROWS)',
    noticedBy: 'permissions',
  },
];
