/** What answers may be compressed by, the preferred one first: brotli at quality 1 takes half the time of gzip. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** What an `Accept-Encoding` header asks for (RFC 9110, 12.5.3). */
export interface Accepted {
  /** The encoding to use; `undefined` for none. */
  readonly encoding: Encoding | undefined;
  /** Whether the answer as it is will not do. */
  readonly refusesIdentity: boolean;
}

const anything: Accepted = { encoding: undefined, refusesIdentity: false };

/** Reads an `Accept-Encoding` header. Without one, and if it accepts nothing that there is, answers are sent as they are. */
export function readAcceptEncoding(header: string | undefined): Accepted {
  if (header === undefined) return anything;
  const weights = new Map(header.split(',').map(weighted));
  const others = weights.get('*');
  const weightOf = (name: string): number => weights.get(name) ?? others ?? 0;
  let encoding: Encoding | undefined;
  // An answer as it is is the last resort, unless the caller gives it a weight.
  let best = weights.get('identity') ?? 0;
  for (const name of encodings) {
    const weight = weightOf(name);
    if (weight === 0 || weight < best || (encoding !== undefined && weight === best)) continue;
    encoding = name;
    best = weight;
  }
  return { encoding, refusesIdentity: (weights.get('identity') ?? others) === 0 };
}

/** `gzip;q=0.5` -> `['gzip', 0.5]`. A weight that is none refuses its encoding. */
function weighted(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (weight === undefined) return [name, 1];
  return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
}
