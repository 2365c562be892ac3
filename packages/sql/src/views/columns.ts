import type { ViewField } from '@swapfold/core/engine';
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

/** The word that a code stands for. */
export function wordOf(column: string, words: readonly string[]): string {
  return `case ${column} ${words.map((name, code) => `when ${code} then ${literal(name)}`).join(' ')} end`;
}

/** Joins the texts of id columns: `join "texts" "wallet_text"`, whose `text` is null for the id of nothing. */
export function joinTexts(table: string, names: readonly string[]): string {
  return names
    .map(
      (name) => `left join "texts" ${quote(textsOf(name))} on ${quote(textsOf(name))}."id" = ${table}.${quote(name)}`,
    )
    .join('\n');
}

/** The text of an id column whose texts are joined. */
export function textOf(name: string): string {
  return `${quote(textsOf(name))}."text"`;
}

const textsOf = (name: string): string => `${name}_text`;

/**
 * Columns of the fields that answers have, in their order: with the SQL of `own`, else of the column of that name: a text whose id it holds
 * (those of `texts`, which are joined), a word, or the value itself. Fields of which `own` is null are left out.
 */
export function columnsOf(
  table: string,
  fields: readonly ViewField[],
  { texts, own }: { readonly texts: readonly string[]; readonly own: Readonly<Record<string, string | null>> },
): readonly ViewColumn[] {
  return fields.flatMap(({ name, type, meaning, words }) => {
    const column = `${table}.${quote(name)}`;
    const stored = texts.includes(name) ? textOf(name) : words === undefined ? column : wordOf(column, words);
    const sql = own[name] === undefined ? stored : own[name];
    return sql === null ? [] : [{ name, type, meaning, sql }];
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
