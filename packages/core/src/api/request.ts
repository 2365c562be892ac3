import * as v from 'valibot';
import { type AddressFormat, addressFault, IDENTIFIER, normalAddress, normalIdentifier } from '../addresses/address.ts';
import { type TokenNames, tokenAddress } from '../addresses/token-address.ts';
import { profileWindows } from '../bag/windows.ts';
import { SwapfoldError } from '../errors.ts';
import { type Fault, faultError, MAX_FAULTS } from '../faults.ts';
import { noteUnknown, shortName } from '../filter/names.ts';
import { nearest, show } from '../nearest.ts';
import type { Section } from '../profiles/sections/section.ts';
import { sections } from '../profiles/sections/sections.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import { described } from '../response.ts';
import { DEFAULT_LIMIT } from '../search/plan.ts';
import { rfc3339Millis } from '../time.ts';

/** A request's address: checked against the chain's format, as it is stored. */
export function addressSchema(format: AddressFormat) {
  return storedText(
    (text) => normalAddress(text, format),
    (received) => addressFault('', received, format).message,
  );
}

/** As `addressSchema`, of a token: an alias is read as the address of its quote token. */
export function tokenAddressSchema(names: TokenNames) {
  return storedText(tokenAddress(names), (received) => addressFault('', received, names.address_format).message);
}

/** A request's identifier, such as the address of a pool, as it is stored. */
export function identifierSchema(format: AddressFormat) {
  return storedText(
    (text) => normalIdentifier(text, format),
    (received) => `expected ${IDENTIFIER}, received ${show(received)}`,
  );
}

/** A text as `normalOf` gives it, which gives `undefined` for a wrong one. */
function storedText(normalOf: (text: string) => string | undefined, messageOf: (received: unknown) => string) {
  return v.pipe(
    v.string((issue) => messageOf(issue.input)),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const normal = normalOf(dataset.value);
      if (normal !== undefined) return normal;
      addIssue({ message: messageOf(dataset.value) });
      return NEVER;
    }),
  );
}

/** A list of 1 to `most` addresses. */
export function addressesSchema(format: AddressFormat, most: number): v.GenericSchema<readonly string[], string[]> {
  return withInput(listOf(addressSchema(format), { most, what: `1 to ${most} addresses` }));
}

/** As `addressesSchema`, of tokens. */
export function tokenAddressesSchema(names: TokenNames, most: number): v.GenericSchema<readonly string[], string[]> {
  return withInput(listOf(tokenAddressSchema(names), { most, what: `1 to ${most} addresses` }));
}

/** As `addressesSchema`, of identifiers. */
export function identifiersSchema(format: AddressFormat, most: number): v.GenericSchema<readonly string[], string[]> {
  return withInput(listOf(identifierSchema(format), { most, what: `1 to ${most} identifiers` }));
}

/** A list of 1 to `most` positions. */
export function positionsSchema(
  entries: { readonly wallet: v.GenericSchema<string>; readonly token: v.GenericSchema<string> },
  most: number,
): v.GenericSchema<readonly { readonly wallet: string; readonly token: string }[]> {
  return withInput(listOf(requestObject(entries), { most, what: `1 to ${most} positions` }));
}

/** A list whose length is checked before its items: one that is far too long costs no more than its length. */
function listOf<const S extends v.GenericSchema>(
  item: S,
  { least = 1, most, what }: { least?: number; most: number; what: string },
) {
  return v.pipe(
    v.array(v.unknown(), expecting(`an array of ${what}`)),
    v.minLength(least, `expected ${what}, received none`),
    v.maxLength(most, (issue) => `expected ${what}, received ${issue.input.length}`),
    arrayOf(item),
  );
}

/** As `v.array`, up to the sixteenth fault: to describe the faults of a thousand items takes ten times as long as to read them. */
function arrayOf<const S extends v.GenericSchema>(item: S): v.ArraySchema<S, undefined> {
  const schema = v.array(item);
  return {
    ...schema,
    '~run'(dataset, config) {
      const input = dataset.value as readonly unknown[];
      const issues: v.BaseIssue<unknown>[] = [];
      const value: unknown[] = [];
      for (let key = 0; key < input.length && issues.length < MAX_FAULTS; key++) {
        const read = item['~run']({ value: input[key] }, config);
        value.push(read.value);
        for (const { path = [], ...issue } of read.issues ?? [])
          issues.push({
            ...issue,
            path: [{ type: 'array', origin: 'value', input, key, value: input[key] }, ...path],
          } as v.BaseIssue<unknown>);
      }
      return { typed: issues.length === 0, value, ...(issues.length === 0 ? {} : { issues }) } as ReturnType<
        (typeof schema)['~run']
      >;
    },
  };
}

