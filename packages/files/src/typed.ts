import { SwapfoldError } from '@swapfold/core';
import { didYouMean, show } from '@swapfold/core/host';
import { sqlName } from './duck.ts';
import type { FieldKind, Fields } from './fields.ts';
import type { RowKind } from './row-kinds.ts';

/**
 * Columns of a converted file beside the fields: why a row is left out, what it holds, whether its time has no zone, and whether its index
 * was made.
 */
export const [LEFT_OUT, GIVEN, ZONELESS, MADE] = [
  'swapfold_left_out',
  'swapfold_given',
  'swapfold_zoneless',
  'swapfold_made',
] as const;

/** How a field is read from a column: its value, when the row is at fault, and what tells why. */
interface Cast {
  readonly value: string;
  readonly fault: string;
  readonly zoneless?: string;
}

const NUMBERS = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL\(.*\))$/;
const ZONED = 'TIMESTAMP WITH TIME ZONE';
const WRITTEN = String.raw`[1-9]\d{3}-\d{2}-\d{2}[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?( ?(Z|z|UTC)|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)?`;
const MISSING = String.raw`\s*(null)?\s*`;

const isFloat = (type: string): boolean => type === 'DOUBLE' || type === 'FLOAT';
/** Of numbers, so that no digit is lost on the way. */
const asDouble = (column: string, type: string): string =>
  type.startsWith('DECIMAL') ? `${column}::varchar::double` : `${column}::double`;
const seconds = (number: string): string =>
  `(case when ${number} < 1e11 or ${number} >= 1e17 then ${number} when ${number} < 1e14 then ${number} / 1e3 else ${number} / 1e6 end)`;

function numberCast(column: string, type: string): Cast {
  if (type === 'VARCHAR') {
    const number = `try_cast(${column} as double)`;
    return {
      value: `case when isfinite(${number}) then ${number} end`,
      fault: `(${column} is not null and not coalesce(isfinite(${number}) and not contains(${column}, '_'), regexp_full_match(${column}, '${MISSING}', 'i')))`,
    };
  }
  if (!NUMBERS.test(type)) return { value: 'null::double', fault: `${column} is not null` };
  const number = asDouble(column, type);
  if (!isFloat(type)) return { value: number, fault: 'false' };
  return {
    value: `case when isfinite(${number}) then ${number} end`,
    fault: `coalesce(not isfinite(${number}), false)`,
  };
}

function timeCast(column: string, type: string): Cast {
  if (type === 'VARCHAR') {
    const number = `try_cast(${column} as double)`;
    const text = `trim(${column})`;
    const zone = (part: number): string =>
      `try_cast(regexp_extract(substr(${text}, 20), '([+-])(\\d{2}):?(\\d{2})?$', ${part}) as double)`;
    const ahead = `coalesce(if(contains(substr(${text}, 20), '-'), -1, 1) * (${zone(2)} * 3600 + coalesce(${zone(3)}, 0) * 60), 0)`;
    const fraction = `coalesce(try_cast('0' || regexp_extract(${text}, '\\.\\d{1,6}') as double), 0)`;
    const written = `(epoch(try_cast(replace(substr(${text}, 1, 19), 't', 'T') as timestamp)) - ${ahead}) + ${fraction}`;
    const value = `case when isfinite(${number}) then ${seconds(number)} when regexp_full_match(${text}, '${WRITTEN}') then ${written} end`;
    return {
      value,
      fault: `(${column} is not null and (contains(${column}, '_') or (${value}) is null) and not regexp_full_match(${column}, '${MISSING}', 'i'))`,
      zoneless: `(${number} is null and regexp_full_match(${text}, '${WRITTEN}') and not regexp_matches(substr(${text}, 20), '(Z|z|UTC|[+-])'))`,
    };
  }
  if (type === 'TIMESTAMP_NS') {
    const beyond = `((epoch_ns(${column}) % 1000000000 + 1000000000) % 1000000000)`;
    return {
      value: `((epoch_ns(${column}) - ${beyond}) / 1e9 + floor(${beyond} / 1000) / 1e6)`,
      fault: 'false',
      zoneless: `${column} is not null`,
    };
  }
  if (type.startsWith('TIMESTAMP') || type === 'DATE')
    return {
      value: `(epoch_us(${column}) / 1e6)`,
      fault: 'false',
      ...(type === ZONED ? {} : { zoneless: `${column} is not null` }),
    };
  const { fault } = numberCast(column, type);
  return { value: NUMBERS.test(type) ? seconds(`(${asDouble(column, type)})`) : 'null::double', fault };
}

