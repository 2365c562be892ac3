import { meantAddress } from '../addresses/address.ts';
import { type Fault, MAX_FAULTS } from '../faults.ts';
import { noteUnknown, quoted } from '../filter/names.ts';
import { filterLimits } from '../filter/operators.ts';
import type { FilterContext } from '../filter/reading.ts';
import { isPlainObject, isText, showOperand } from '../filter/reading.ts';
import { fold, foldedColumn, termsOf, wordLine, wordsColumn, wordsOf } from '../filter/words.ts';
import { nearestPath } from '../nearest.ts';
import { profileFields, queryFields } from '../profiles/sections/sections.ts';
import { columnOf, type ProfileKind } from '../records/profile-fields.ts';

export interface TextQuery {
  /** Words, and phrases of scripts without spaces, that must all match; none where the text is only punctuation. */
  readonly terms: readonly string[];
  readonly words: readonly string[];
  readonly line: string | null;
  /** The whole text, folded: what a text of only punctuation is matched by. */
  readonly folded: string;
  readonly fields: readonly string[];
  readonly autocomplete: boolean;
  readonly fuzzy: boolean;
}

const MAX_TEXT = 200;
const keys = ['text', 'fields', 'autocomplete', 'fuzzy'];

/** Reads a caller's `query`; `undefined` for one without a text that can be searched for. Faults are noted. */
export function parseQuery(
  query: unknown,
  { kind, addressFormat = 'any', aliases }: Pick<FilterContext, 'kind' | 'addressFormat' | 'aliases'>,
  faults: Fault[],
): TextQuery | undefined {
  if (!isPlainObject(query)) {
    const message = `"query" takes an object such as {"text": "bonk"}, not ${showOperand(query)}.`;
    faults.push({ code: 'invalid-request', path: 'query', message });
    return undefined;
  }
  noteUnknown(query, keys, 'query', faults);
  const given = parseText(query.text, faults);
  const options = {
    fields: columnsOf(kind, parseFields(query.fields, kind, faults)),
    autocomplete: parseFlag('autocomplete', query.autocomplete, faults),
    fuzzy: parseFlag('fuzzy', query.fuzzy, faults),
  };
  if (given === undefined) return undefined;
  // Of wallets an alias is an address as any other.
  const text = (kind === 'wallets' ? undefined : aliases?.get(meantAddress(given.trim(), addressFormat))) ?? given;
  const words = wordsOf(text);
  return { terms: termsOf(text), words, line: wordLine(words), folded: fold(text.trim()), ...options };
}

/** The columns that matching and ranking read. */
export function queryColumns(query: TextQuery): string[] {
  return query.fields.map(query.words.length === 0 ? foldedColumn : wordsColumn);
}

function parseText(text: unknown, faults: Fault[]): string | undefined {
  const isRight = isText(text) && text.trim() !== '' && text.length <= 2 * MAX_TEXT && [...text].length <= MAX_TEXT;
  if (isRight) return text;
  const wanted = `a text of 1 to ${MAX_TEXT} characters that is not blank (without NUL and lone surrogates)`;
  const fault = text === undefined ? `is required: ${wanted}` : `takes ${wanted}, not ${showOperand(text)}`;
  faults.push({ code: 'invalid-request', path: 'query.text', message: `"query.text" ${fault}.` });
  return undefined;
}

/** What the fields are read from: several may share a column. */
function columnsOf(kind: ProfileKind, paths: readonly string[]): readonly string[] {
  const fields = new Map(profileFields(kind, []).map((field) => [field.path, field]));
  return [...new Set(paths.flatMap((path) => fields.get(path) ?? []).map(columnOf))];
}

function parseFields(fields: unknown, kind: ProfileKind, faults: Fault[]): readonly string[] {
  const known: readonly string[] = queryFields[kind];
  if (fields === undefined) return known;
  if (!Array.isArray(fields) || fields.length === 0 || fields.length > filterLimits.items) {
    const message = `"query.fields" takes an array of one or more of ${known.join(', ')}, not ${showOperand(fields)}.`;
    faults.push({ code: 'invalid-request', path: 'query.fields', message });
    return known;
  }
  for (const [i, field] of fields.entries()) {
    if (known.includes(field)) continue;
    if (faults.length >= MAX_FAULTS) break;
    const path = `query.fields.${i}`;
    if (typeof field !== 'string') {
      const message = `"query.fields" takes field paths such as "${known[1]}", not ${showOperand(field)}.`;
      faults.push({ code: 'invalid-request', path, message });
      continue;
    }
    const near = nearestPath(field, known);
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    const message = `Unknown field ${quoted(field)} in query.fields.${hint} Text is searched in ${known.join(', ')}.`;
    faults.push({ code: 'unknown-field', path, message });
  }
  return fields as string[];
}

function parseFlag(name: string, value: unknown, faults: Fault[]): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined) return false;
  const message = `"query.${name}" takes true or false, not ${showOperand(value)}.`;
  faults.push({ code: 'invalid-request', path: `query.${name}`, message });
  return false;
}
