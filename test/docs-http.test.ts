import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { errorCodes } from '@swapfold/core/host';
import type { ServeOptions } from '@swapfold/server';
import { createProgram } from '../packages/cli/src/program.ts';
import { defaultLimits } from '../packages/server/src/admission.ts';
import { MAX_BODY, MAX_LOOKUP } from '../packages/server/src/body.ts';
import { MAX_AHEAD } from '../packages/server/src/handler.ts';
import { pushLimits } from '../packages/server/src/ingest/read-rows.ts';
import { MAX_ROW } from '../packages/server/src/ingest/row-splitter.ts';
import { MAX_DEPTH, MAX_NAMES, MAX_VALUES } from '../packages/server/src/json.ts';
import { MAX_FRAME } from '../packages/server/src/live/sockets.ts';
import { overloadReasons } from '../packages/server/src/overload.ts';
import { serveDefaults } from '../packages/server/src/serve.ts';
import { unreadableFaults } from '../packages/server/src/unreadable.ts';

const read = (name: string): string => readFileSync(resolve(import.meta.dirname, '../docs', name), 'utf8');
/** The limits have a page of their own. */
const page = `${read('reference/http.md')}\n${read('reference/limits.md')}`;

/** The rows of a table below its head, as the texts of their cells. */
function tableOf(head: RegExp): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const first = lines.findIndex((line) => head.test(line));
  assert.ok(first >= 0, String(head));
  const rows: string[][] = [];
  for (let i = first + 2; lines[i]?.startsWith('|'); i++)
    rows.push(
      lines[i]!.split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows;
}

/** What a cell has in backquotes. */
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;

const limits = tableOf(/^\| what +\| default +\|/);
const command = createProgram(() => undefined).commands.find((one) => one.name() === 'serve')!;

test('docs/reference/limits.md has a row for every limit and time of a server, with its default', () => {
  const { working, waiting, patience, bodyBytes, pushBytes, unsentBytes, ...live } = defaultLimits;
  const shown: Readonly<Record<keyof typeof defaultLimits, string>> = {
    working: String(working),
    waiting: String(waiting),
    patience: `${patience} s`,
    bodyBytes: mebibytes(bodyBytes),
    pushBytes: mebibytes(pushBytes),
    unsentBytes: mebibytes(unsentBytes),
    liveConnections: String(live.liveConnections),
    subscriptions: String(live.subscriptions),
    subscriptionBytes: mebibytes(live.subscriptionBytes),
    liveBytes: mebibytes(live.liveBytes),
    wrongKeys: String(live.wrongKeys),
  };
  const times = Object.entries(serveDefaults.timeouts).map(([name, seconds]) => [`timeouts.${name}`, `${seconds} s`]);
  const expected = [
    ['connections', String(serveDefaults.connections)],
    ['connectionsPerAddress', 'all'],
    ...Object.entries(shown).map(([name, text]) => [`limits.${name}`, text]),
    ...times,
    ['rate', 'none'],
    ['maxAhead', `${MAX_AHEAD} s`],
  ];
  const documented = limits.flatMap(([, given, option]) => namesIn(option!).map((name) => [name, given]));
  assert.deepEqual(documented.sort(), expected.sort());
});

test('docs/reference/limits.md has the limits that no option changes', () => {
  const { sentBytes, unpackedBytes, rows } = pushLimits;
  const pushed = `${mebibytes(sentBytes)}, ${mebibytes(unpackedBytes)}, ${rows.toLocaleString('en-US')}`;
  const fixed = limits.filter(([, , option]) => option === '').map(([what, given]) => [what, given]);
  assert.deepEqual(fixed, [
    ['body of one request', mebibytes(MAX_BODY)],
    ['body of one look-up', `${MAX_LOOKUP / 1024} KiB`],
    ['body of one push: sent, unpacked, rows', pushed],
    ['row of it', `${MAX_ROW / 1024} KiB`],
    ['depth of its JSON', String(MAX_DEPTH)],
    ['fields of one object in it', String(MAX_NAMES)],
    ['values in it; an empty list or object counts as two', MAX_VALUES.toLocaleString('en-US')],
    ['headers of one request', `${maxHeaderSize / 1024} KiB`],
    ['frame of a WebSocket', `${MAX_FRAME / 1024} KiB`],
  ]);
});

test('docs/reference/http.md has a row for every option of serve, with the defaults of address and time', () => {
  const names = Object.keys({
    host: true,
    port: true,
    compress: true,
    files: true,
    cors: true,
    hosts: true,
    ingest: true,
    routes: true,
    udf: true,
    maxAhead: true,
    keys: true,
    rate: true,
    limits: true,
    connections: true,
    connectionsPerAddress: true,
    metrics: true,
    registry: true,
    trustProxy: true,
    proxyHeader: true,
    logger: true,
    operator: true,
    timeouts: true,
  } satisfies Record<keyof Required<ServeOptions>, true>);
  const rows = tableOf(/^\| option of `serve`/);
  assert.deepEqual(rows.flatMap(([option]) => namesIn(option!)).sort(), names.sort());
  const defaultOf = (name: string): string | undefined => rows.find(([option]) => namesIn(option!).includes(name))?.[1];
  const { host, port, timeouts } = serveDefaults;
  assert.equal(defaultOf('host'), `\`${host}\`, ${port}`);
  const times = Object.entries(timeouts).map(([name, seconds]) => `\`${name}\` ${seconds}`);
  assert.equal(defaultOf('timeouts'), times.join(', '));
});

test('docs/reference/http.md gives the flags of swapfold serve as the command has them', () => {
  const flags = command.options.filter((option) => !option.hidden).map((option) => option.long!);
  const pages =
    page +
    read('guides/deploy.md') +
    read('guides/live.md') +
    read('guides/chain.md') +
    read('guides/solana.md') +
    read('guides/mcp.md') +
    read('guides/explorer.md') +
    read('guides/tradingview.md');
  assert.deepEqual(
    flags.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(pages)),
    [],
    'flags that no page names',
  );
  const known = new Set([...flags, '--verbose']);
  const prose = page.replaceAll(/^```.*?^```$/gms, '');
  const named = [...prose.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map((match) => match[0]);
  assert.deepEqual(
    named.filter((flag) => !known.has(flag)),
    [],
    'flags that do not exist',
  );
  for (const [what, given, , cell] of limits)
    for (const flag of namesIn(cell!)) {
      const { defaultValue } = command.options.find((option) => option.long === flag)!;
      if (defaultValue !== undefined) assert.equal(String(defaultValue), given!.replace(/ s$/, ''), `${what} ${flag}`);
    }
  for (const name of ['host', 'port'] as const)
    assert.equal(command.options.find((option) => option.long === `--${name}`)!.defaultValue, serveDefaults[name]);
});

test('docs/reference/http.md lists every status of an error, and no other', () => {
  const statuses = new Set(Object.values(errorCodes).map(({ status }) => String(status)));
  const rows = tableOf(/^\| status +\| when/).flatMap(([status]) => status!.split(', '));
  assert.deepEqual(rows.sort(), [...statuses].sort());
  for (const { status } of Object.values(unreadableFaults))
    assert.ok(
      limits.some(([, , , , beyond]) => beyond!.startsWith(String(status))),
      `${status}`,
    );
});

test('docs/reference/http.md lists every reason for which a request is turned away', () => {
  const row = tableOf(/^\| metric +\| labels/).find(([name]) => name === '`swapfold_http_refused_total`');
  assert.deepEqual(namesIn(row![2]!).sort(), [...overloadReasons, 'connections'].sort());
});