function textCast(column: string, type: string, o: { readonly isHex: boolean; readonly isLoose: boolean }): Cast {
  if (type === 'VARCHAR') {
    const hex = `case when starts_with(${column}, '\\x') and regexp_full_match(${column}, '\\\\x[0-9A-Fa-f]*') then '0x' || substr(${column}, 3) else ${column} end`;
    // What `refused` gives.
    const fault = o.isLoose ? `coalesce(starts_with(${column}, chr(1)), false)` : 'false';
    return { value: `nullif(${o.isHex ? hex : column}, '')`, fault };
  }
  if (type === 'BLOB' && !o.isHex) {
    const text = `try(decode(${column}))`;
    return { value: `nullif(${text}, '')`, fault: `(${column} is not null and ${text} is null)` };
  }
  if (type === 'BLOB')
    return {
      // Some writers do not say of their texts that they are such.
      value: `nullif(case when octet_length(${column}) <> 20 and length(${column}::varchar) = octet_length(${column}) then ${column}::varchar else '0x' || lower(hex(${column})) end, '')`,
      fault: 'false',
    };
  if (type.startsWith('ENUM') || type === 'UUID' || (o.isLoose && (NUMBERS.test(type) || type === 'BOOLEAN')))
    return { value: `nullif(${column}::varchar, '')`, fault: 'false' };
  return { value: 'null::varchar', fault: `${column} is not null` };
}

function booleanCast(column: string, type: string): Cast {
  const text = `lower(trim(${column}::varchar))`;
  return {
    value: `case when ${text} in ('true', '1', '1.0') then 1 when ${text} in ('false', '0', '0.0') then 0 end::double`,
    fault:
      type === 'BOOLEAN'
        ? 'false'
        : `(${column} is not null and ${text} not in ('true', '1', '1.0', 'false', '0', '0.0', ''))`,
  };
}

/** A list as a text. */
function listCast(column: string, type: string): Cast {
  if (type !== 'VARCHAR[]') return textCast(column, type, { isHex: false, isLoose: false });
  const isShort = `coalesce(list_count(${column}) < len(${column}), false)`;
  // As `ITEM` is in `fields.ts`.
  return { value: `nullif(array_to_string([chr(31) || item for item in ${column}], ''), '')`, fault: isShort };
}

function castOf(name: string, kind: FieldKind, type: string, isLoose: boolean): Cast {
  const column = sqlName(name);
  switch (kind) {
    case 'instant':
      return timeCast(column, type);
    case 'time': {
      const cast = timeCast(column, type);
      return { ...cast, value: `floor(${cast.value})` };
    }
    case 'number':
      return numberCast(column, type);
    case 'boolean':
      return booleanCast(column, type);
    case 'list':
      return listCast(column, type);
    case 'text':
    case 'hex':
      return textCast(column, type, { isHex: kind === 'hex', isLoose });
  }
}

/** What a SELECT of rows gives. */
export interface Given {
  /** What the rows are to hold. */
  readonly fields: Fields;
  /** The SELECT, from `input`. */
  readonly select: string;
  /** Its columns, and DuckDB's type of each. */
  readonly types: ReadonlyMap<string, string>;
  /** Whether the columns are Swapfold's own: a row needs a hash then, unless `rowIds` makes one, and a number is no text. */
  readonly isOwn: boolean;
  readonly rowIds: boolean;
  readonly kind: RowKind;
  /** Fields that are not taken, whatever the file says of them. */
  readonly without: ReadonlySet<string>;
}

/** The fields that the SELECT gives, in its order. Errors: `invalid-input` for a column of no field, and for fields that are not there. */
export function fieldsOf({ types, fields, kind, without }: Given, where: string): string[] {
  const names = Object.keys(fields);
  const found = [...types.keys()].filter((name) => name !== 'passed');
  for (const name of found)
    if (!names.includes(name))
      throw new SwapfoldError(
        'invalid-input',
        `${where}: its column "${name}" is no field of a ${kind.noun}.${didYouMean(name, names)}`,
      );
  const passed = types.get('passed');
  if (passed !== undefined && !['VARCHAR', '"NULL"'].includes(passed))
    throw new SwapfoldError(
      'invalid-input',
      `${where}: its column "passed" must be a text, such as case when ... then 'why' end, not ${passed}.`,
    );
  const missing = names.filter((name) => fields[name]!.isNeeded && !types.has(name));
  if (missing.length > 0)
    throw new SwapfoldError(
      'invalid-input',
      `${where}: it gives no ${missing.map((name) => `"${name}"`).join(', ')}, which every ${kind.noun} needs. It gives: ${found.join(', ')}.`,
    );
  const isIndexMade = canMakeIndex({ types, kind }) && !types.has(kind.index);
  return [...found, ...(isIndexMade ? [kind.index] : [])].filter((name) => !without.has(name));
}

/** Whether rows with a hash and without an index get one, of what they hold. */
function canMakeIndex({ types, kind }: Pick<Given, 'types' | 'kind'>): boolean {
  return types.has('tx_hash') && kind.hashed.texts.length > 0;
}