/** The message of a value of the wrong type: what would do, and what came. */
function expecting(what: string): (issue: v.BaseIssue<unknown>) => string {
  return (issue) => `expected ${what}, received ${show(issue.input)}`;
}

export const integer = (least: number, most: number) =>
  v.pipe(
    v.number(expecting(`a whole number from ${least} to ${most}`)),
    v.metadata({ type: 'integer', minimum: least, maximum: most }),
    v.check(
      (value) => Number.isInteger(value) && value >= least && value <= most,
      expecting(`a whole number from ${least} to ${most}`),
    ),
  );

/** A number within bounds, fractions allowed. */
export const numberBetween = (least: number, most: number) => {
  const message = expecting(`a number from ${least} to ${most}`);
  return v.pipe(
    v.number(message),
    v.metadata({ minimum: least, maximum: most }),
    v.check((value) => value >= least && value <= most, message),
  );
};

/** A list of at most `most` seconds; of none as well. */
export function secondsSchema(greatest: number, most: number): v.GenericSchema<readonly number[], number[]> {
  return withInput(listOf(integer(0, greatest), { least: 0, most, what: `at most ${most} numbers of seconds` }));
}

export const MAX_LIMIT = 100;
export const MAX_INTERVAL = 2_592_000;
export const MAX_CANDLES = 5000;

export const pageEntries = {
  limit: v.optional(described(integer(1, MAX_LIMIT), 'Items of a page.', 50), DEFAULT_LIMIT),
  cursor: v.optional(
    described(
      v.pipe(v.string(), v.maxLength(8192, 'is longer than any that a response gives')),
      'The `cursor` of the page before, sent with the body that gave it: where this page starts.',
      'a-cursor-of-a-response',
    ),
  ),
};

const TIME = 'an RFC 3339 time such as "2024-01-05T00:00:00Z"';

/** An RFC 3339 time as Unix seconds, fractions kept. In the process a `Date` is one: it is turned into text before. */
export const timeSchema: v.GenericSchema<string | Date, number> = withInput(
  v.pipe(
    v.string(expecting(TIME)),
    v.metadata({ format: 'date-time' }),
    v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
      const millis = rfc3339Millis(dataset.value);
      if (millis !== undefined) return millis / 1000;
      addIssue({ message: `expected ${TIME}, received ${show(dataset.value)}` });
      return NEVER;
    }),
  ),
);

export const intervalSchema = described(integer(1, MAX_INTERVAL), 'Seconds.', 3600);
export const candleCountSchema = described(
  integer(1, MAX_CANDLES),
  'Candles: the latest ones before `to`. Not with `from`.',
  24,
);

/** `isStream`: of profiles that are sent when they are stored, which lack what is computed on request. */
export function optionsSchema(kind: ProfileKind, { isStream = false } = {}) {
  // In the order of the interface: objects of fields, labels, metrics.
  const all = (sections[kind] as readonly Section[]).filter((section) => !(isStream && section.isAskedOnly));
  const isObject = (section: Section): boolean => 'members' in section;
  const inOrder = [...all.filter(isObject), ...all.filter((section) => !isObject(section))];
  const entries = inOrder.flatMap((section) => {
    const { key, option } = section;
    if (option === undefined) return [];
    return [[`include_${key}`, option === 'flag' ? flagSchema(section) : windowsSchema(key, profileWindows[kind])]];
  });
  const lacking = all.flatMap(({ key, isOnRequest, isAskedOnly }) => {
    if (isOnRequest) return [`\`${key}\``];
    return isAskedOnly ? ['the launch'] : [];
  });
  const but = lacking.length === 0 ? '' : ` but ${lacking.join(' and ')}`;
  return described(
    requestObject<Record<string, v.GenericSchema>>(Object.fromEntries(entries)),
    `The sections to return, and no others. Without options: all of them${but}${kind === 'positions' ? ', with the metrics that are stored' : ''}.`,
    { include_metadata: true, include_metrics: ['7d'] },
  );
}

function flagSchema({ key, beside, returns }: Section) {
  const returned =
    returns ?? [key, ...(beside === undefined ? [] : [beside.key])].map((name) => `\`${name}\``).join(' and ');
  return v.optional(described(v.boolean(), `Return ${returned}.`, true), false);
}

