/**
 * Where the records of a JSON document are: keys that lead to an array, and keys within each of its items. `data[].attributes`: the values
 * of "attributes" of the items of "data"; `[]`: the items of the document, which is an array itself.
 */
export interface RecordPath {
  readonly array: readonly string[];
  readonly inner: readonly string[];
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Reads a path such as `data[].attributes`; `undefined` if it is none. */
export function parseRecordPath(text: string): RecordPath | undefined {
  const [before, after, ...more] = text.split('[]');
  if (before === undefined || after === undefined || more.length > 0) return undefined;
  if (after !== '' && !after.startsWith('.')) return undefined;
  const path = { array: before === '' ? [] : before.split('.'), inner: after === '' ? [] : after.slice(1).split('.') };
  return [...path.array, ...path.inner].includes('') ? undefined : path;
}

/** The records that the value of a line holds at one of the paths; the value itself if it has no array there. */
export function recordsIn(value: unknown, paths: readonly RecordPath[]): readonly unknown[] {
  for (const { array } of paths) {
    const items = valueAt(value, array);
    if (Array.isArray(items)) return items.map((item) => innerRecord(item, array, paths));
  }
  return [value];
}

/** What an item of the array at `array` holds at the inner keys of the first path that fits. */
export function innerRecord(item: unknown, array: readonly string[], paths: readonly RecordPath[]): unknown {
  for (const path of paths) {
    if (path.array.join('.') !== array.join('.')) continue;
    const inner = valueAt(item, path.inner);
    if (isRecord(inner)) return inner;
  }
  return item;
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names of a record's values, those of nested objects with dots: `token0.symbol`. */
export function columnsOf(record: JsonRecord, before = ''): string[] {
  return Object.entries(record).flatMap(([key, value]) =>
    isRecord(value) ? columnsOf(value, `${before}${key}.`) : [`${before}${key}`],
  );
}

/** Reads one column of records: the key of that name, or else the keys between the dots. */
export function columnReader(name: string): (record: JsonRecord) => unknown {
  const keys = name.split('.');
  return (record) => {
    if (Object.hasOwn(record, name)) return record[name];
    return keys.length === 1 ? undefined : valueAt(record, keys);
  };
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  let held = value;
  for (const key of keys) {
    if (!isRecord(held) || !Object.hasOwn(held, key)) return undefined;
    held = held[key];
  }
  return held;
}