/**
 * The index of a typed row with a hash, where it has none of its own: the hash of its wallet, tokens and amounts, so that the same swap gets
 * the same one from every file. Numbers count by their value, and addresses of `0x` in either case.
 *
 * It is made of the typed columns: made of what they are cast from, each statement takes twice as long to plan.
 */
function madeIndex({ texts, numbers }: RowKind['hashed']): string {
  const parts = [
    ...texts.map((name) => `lower_hex(${sqlName(name)})`),
    ...numbers.map((name) => `regexp_replace(${sqlName(name)}::varchar, '\\.0$', '')`),
  ];
  return `hash_index(concat_ws(chr(10), ${parts.join(', ')}))::double`;
}

/** The rows of a SELECT with each field in its type, and the columns that tell what is wrong with a row. */
export function typedSelect(given: Given, fields: readonly string[], input: string): string {
  const { types, isOwn } = given;
  const castsOf = (name: string): Cast =>
    types.has(name)
      ? castOf(name, given.fields[name]!.kind, types.get(name)!, !isOwn)
      : { value: 'null::double', fault: 'false' };
  const casts = fields.map((name) => [name, castsOf(name)] as const);
  const faults = casts.flatMap(([field, { fault }]) => (fault === 'false' ? [] : [`when ${fault} then '${field}'`]));
  if (isOwn && given.fields.tx_hash?.isNeeded) faults.push(`when coalesce("tx_hash"::varchar, '') = '' then 'tx_hash'`);
  const fault = faults.length === 0 ? 'null::varchar' : `case ${faults.join(' ')} end`;
  const written = fields
    .filter((field) => types.has(field))
    .map((field) => `when '${field}' then ${types.get(field) === 'BLOB' ? "'bytes'" : `${sqlName(field)}::varchar`}`);
  const zoneless = casts.flatMap(([, cast]) => cast.zoneless ?? []).join(' or ') || 'false';
  const passed = types.has('passed') ? 'passed' : 'null::varchar';
  const source = input === 'from input' ? '' : `input as (${input}), `;
  const typed = `select ${casts.map(([field, { value }]) => `${value} as ${sqlName(field)}`).join(', ')},
coalesce('passed ' || ${passed}, 'fault ' || swapfold_fault) as ${LEFT_OUT},
left(case swapfold_fault ${written.join(' ')} end, 300) as ${GIVEN}, ${zoneless} as ${ZONELESS} from checked`;
  const { index, hashed } = given.kind;
  const isMade = canMakeIndex(given) ? `${sqlName(index)} is null and tx_hash is not null` : undefined;
  const replaced =
    isMade === undefined
      ? ''
      : ` replace (case when ${isMade} then ${madeIndex(hashed)} else ${sqlName(index)} end as ${sqlName(index)})`;
  return `with ${source}given as (${given.select}), checked as (select *, ${fault} as swapfold_fault from given)
select *${replaced}, ${isMade ?? 'false'} as ${MADE} from (${typed})`;
}

/** Why a row is rejected whose field holds this: the text of the value, and DuckDB's type of it. */
export function reasonOf(kind: FieldKind, given: string | null, type: string): string {
  if (given === null) return 'is missing';
  if (given.startsWith('\u0001')) return given.slice(1);
  if ((kind === 'instant' || kind === 'time') && type === 'VARCHAR' && !isNumber(given)) {
    const hint = /^\s*\d{1,2}[./]\d{1,2}[./]\d{4}/.test(given)
      ? `; read such times with the option sql: try_strptime(COLUMN, '%d.%m.%Y %H:%M:%S')`
      : '';
    return `is no time: give Unix seconds, milliseconds or microseconds, "2024-01-05 00:00:00" in UTC, or RFC 3339 such as "2024-01-05T00:00:00Z", not ${show(given)}${hint}`;
  }
  if (kind === 'boolean') return `must be true or false, not ${show(given)}`;
  if (kind === 'list') return `must be a list of texts, not ${given}`;
  if (kind === 'text' || kind === 'hex') return `must be a text, not ${given}`;
  if (type === 'VARCHAR') {
    if (isNumber(given)) return `is out of the range of numbers: ${show(given)}`;
    const hint = /^\s*[+-]?[\d.]*\d,\d+\s*$/.test(given)
      ? `; if these are decimal commas, use the option sql: replace(COLUMN, ',', '.')`
      : '';
    return `is not a number: ${show(given)}${hint}`;
  }
  if (!isFloat(type)) return `must be a number, not ${given}`;
  return given.toLowerCase() === 'nan'
    ? 'is not a number: NaN'
    : `is out of the range of numbers: ${given.replace('inf', 'Infinity')}`;
}

function isNumber(text: string): boolean {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text);
}
