// @ts-check
/** @import { FieldEvent, Kind, Line as Condition, Lines, State } from '../../types/page.ts' */
import { html, useEffect, useState } from '../lib.js';
import { settings } from '../settings.js';
import { wordOf } from '../words.js';
import { Field } from './field.js';

/** @type {Readonly<Record<string, readonly string[]>>} */
const operators = {
  number: ['$gt', '$gte', '$lt', '$lte', '$eq', '$ne', '$exists'],
  date: ['$gt', '$gte', '$lt', '$lte', '$exists'],
  text: ['$eq', '$ne', '$contains', '$startsWith', '$in', '$exists'],
  labels: ['$eq', '$ne', '$in', '$exists'],
  boolean: ['$eq'],
};

/** @type {Readonly<Record<string, string>>} */
const words = {
  $gt: 'more than',
  $gte: 'at least',
  $lt: 'less than',
  $lte: 'at most',
  $eq: 'is',
  $ne: 'is not',
  $contains: 'contains',
  $startsWith: 'begins with',
  $in: 'is one of',
  $exists: 'is known',
};

/**
 * Reads a filter that the builder can show as lines: conditions that must all hold, or any of them. Others are edited as JSON.
 * @param {unknown} filter
 * @param {Kind['paths']} paths
 * @returns {Lines | undefined}
 */
export function linesOf(filter, paths) {
  if (!isObject(filter)) return undefined;
  const keys = Object.keys(filter);
  const group = keys.length === 1 ? keys.find((name) => name === '$and' || name === '$or') : undefined;
  const parts = group ? filter[group] : keys.map((path) => ({ [path]: filter[path] }));
  if (!Array.isArray(parts) || !parts.every(isObject)) return undefined;
  /** @type {Condition[]} */
  const lines = [];
  for (const part of parts) {
    const before = lines.length;
    for (const [path, condition] of Object.entries(part)) {
      if (path.startsWith('$')) return undefined;
      for (const [operator, operand] of Object.entries(isObject(condition) ? condition : { $eq: condition })) {
        if (!Object.hasOwn(words, operator)) return undefined;
        const text = Array.isArray(operand) ? operand.join(', ') : String(operand);
        if (!isSaid(operand, operandOf(paths[path], operator, text))) return undefined;
        lines.push({ path, operator, text });
      }
    }
    if (group === '$or' && lines.length !== before + 1) return undefined;
  }
  return { isAny: group === '$or', lines };
}

/**
 * @param {unknown} value
 * @returns {value is Readonly<Record<string, unknown>>}
 */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Whether what is read of a line is what the filter had: a date may be written in another way.
 * @param {unknown} operand
 * @param {unknown} read
 */
function isSaid(operand, read) {
  if (JSON.stringify(operand) === JSON.stringify(read)) return true;
  return (
    typeof operand === 'string' &&
    typeof read === 'string' &&
    instantOf(operand) === instantOf(read) &&
    instantOf(read) !== undefined
  );
}

/**
 * The filter of the lines whose value can be read.
 * @param {Lines} of
 * @param {Kind['paths']} paths
 * @returns {object | undefined}
 */
export function filterOf({ isAny, lines }, paths) {
  const parts = lines.flatMap(({ path, operator, text }) => {
    const operand = operandOf(paths[path], operator, text.trim());
    return operand === undefined ? [] : [{ [path]: { [operator]: operand } }];
  });
  if (parts.length === 0) return undefined;
  if (isAny) return { $or: parts };
  const names = parts.map((part) => Object.keys(part)[0]);
  return new Set(names).size === names.length ? Object.assign({}, ...parts) : { $and: parts };
}

/**
 * @param {string | undefined} type
 * @param {string} operator
 * @param {string} text
 */
function operandOf(type, operator, text) {
  if (operator === '$exists') return text !== 'false';
  if (text === '') return undefined;
  if (operator === '$in') return text.split(',').map((part) => part.trim());
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (type === 'date') return instantOf(text);
  return type === 'boolean' ? text === 'true' : text;
}

const wall = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/;

/**
 * RFC 3339 of a typed time: one without a zone is in the zone in which the page shows times.
 * @param {string} text
 */
