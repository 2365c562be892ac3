import type { Mutant } from './mutant.ts';

const keys = 'packages/server/src/keys.ts';

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
    file: keys,
    find: '?? false;',
    replace: '?? true;',
    noticedBy: 'permissions',
  },
  {
    breaks: 'a key that may push rows may roll back and refresh',
    file: 'packages/core/src/api/operation.ts',
    find: 'grants: [grant],',
    replace: 'grants: [grant, ANY_ROWS],',
    noticedBy: 'permissions',
  },
  {
    breaks: 'a key without operations may stop the server',
    file: keys,
    find: '...operatorCalls.map(({ name }): [string, Grants] => [name, [name]]),',
    replace: '',
    noticedBy: 'operator calls',
  },
  {
    breaks: 'a server without keys stops for whoever reaches it',
    file: 'packages/server/src/operator-routes.ts',
    find: 'admission.isOpen && operator.withoutKeys !== true',
    replace: 'admission.isOpen && operator.withoutKeys === false',
    noticedBy: 'operator calls',
  },
  {
    breaks: 'a caller may name the file of a backup',
    file: 'packages/server/src/operator-routes.ts',
    find: 'parseRequest(requestObject({}), body.length === 0 ? {} : await parseInTurn(body, share));',
    replace: 'await parseInTurn(body, share);',
    noticedBy: 'operator calls',
  },
];
