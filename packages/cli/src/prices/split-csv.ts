const QUOTE = '"';

/**
 * The records of a CSV text: commas, tabs or semicolons, whichever the first line has most of; values may be in quotes.
 *
 * - Empty lines are no records. Spaces around a value are not part of it.
 */
export function* splitCsv(text: string): Generator<readonly string[]> {
  const separator = separatorOf(text.slice(0, lineEnd(text, 0)));
  for (let at = 0; at < text.length; ) {
    const end = recordEnd(text, at);
    const line = text.slice(at, end).replace(/\r$/, '');
    at = end + 1;
    if (line.trim() !== '') yield line.includes(QUOTE) ? quoted(line, separator) : line.split(separator).map(trimmed);
  }
}

const trimmed = (value: string): string => value.trim();

function separatorOf(line: string): string {
  const count = (separator: string): number => line.split(separator).length;
  return [',', '\t', ';'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The end of the line on which no quote is open. */
function recordEnd(text: string, from: number): number {
  let isOpen = false;
  for (let at = from; ; ) {
    const end = lineEnd(text, at);
    // Of the line alone: without a quote, a search in the text would go to its end, line by line.
    if (text.slice(at, end).split(QUOTE).length % 2 === 0) isOpen = !isOpen;
    if (!isOpen || end === text.length) return end;
    at = end + 1;
  }
}

function quoted(line: string, separator: string): string[] {
  const values: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const match = / *"((?:[^"]|"")*)" */y;
    match.lastIndex = at;
    const found = match.exec(line);
    const isWhole = found !== null && (match.lastIndex === line.length || line[match.lastIndex] === separator);
    const next = isWhole ? match.lastIndex : line.indexOf(separator, at);
    const end = next < 0 ? line.length : next;
    values.push(isWhole ? found[1]!.replaceAll('""', QUOTE) : line.slice(at, end).trim());
    at = end + 1;
  }
  return values;
}
