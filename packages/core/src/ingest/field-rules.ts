import * as v from 'valibot';
import {
  type AddressFormat,
  IDENTIFIER,
  IDENTIFIER_LENGTH,
  normalAddress,
  normalIdentifier,
} from '../addresses/address.ts';
import { type TokenNames, tokenAddress } from '../addresses/token-address.ts';
import { MAX_QUANTITY } from '../ledger/value.ts';
import { MAX_SWAP_INDEX } from '../records/chain-order.ts';
import type { RowField, RowFields, RowFieldType } from '../records/fields.ts';
import { described } from '../response.ts';
import { formatTime, MAX_TIME } from '../time.ts';
import { ROWS_PER_CHECK, type Yielder } from '../yielder.ts';
import type { TextColumn } from './columns.ts';

export const HASH_LENGTH = 256;
const NAME_LENGTH = 256;
// No engine stores and gives back NUL and lone surrogates unchanged.
export const unstorable = /[\0\p{Cs}]/u;

/** No text, or an empty one. */
const MISSING = -2;

/** A text that the check does not take. */
export const REFUSED = -3;

const UNSEEN = -4;

/** The numbers that a field takes: from `least` to `most`. */
export interface NumberRule {
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
  /** Follows "must be". */
  readonly wanted: string;
  /** What a refused value may have been meant as. */
  readonly hint?: (value: number) => string;
}

