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
