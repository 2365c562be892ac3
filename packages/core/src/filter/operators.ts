import type { FieldType } from '../records/profile-fields.ts';
import { type TextMatch, textMatchNames } from '../storage/predicate.ts';

const equality = ['$eq', '$ne', '$in', '$nin', '$exists'] as const;
const order = ['$gt', '$gte', '$lt', '$lte'] as const;

type MatchOperator = `$${TextMatch}`;

export const matchOf: ReadonlyMap<string, TextMatch> = new Map(textMatchNames.map((name) => [`$${name}`, name]));
const matching = [...matchOf.keys()] as readonly MatchOperator[];

/** The operators that suit each type of field. */
export const operatorsByType = {
  number: [...equality, ...order],
  text: [...equality, ...order, ...matching],
  date: [...equality, ...order],
  boolean: equality,
  labels: [...equality, '$all'],
} as const satisfies Record<FieldType, readonly string[]>;

export type Operator = (typeof operatorsByType)[FieldType][number];

export const operators: readonly Operator[] = [...new Set(Object.values(operatorsByType).flat())];

export const groupOperators = ['$and', '$or', '$nor', '$not'] as const;
export type GroupOperator = (typeof groupOperators)[number];

/** What a filter may hold at most. */
export const filterLimits = { depth: 8, conditions: 64, items: 256, labels: 16, labelLength: 64 } as const;
