import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCodes } from '@swapfold/core';
import { table } from './page.ts';

export const errorsPage = resolve(import.meta.dirname, '../../docs/reference/errors.md');

/** The page of the error codes, from their table. */
export function renderErrors(): string {
  const rows = Object.entries(errorCodes)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, meaning, remedy }]) => [`\`${code}\``, String(status), meaning, remedy]);
  return `# Errors

<!-- Generated from the table of codes in packages/core/src/errors.ts; not to be edited. -->

In-process an error is a \`SwapfoldError\` with \`code\`, \`status\`, \`message\`, \`details\` and, if there is one, \`cause\`; that of an
\`ingest\` that had begun has \`result\`, what was stored before. Over HTTP it is the status and this body, described in [HTTP](http.md):

\`\`\`json
{
  "error": "\\"limit\\": expected a whole number from 1 to 100, received 101.",
  "code": "invalid-request",
  "details": [{ "path": "limit", "message": "expected a whole number from 1 to 100, received 101" }],
  "request_id": "0f2c8a6e-5d1f-4b7a-9a3e-6c1d2e3f4a5b"
}
\`\`\`

\`message\` and \`error\` name the field, the value received and what would do; \`details\` lists every fault found. Over HTTP a status of
500 always has the code \`internal\`, and one of 503 the code \`unavailable\`; what the store failed with is in the server's log, under the
\`request_id\`.

${table(['code', 'status', 'what it means', 'what to do'], rows)}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(errorsPage, renderErrors());
