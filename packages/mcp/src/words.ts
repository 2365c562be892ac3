import { SwapfoldError } from '@swapfold/core';
import {
  filterPaths,
  metricPath,
  nearest,
  type ProfileKind,
  profileFields,
  requestObject,
  show,
} from '@swapfold/core/host';
import type { AskedStore } from '@swapfold/server';
import * as v from 'valibot';
import { says } from './entries.ts';
import { argumentFault } from './faults.ts';

/** How a condition compares, and the operator of the filter language that does so. */
const comparisons = {
  is: '$eq',
  'is not': '$ne',
  above: '$gt',
  'at least': '$gte',
  below: '$lt',
  'at most': '$lte',
  'one of': '$in',
  'none of': '$nin',
  contains: '$contains',
  'starts with': '$startsWith',
  known: '$exists',
  unknown: '$exists',
} as const;

type Comparison = keyof typeof comparisons;
const comparisonNames = Object.keys(comparisons) as Comparison[];

type Value = string | number | boolean;

/** A condition of a search, in words. */
export interface Condition {
  readonly field: string;
  readonly is: Comparison;
  readonly value?: Value | Value[] | undefined;
}

const scalar = v.union([v.string(), v.number(), v.boolean()]);

/** The most conditions of a search. */
const MAX_CONDITIONS = 20;

/** Conditions that must all hold. */
export function conditionsEntry(kind: ProfileKind, store: AskedStore) {
  const message = (issue: v.BaseIssue<unknown>): string => {
    const near = typeof issue.input === 'string' ? nearest(issue.input, comparisonNames) : undefined;
    return `expected one of ${comparisonNames.join(', ')}, received ${show(issue.input)}${near === undefined ? '' : `; perhaps ${show(near)}`}`;
  };
  const condition = requestObject({
    field: says(
      v.string(),
      `What is compared: ${[...fieldNames(kind, store, '7d').keys()].join(', ')}. Metrics are of \`window\`; a path such as metrics.1d.pnl is of another one. store_info says what each means.`,
    ),
    is: says(
      v.picklist(comparisonNames, message),
      '`known` and `unknown` take no value, `one of` and `none of` a list.',
    ),
    value: v.optional(
      says(v.union([scalar, v.array(scalar)]), 'Amounts in USD, shares in percent, times as RFC 3339 text.'),
    ),
  });
  return v.optional(
    says(
      v.pipe(v.array(condition), v.maxLength(MAX_CONDITIONS, `expected at most ${MAX_CONDITIONS} conditions`)),
      'Conditions that must all hold.',
      [{ field: kind === 'tokens' ? 'volume' : 'pnl', is: 'above', value: 1000 }],
    ),
    [],
  );
}

/** What a search is sorted by. */
export const sortEntry = (usual: string) =>
  v.optional(
    says(
      requestObject({
        field: says(v.string(), 'A field as in `where`.'),
        order: v.optional(v.picklist(['highest first', 'lowest first']), 'highest first'),
      }),
      `Default: ${usual}, highest first.`,
    ),
  );

/**
 * The paths of the filter language by short names: metrics by theirs, of one window, other fields by the last part of their path if that
 * is unambiguous.
 */
export function fieldNames(kind: ProfileKind, store: AskedStore, window: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const own = store.metrics.filter((metric) => metric.of.includes(kind)).map(metricPath);
  for (const name of own) names.set(name, `metrics.${window}.${name}`);
  for (const { path } of profileFields(kind, store.metrics)) {
    if (path.startsWith('metrics.')) continue;
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (!names.has(name)) names.set(name, path);
    // What wallets are called stands in two sections.
    else if (!path.startsWith('identity.')) names.set(path, path);
  }
  return names;
}

/** The path that a name means. Errors: `unknown-field`, with the nearest name. */
export function pathOf(name: string, at: string, of: { kind: ProfileKind; store: AskedStore; window: string }): string {
  const names = fieldNames(of.kind, of.store, of.window);
  const path = names.get(name);
  if (path !== undefined) return path;
  const paths = filterPaths(of.kind, of.store.metrics);
  if (paths.has(name)) return name;
  throw unknownField(name, at, nearest(name, names.keys()) ?? nearest(name, paths.keys()));
}

/** The metrics of these names. Errors: `unknown-field`, with the nearest name. */
export function checkMetrics(names: readonly string[], at: string, kind: ProfileKind, store: AskedStore): void {
  const known = store.metrics.filter((metric) => metric.of.includes(kind)).map((metric) => metric.group ?? metric.name);
  for (const [i, name] of names.entries())
    if (!known.includes(name)) throw unknownField(name, `${at}.${i}`, nearest(name, known));
}

function unknownField(name: string, path: string, near: string | undefined): SwapfoldError {
  const hint = near === undefined ? ' store_info with "fields_of" lists the fields.' : ` Did you mean "${near}"?`;
  const message = `Unknown field ${show(name)} at "${path}".${hint}`;
  return new SwapfoldError('unknown-field', message, { details: [{ path, message }] });
}

/** A condition in the filter language. Errors: `unknown-field`; `invalid-request` for a value that is missing, or one too many. */
export function clauseOf({ field, is, value }: Condition, at: string, of: Parameters<typeof pathOf>[2]): object {
  const path = pathOf(field, `${at}.field`, of);
  const takesNone = is === 'known' || is === 'unknown';
  if (takesNone !== (value === undefined)) {
    throw argumentFault(`${at}.value`, takesNone ? `"${is}" takes no value` : `"${is}" takes a value`);
  }
  return { [path]: { [comparisons[is]]: takesNone ? is === 'known' : value } };
}
