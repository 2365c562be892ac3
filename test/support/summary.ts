import { basename, relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** What a screen holds: failures, the lines of each, and the slowest files. */
const [FAILURES, LINES, SLOWEST] = [6, 7, 10];

interface Failed {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/**
 * A reporter of `node --test`: the failures, the files whose tests took longest, and last a line of counts. `SWAPFOLD_TEST_LOG` names
 * the file that has the rest.
 */
export default async function* summary(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: Failed[] = [];
  const seconds = new Map<string, number>();
  const begun = performance.now();
  /** What each file wrote to standard error last: the reason if its process ended. */
  const said = new Map<string, string>();
  for await (const { type, data } of events) {
    if (type === 'test:stderr') {
      const file = sourceOf(data.file);
      said.set(file, ((said.get(file) ?? '') + data.message).slice(-2000));
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const file = sourceOf(data.file ?? data.name);
    if (data.nesting === 0) seconds.set(file, (seconds.get(file) ?? 0) + data.details.duration_ms / 1000);
    const isSuite = data.details.type === 'suite';
    if (type === 'test:fail') {
      const { error } = data.details;
      // What holds failed subtests says no more than they do. A test of that kind counts all the same, as in Node's own counts.
      const isOuter = 'failureType' in error && error.failureType === 'subtestsFailed';
      if (!isOuter) {
        const name = sourceOf(data.name);
        failures.push({ file, name, text: textOf(error) + (name === file ? `\n${said.get(file) ?? ''}` : '') });
      }
      if (!isOuter || !isSuite) counts.failed++;
    } else if (data.skip !== undefined) counts.skipped++;
    else if (!isSuite) counts.passed++;
  }
  for (const { file, name, text } of failures.slice(0, FAILURES)) yield `\n✖ ${name}\n  ${file}\n${text}\n`;
  if (failures.length > FAILURES) yield `\n${failures.length - FAILURES} further failures\n`;
  const slowest = [...seconds].sort((a, b) => b[1] - a[1]).slice(0, SLOWEST);
  yield `\nSeconds of the slowest files: ${slowest.map(([file, took]) => `${basename(file, '.test.ts')} ${took.toFixed(1)}`).join(', ')}\n`;
  yield `Everything: ${process.env.SWAPFOLD_TEST_LOG}\n`;
  const took = ((performance.now() - begun) / 1000).toFixed(0);
  yield `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${took} s\n`;
}

/** The source of a test file by its module of the bundle: `test.bench.test.js` is `test/bench.test.ts`. Another text stays. */
function sourceOf(path: string): string {
  const name = basename(path);
  if (name.endsWith('.test.js')) return `${name.slice(0, -'.test.js'.length).replaceAll('.', '/')}.test.ts`;
  return path.endsWith('.test.ts') ? relative(process.cwd(), path) : path;
}

/** The first lines of an error, without those of Node itself. */
function textOf(error: Error): string {
  const cause = error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : error.message;
  const lines = cause.split('\n').filter((line) => !/^\s+at .*\bnode:/.test(line));
  return lines
    .slice(0, LINES)
    .map((line) => `    ${line}`)
    .join('\n');
}
