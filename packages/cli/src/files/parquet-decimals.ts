import { type FileMetaData, parquetSchema, type SchemaElement } from 'hyparquet';

/**
 * The metadata with decimals as the whole numbers that are stored, and their scales by column: hyparquet multiplies by a power of ten that no
 * double is, so that 0.3 would become 0.30000000000000004.
 */
export function storedColumns(metadata: FileMetaData): { metadata: FileMetaData; scales: ReadonlyMap<string, number> } {
  const scales = new Map<string, number>();
  const top = new Set(parquetSchema(metadata).children.map(({ element }) => element));
  const schema = metadata.schema.map((element) => {
    if (!top.has(element) || !isDecimal(element)) return element;
    scales.set(element.name, element.scale ?? 0);
    const { converted_type, logical_type, ...stored } = element;
    return stored;
  });
  return scales.size === 0 ? { metadata, scales } : { metadata: { ...metadata, schema }, scales };
}

export function isDecimal({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'DECIMAL' || logical?.type === 'DECIMAL';
}

/** The digits of a stored decimal, as databases write them: `1.10` of 110 with scale 2. */
export function decimalText(stored: unknown, scale: number): string {
  const whole = stored instanceof Uint8Array ? signed(stored) : BigInt(stored as number | bigint);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return whole < 0n ? `-${text}` : text;
}

/** The number that bytes hold, the most significant first. */
function signed(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}