const numberRules = {
  index: { least: 0, most: MAX_SWAP_INDEX, isWhole: true, wanted: `a whole number from 0 to ${MAX_SWAP_INDEX}` },
  time: { least: 0, most: MAX_TIME, isWhole: false, wanted: `Unix seconds from 0 to ${MAX_TIME}`, hint: timeHint },
  whole: {
    least: 0,
    most: Number.MAX_SAFE_INTEGER,
    isWhole: true,
    wanted: `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
  },
  quantity: {
    least: 0,
    most: MAX_QUANTITY,
    isWhole: false,
    wanted: `a number that is at most ${MAX_QUANTITY}, finite and not negative`,
  },
  flag: { least: 0, most: 1, isWhole: true, wanted: 'true or false' },
} as const satisfies Readonly<Record<string, NumberRule>>;

/** 2009-01-03, the day of the first block of any chain, Unix seconds. */
const FIRST_BLOCK = 1_230_940_800;

/** The time of a swap on a chain. */
const chainTime: NumberRule = {
  ...numberRules.time,
  least: FIRST_BLOCK,
  wanted: `Unix seconds from ${FIRST_BLOCK} (2009-01-03, before which there was no chain) to ${MAX_TIME}`,
  hint: (value) => (value < FIRST_BLOCK ? earlyHint(value) : timeHint(value)),
};

/** What a number field takes where addresses have a format. */
export function numberRuleOf(type: keyof typeof numberRules, format: AddressFormat): NumberRule {
  return type === 'time' && (format === 'evm' || format === 'solana') ? chainTime : numberRules[type];
}

/** A row as callers write it, for descriptions of what is sent: a batch is checked by its columns. */
export function rowSchema<Row, Name extends string>(
  { names, field }: RowFields<Name>,
  format: AddressFormat,
): v.GenericSchema<Row, unknown> {
  const entries = names.map((name) => {
    const { type, isRequired, meaning } = field(name);
    const value = valueSchema(type, format);
    return [name, described(isRequired ? value : v.nullish(value), meaning)] as const;
  });
  return v.object(Object.fromEntries(entries)) as v.GenericSchema as v.GenericSchema<Row, unknown>;
}

function valueSchema(type: RowFieldType, format: AddressFormat): v.GenericSchema {
  switch (type) {
    case 'address':
      return v.string();
    case 'name':
      return v.pipe(v.string(), v.maxLength(NAME_LENGTH));
    case 'flag':
      return v.boolean();
    case 'hash':
      return v.pipe(v.string(), v.minLength(1), v.maxLength(HASH_LENGTH));
    case 'identifier':
      return v.pipe(v.string(), v.minLength(1), v.maxLength(IDENTIFIER_LENGTH));
    default: {
      const { least, most, isWhole } = numberRuleOf(type, format);
      const number = isWhole ? v.pipe(v.number(), v.integer()) : v.number();
      return v.pipe(number, v.minValue(least), v.maxValue(most));
    }
  }
}

export type TextKind = 'address' | 'token' | 'name' | 'identifier';

/** What a field of text holds that has an id; a hash has none. */
export function textKindOf({ type, isToken }: RowField): TextKind | undefined {
  if (type === 'address') return isToken ? 'token' : type;
  return type === 'name' || type === 'identifier' ? type : undefined;
}

/** The distinct texts of a batch by id: each is checked once for each kind of field that holds it. */
export class LocalTexts {
  readonly texts: string[] = [];
  readonly uses: Readonly<Record<TextKind, TextUse>>;
  readonly #ids = new Map<string, number>();

  constructor(names: TokenNames) {
    const format = names.address_format;
    const noAddress = (shown: string): string => `is not an address of format "${format}": ${shown}`;
    this.uses = {
      address: this.#use((text) => normalAddress(text, format), noAddress),
      token: this.#use(tokenAddress(names), noAddress),
      name: this.#use(
        (text) => (text.length > NAME_LENGTH || unstorable.test(text) ? undefined : text),
        (shown) => `must be a text of at most ${NAME_LENGTH} characters without NUL and lone surrogates, not ${shown}`,
      ),
      identifier: this.#use(
        (text) => normalIdentifier(text, format),
        (shown) => `must be a text of ${IDENTIFIER}, not ${shown}`,
      ),
    };
  }

  /** Ids for one kind: `check` gives the text as it is stored, `undefined` if it is refused; `messageOf` says why. */
  #use(check: (text: string) => string | undefined, messageOf: (shown: string) => string): TextUse {
    const idOf = (text: string): number => {
      const normal = check(text);
      if (normal === undefined) return REFUSED;
      let id = this.#ids.get(normal);
      if (id === undefined) {
        id = this.texts.push(normal) - 1;
        this.#ids.set(normal, id);
      }
      return id;
    };
    return new TextUse(idOf, messageOf);
  }
}

/** Ids of the texts of columns, under one check. */
export class TextUse {
  readonly #known = new Map<string, number>();
  readonly #idOf: (text: string) => number;
  /** Why a text, as messages show it, is refused. */
  readonly messageOf: (shown: string) => string;

  constructor(idOf: (text: string) => number, messageOf: (shown: string) => string) {
    this.#idOf = idOf;
    this.messageOf = messageOf;
  }

  /** The id of each row's text, `MISSING` or `REFUSED`. Entries of a dictionary that no row uses are not checked. */
  async ids(column: TextColumn | undefined, rows: number, pause: Yielder): Promise<Int32Array> {
    const ids = new Int32Array(rows);
    if (column === undefined) return ids.fill(MISSING);
    const idAt = this.#idsOf(column);
    for (let row = 0; row < rows; row++) {
      if (row % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
      ids[row] = idAt(row);
    }
    return ids;
  }

  /** The id of each text, `MISSING` or `REFUSED`. */
  idsOfAll(texts: readonly string[]): Int32Array {
    return Int32Array.from(texts, (text) => this.#id(text));
  }

  #idsOf(column: TextColumn): (row: number) => number {
    if (!('ids' in column)) return (row) => this.#id(column[row]);
    const { dictionary, ids: places } = column;
    const idOfPlace = new Int32Array(dictionary.length).fill(UNSEEN);
    return (row) => {
      const place = places[row]!;
      let id = place < 0 || place >= dictionary.length ? MISSING : idOfPlace[place]!;
      if (id === UNSEEN) idOfPlace[place] = id = this.#id(dictionary[place]);
      return id;
    };
  }

  #id(text: string | null | undefined): number {
    if (text === null || text === undefined || text === '') return MISSING;
    let id = this.#known.get(text);
    if (id === undefined) {
      id = this.#idOf(text);
      this.#known.set(text, id);
    }
    return id;
  }
}

/** Reads text number `row` of a column, `null` if it is missing. */
export function textAt(column: TextColumn, row: number): string | null {
  if (!('ids' in column)) return column[row] ?? null;
  return column.dictionary[column.ids[row]!] ?? null;
}

const DAY = 86_400;
/** The serial day of 1970-01-01 in spreadsheets, and those between which a time may be one: the years 1954 to 2118. */
const [SERIAL_1970, LEAST_SERIAL, MOST_SERIAL] = [25_569, 20_000, 80_000];

/** What to make of a time before all chains. */
function earlyHint(value: number): string {
  if (value >= LEAST_SERIAL && value < MOST_SERIAL) {
    const day = formatTime(Math.round((value - SERIAL_1970) * DAY));
    return `; if it is a serial day of a spreadsheet, which would be ${day}, export times as text or Unix seconds`;
  }
  return value > 0 && Math.floor(value) === value
    ? '; if it is the number of a block or slot, give the time of the block'
    : '';
}

/** What to make of a time that is refused: it may be in another unit. */
function timeHint(value: number): string {
  const unit = (
    [
      ['milliseconds', 1e3],
      ['microseconds', 1e6],
      ['nanoseconds', 1e9],
    ] as const
  ).find(([, perSecond]) => value > MAX_TIME && value / perSecond <= MAX_TIME);
  return unit === undefined ? '' : `; if these are ${unit[0]}, divide by ${unit[1].toLocaleString('en-US')}`;
}
