import {
  type Arithmetic,
  type ColumnType,
  codeWords,
  type Table,
  textColumns,
  type ViewField,
  type ViewSource,
} from '@swapfold/core/engine';
import { quote } from '../statement.ts';
import type { ViewColumn, ViewDialect } from './view.ts';

/** SQL of a text as a literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A number, null if it is not finite. */
export function finite(number: string): string {
  return `case when abs(${number}) <= 1.7976931348623157e308 then ${number} end`;
}

/** What rules compute, as the SQL of it. */
export const sql: Arithmetic<string> = {
  unknown: 'null',
  number: (value) => (Number.isInteger(value) ? `${value}.0` : String(value)),
  minus: (a, b) => `(${a} - ${b})`,
  times: (a, b) => `(${a} * ${b})`,
  over: (a, b) => `(${a} / nullif(${b}, 0))`,
  abs: (a) => `abs(${a})`,
  or: (a, b) => `coalesce(${a}, ${b})`,
  ifAtLeast: (a, b, then, otherwise) => `case when ${a} >= ${b} then ${then} else ${otherwise} end`,
};

/** Joins the texts of id columns: `join "texts" "wallet_text"`, whose `text` is null for the id of nothing. */
export function joinTexts(alias: string, table: Table): string {
  return textColumns(table)
    .map(
      (name) => `left join "texts" ${quote(textsOf(name))} on ${quote(textsOf(name))}."id" = ${alias}.${quote(name)}`,
    )
    .join('\n');
}

/** The text of an id column whose texts are joined. */
export function textOf(name: string): string {
  return `${quote(textsOf(name))}."text"`;
}

/** The symbol that a row gives a token, else the registry's (joined as `<token>_known`), else that of the configured quote token. */
export function symbolOf(symbol: string, token: string, source: ViewSource): string {
  return quoteSymbol(`${textOf(symbol)}, "${token}_known"."symbol"`, token, source);
}

/** The first of these symbols that is known, else that of the configured quote token. */
export function quoteSymbol(symbols: string, token: string, { quotes }: ViewSource): string {
  const known = quotes.map(({ address, symbol }) => `when ${literal(address)} then ${literal(symbol)}`).join(' ');
  const quoted = known === '' ? 'null' : `case ${textOf(token)} ${known} end`;
  return `coalesce(${symbols}, ${quoted})`;
}

const textsOf = (name: string): string => `${name}_text`;

/** What the columns of a table whose texts are joined say: a text whose id it holds, a word, or the value itself. */
export function valuesOf<C extends Record<string, ColumnType>>(
  alias: string,
  table: Table<C>,
): Record<keyof C, string> {
  const texts = textColumns(table);
  const sqlOf = (name: string): string => {
    const [column, words] = [`${alias}.${quote(name)}`, codeWords[name]];
    if (words === undefined) return texts.includes(name) ? textOf(name) : column;
    const known = words.flatMap((word, code) => (word === null ? [] : [`when ${code} then ${literal(word)}`]));
    return `case ${column} ${known.join(' ')} end`;
  };
  return Object.fromEntries(Object.keys(table.columns).map((name) => [name, sqlOf(name)])) as Record<keyof C, string>;
}

/** Columns of the fields that answers have, in their order, with the SQL of each. Those of which it is null are left out. */
export function columnsOf(
  fields: readonly ViewField[],
  values: Readonly<Record<string, string | null>>,
): readonly ViewColumn[] {
  return fields.flatMap(({ name, type, meaning }) => {
    const value = values[name]!;
    return value === null ? [] : [{ name, type, meaning, sql: value }];
  });
}

/** Columns of fields that a table has columns of, under their names with `_` in place of dots. */
export function storedColumns(
  table: string,
  fields: readonly ViewField[],
  dialect: ViewDialect,
): readonly ViewColumn[] {
  const names = new Set<string>();
  return fields.map((field) => {
    let name = field.name.replaceAll('.', '_');
    // An embedder may have the metrics "a.b" and "a_b".
    while (names.has(name)) name += '_';
    names.add(name);
    const sql = storedSql(`${table}.${quote(field.name)}`, field.type, dialect);
    return { name, type: field.type, meaning: field.meaning, sql };
  });
}

function storedSql(column: string, type: ViewField['type'], dialect: ViewDialect): string {
  if (type === 'time' || type === 'date') return dialect.time(column);
  if (type === 'flag') return dialect.flag(column);
  if (type === 'number') return dialect.number(column);
  return type === 'list' ? dialect.list(column) : column;
}

/** Where a row stands in chain order, of a table that has it as `seq`. */
export function placeColumn(table: string): ViewColumn {
  return {
    name: 'seq',
    type: 'integer',
    meaning: 'Place in chain order: `block_time` x 2^20 and the place in that second. Sort and page by it.',
    sql: `${table}."seq"`,
  };
}

/** Seconds of the block time of a row, from its place in chain order. */
export function secondsOf(seq: string): string {
  return `(${seq} >> 20)`;
}
