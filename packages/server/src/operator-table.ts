/** What an operator has a server do over HTTP, beside what its store answers: a row each. A key needs the name among its `operations`. */
export const operatorCalls = [
  {
    name: 'server.backup',
    path: '/v1/server/backup',
    summary: 'Write a backup.',
    description:
      'Writes a copy of the store into the folder that the server was started with, and answers once it is on the disk. The server names the file.',
    returns: 'The copy.',
  },
  {
    name: 'server.stop',
    path: '/v1/server/stop',
    summary: 'Stop the server.',
    description: 'Answers, and then stops the server in order: running requests end, and the store is closed.',
    returns: 'That the server stops.',
  },
] as const;

export type OperatorCall = (typeof operatorCalls)[number];
