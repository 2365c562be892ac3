import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCodes } from '@swapfold/core/host';
import { anchor, table } from './page.ts';

export const errorsPage = resolve(import.meta.dirname, '../../docs/reference/errors.md');

type Row = readonly [code: string, { readonly status: number; readonly meaning: string; readonly remedy: string }];

/** The parts of the page, each with the codes that belong to it. */
const parts: readonly (readonly [title: string, holds: (row: Row) => boolean])[] = [
  ['The request is at fault', ([, { status }]) => status < 500 && ![401, 403, 429].includes(status)],
  ['Keys and rates', ([, { status }]) => [401, 403, 429].includes(status)],
  ['Over HTTP, what the server does not say', ([code]) => code === 'internal' || code === 'unavailable'],
  ['The store, its engine or the program', () => true],
];

/** The page of the error codes, from their table. */
export function renderErrors(): string {
  const rows: readonly Row[] = Object.entries(errorCodes).sort(([, a], [, b]) => a.status - b.status);
  const partOf = (row: Row): string => parts.find(([, holds]) => holds(row))![0];
  const sections = parts.map(([title]) => {
    const cells = rows
      .filter((row) => partOf(row) === title)
      .map(([code, { status, meaning, remedy }]) => [`\`${code}\``, String(status), meaning, withLinks(remedy)]);
    return `## ${title}\n\n${table(['code', 'status', 'what it means', 'what to do'], cells)}`;
  });
  return `# Errors

<!-- Generated from the table of codes in packages/core/src/errors.ts; not to be edited. -->

| where | an error is |
|---|---|
| in your process | a \`SwapfoldError\` with \`code\`, \`status\`, \`message\`, \`details\` and often \`cause\`; one of an \`ingest\` that had begun has \`result\`, what was stored before |
| over HTTP | the status, and the body below; [HTTP](http.md#errors) has the rules |
| on the command line | the message on standard error, and an [exit code](cli.md#exit-codes); \`--verbose\` adds the place of a failure |

\`\`\`json
{
  "error": "\\"limit\\": expected a whole number from 1 to 100, received 101.",
  "code": "invalid-request",
  "details": [{ "path": "limit", "message": "expected a whole number from 1 to 100, received 101" }],
  "request_id": "0f2c8a6e-5d1f-4b7a-9a3e-6c1d2e3f4a5b"
}
\`\`\`

\`message\` and \`error\` name the field, the value received and what would do. \`details\` lists every fault found.

Over HTTP a status of 500 always has the code \`internal\`, and one of 503 the code \`unavailable\`. What the store failed with is in the
server's log: find the line with that \`request_id\`, and look its code up here.

| status | the same request again |
|---|---|
| 400 to 415, but not 410 | fails again until you correct it |
| 410 | fails again: start without the cursor |
| 429, 503 | may work after the seconds in \`Retry-After\` |
| 500 | fails again until its cause is gone; the log names it |

${sections.join('\n\n')}
`;
}

/** Pages that a remedy names, as links from this page. */
function withLinks(remedy: string): string {
  return remedy.replaceAll(/docs\/([\w/-]+)\.md(?: \("([^"]+)"\))?/g, (_, page: string, heading?: string) => {
    const name = heading ?? page.split('/').at(-1)!;
    return `[${name}](../${page}.md${heading === undefined ? '' : `#${anchor(heading)}`})`;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(errorsPage, renderErrors());