function windowsSchema(key: string, windows: readonly string[]) {
  const window = v.picklist(windows, expecting(`one of ${windows.join(', ')}`));
  const what = `at most ${windows.length} of ${windows.join(', ')}`;
  const list = listOf(window, { least: 0, most: windows.length, what });
  return v.optional(described(list, `Return \`${key}\` of these windows.`, ['7d', '1d']), []);
}

/** A list of some of these names; an unknown one names the nearest. */
export function namesSchema<Name extends string>(names: readonly Name[]): v.GenericSchema<readonly Name[]> {
  const name = v.picklist(names, (issue) => {
    const received = issue.input;
    const near = typeof received === 'string' ? nearest(received, names) : undefined;
    return `expected one of ${names.join(', ')}, received ${show(received)}${near === undefined ? '' : `; perhaps ${show(near)}`}`;
  });
  return withInput(listOf(name, { most: names.length, what: `1 to ${names.length} of ${names.join(', ')}` }));
}

/** A schema of a request body: what a caller writes (`Input`), and what its operation reads. */
export type RequestSchema<T, Input = unknown> = v.GenericSchema<Input, T>;

export interface ReadRequest<T> {
  /** The request; without the fields at fault, if there are faults. */
  readonly request: Partial<T>;
  readonly faults: readonly Fault[];
}

/**
 * A request body as its schema gives it; an absent one is `{}`. Each fault says what was expected and what was received; those of unknown
 * keys name the nearest known one.
 *
 * - Errors: `invalid-request` for a body that is no object.
 */
export function readRequest<T>(schema: RequestSchema<T>, body: unknown = {}): ReadRequest<T> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new SwapfoldError('invalid-request', `The request body must be a JSON object, not ${show(body)}.`, {
      details: [{ path: '', message: `expected an object, received ${show(body)}` }],
    });
  }
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return { request: parsed.output as Partial<T>, faults: [] };
  const atFault = new Set(parsed.issues.map((issue) => issue.path?.[0]?.key));
  const right = Object.entries(Object(parsed.output)).filter(([key]) => !atFault.has(key));
  return {
    request: Object.fromEntries(right) as Partial<T>,
    faults: parsed.issues.slice(0, MAX_FAULTS).flatMap(faultsOf),
  };
}

/** A request body that fits its schema. Errors: `invalid-request`, which lists every fault. */
export function parseRequest<T>(schema: RequestSchema<T>, body: unknown): T {
  const { request, faults } = readRequest(schema, body);
  if (faults.length > 0) throw faultError(faults);
  return request as T;
}

function faultsOf(issue: v.BaseIssue<unknown>): readonly Fault[] {
  if (issue.type === 'strict_object' && issue.expected === 'never') return unknownKeys(issue);
  const path = (issue.path ?? []).map((item) => shortName(String(item.key))).join('.');
  const message = messageOf(issue);
  return [{ code: 'invalid-request', path, message, sentence: `"${path}": ${message}.` }];
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'strict_object' && issue.received === 'undefined') return 'is required';
  if (issue.message.startsWith('expected ') || issue.kind !== 'schema') return issue.message;
  return `expected ${issue.expected?.toLowerCase()}, received ${show(issue.input)}`;
}

/** Valibot names the first unknown key of an object; here are the others, too. */
function unknownKeys(issue: v.BaseIssue<unknown>): readonly Fault[] {
  const { path = [] } = issue;
  const parents = path.slice(0, -1).map((item) => String(item.key));
  const faults: Fault[] = [];
  noteUnknown(Object(path.at(-1)?.input), knownKeys(issue), parents.join('.'), faults);
  return faults;
}

/** The keys that the schema of an issue knows: valibot hands the schema's entries over with the issue's requirement only for some, so they ride on the schema's message. */
function knownKeys(issue: v.BaseIssue<unknown>): readonly string[] {
  return issue.message.startsWith('known:') ? issue.message.slice('known:'.length).split(',') : [];
}

/** An object with exactly these entries; an unknown key names the nearest one. */
export function requestObject<const E extends v.ObjectEntries>(
  entries: E,
): RequestSchema<v.InferOutput<v.StrictObjectSchema<E, string>>, v.InferInput<v.StrictObjectSchema<E, string>>> {
  const schema = v.pipe(
    // Valibot takes a list for an object.
    v.custom<object>(
      (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
      expecting('an object'),
    ),
    v.strictObject(entries, `known:${Object.keys(entries).join(',')}`),
  );
  return withInput(schema);
}

/** A schema with the type of what callers write: its own checks take anything. */
function withInput<Input, T>(schema: v.GenericSchema<unknown, T>): RequestSchema<T, Input> {
  return schema as RequestSchema<T, Input>;
}
