export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads one column of records: the key of that name, or else the keys between the dots. */
export function columnReader(name: string): (record: JsonRecord) => unknown {
  const keys = name.split('.');
  return (record) => {
    if (Object.hasOwn(record, name)) return record[name];
    let held: unknown = record;
    for (const key of keys) {
      if (!isRecord(held) || !Object.hasOwn(held, key)) return undefined;
      held = held[key];
    }
    return held;
  };
}

/** The lines of a text that hold something. */
export function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(10, at);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(at, end);
    if (!line.every((byte) => byte === 32 || byte === 9 || byte === 13)) yield line;
    at = end + 1;
  }
}