function instantOf(text) {
  const [, day, hour = '00:00'] = wall.exec(text) ?? [];
  const written = day === undefined ? text : `${day}T${hour}${settings.zone === 'UTC' ? 'Z' : ''}`;
  const time = new Date(written);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** @type {(state: Lines, kind: Kind) => Lines} */
const withNew = (state, kind) => ({
  ...state,
  lines: [...state.lines, { path: firstPath(kind), operator: '$gt', text: '' }],
});

/**
 * Lines of conditions, or the JSON of a filter that has more to say. `onChange` gets the filter, `undefined` for none. `isNew` begins with another line.
 * @param {{ kind: Kind, filter: object | undefined, onChange: (filter: unknown) => void, isNew?: boolean }} props
 */
export function FilterBuilder({ kind, filter, onChange, isNew = false }) {
  const [state, setState] = useState(() => {
    const read = linesOf(filter ?? {}, kind.paths);
    return isNew && read !== undefined ? withNew(read, kind) : read;
  });
  const given = JSON.stringify(filter);
  useEffect(() => {
    /** @param {Lines | undefined} lines */
    const textOf = (lines) => lines && JSON.stringify(filterOf(lines, kind.paths));
    const read = linesOf(filter ?? {}, kind.paths);
    if (read === undefined || textOf(state) !== textOf(read)) setState(read);
  }, [given, kind.kind]);
  if (state === undefined) return html`<${JsonFilter} filter=${filter} onChange=${onChange} />`;
  /** @param {Lines} next */
  const change = (next) => {
    setState(next);
    onChange(filterOf(next, kind.paths));
  };
  /** @type {(at: number, changes: Partial<Condition>) => void} */
  const changeLine = (at, changes) =>
    change({ ...state, lines: state.lines.map((line, i) => (i === at ? { ...line, ...changes } : line)) });
  return html`<fieldset class="builder">
    <legend>Filter</legend>
    ${
      state.lines.length > 1 &&
      html`<select aria-label="Which conditions must hold" value=${state.isAny ? 'any' : 'all'} onChange=${(/** @type {FieldEvent} */ event) => change({ ...state, isAny: event.target.value === 'any' })}>
      <option value="all">all of these hold</option><option value="any">any of these holds</option>
    </select>`
    }
    ${state.lines.map((line, at) => html`<${Line} key=${at} at=${at + 1} kind=${kind} line=${line} change=${(/** @type {Partial<Condition>} */ changes) => changeLine(at, changes)} remove=${() => change({ ...state, lines: state.lines.filter((_, i) => i !== at) })} />`)}
    <button type="button" onClick=${() => setState(withNew(state, kind))}>Add a condition</button>
    <datalist id="paths">${Object.keys(kind.paths).map((path) => html`<option key=${path} value=${path} label=${wordOf(path)} />`)}</datalist>
  </fieldset>`;
}

/** @param {Kind} kind */
const firstPath = (kind) => Object.keys(kind.paths).find((path) => path.startsWith('metrics.7d.pnl')) ?? 'labels';

/** @param {{ at: number, kind: Kind, line: Condition, change: (changes: Partial<Condition>) => void, remove: () => void }} props */
function Line({ at, kind, line, change, remove }) {
  const { path, operator, text } = line;
  const type = /** @type {string} */ (kind.paths[path]);
  /** @param {string} typed */
  const choosePath = (typed) => {
    const chosen = typed.trim();
    const known = operators[/** @type {string} */ (kind.paths[chosen])] ?? [];
    change({ path: chosen, operator: known.includes(operator) ? operator : (known[0] ?? '$eq') });
  };
  return html`<div class="line">
    <${Field} list="paths" aria-label=${`Field of condition ${at}`} aria-invalid=${type === undefined ? 'true' : 'false'} value=${path} onDone=${choosePath} />
    <select aria-label=${`Operator of condition ${at}`} value=${operator} onChange=${(/** @type {FieldEvent} */ event) => change({ operator: event.target.value })}>
      ${(operators[type] ?? ['$eq']).map((name) => html`<option key=${name} value=${name}>${words[name]}</option>`)}
    </select>
    ${
      operator === '$exists'
        ? html`<select aria-label=${`Value of condition ${at}`} value=${text === 'false' ? 'false' : 'true'} onChange=${(/** @type {FieldEvent} */ event) => change({ text: event.target.value })}><option value="true">yes</option><option value="false">no</option></select>`
        : html`<input aria-label=${`Value of condition ${at}`} list=${type === 'labels' ? 'labels' : undefined} placeholder=${type === 'date' ? '2024-12-31T00:00:00Z' : type} value=${text} onInput=${(/** @type {FieldEvent} */ event) => change({ text: event.target.value })} />`
    }
    <button type="button" class="small" aria-label=${`Remove condition ${at}`} onClick=${remove}>✕</button>
    ${type === 'labels' && html`<datalist id="labels">${kind.labels.map((label) => html`<option key=${label} value=${label} />`)}</datalist>`}
  </div>`;
}

/**
 * The filter as the server takes it.
 * @param {{ filter: object | undefined, onChange: (filter: unknown) => void }} props
 */
export function JsonFilter({ filter, onChange }) {
  /** @type {State<{ readonly text: string, readonly message: string } | undefined>} */
  const [fault, setFault] = useState();
  /** @param {string} text */
  const read = (text) => {
    try {
      const next = text.trim() === '' ? undefined : JSON.parse(text);
      setFault(undefined);
      onChange(next);
    } catch (error) {
      setFault({ text, message: /** @type {Error} */ (error).message });
    }
  };
  return html`<label class="builder">Filter as JSON
    <${Field} isLong=${true} rows="6" spellcheck="false" value=${fault?.text ?? JSON.stringify(filter, null, 2) ?? ''} onDone=${read} />
    ${fault && html`<span class="failure" role="alert">${fault.message}</span>`}
  </label>`;
}
