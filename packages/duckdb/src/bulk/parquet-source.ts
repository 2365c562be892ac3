import { MICROSECONDS, type ParquetField, type ParquetSwaps } from '@swapfold/core/engine';
import { quote } from '@swapfold/sql';
import { sqlPath } from './sql-text.ts';
import type { TypedColumn } from './tables.ts';

/** From here on a time is no Unix seconds. */
const MILLISECONDS = 1e11;

/** A table of the ids of the texts of a kind. */
export type IdsTable = (kind: string) => string;

/** The file's rows that are not left out, by the columns that are named. */
export function parquetRows(file: ParquetSwaps): string {
  const all = allRows(file);
  return file.leftOut === undefined ? `${all} f` : `(select * from ${all} where ${quote(file.leftOut)} is null) f`;
}

/** All rows of the file. */
export function allRows({ path }: ParquetSwaps): string {
  return `read_parquet(${sqlPath(path)}, file_row_number = true)`;
}

/** The staged columns of the rows of a file. Columns that it lacks are empty. */
export function selectParquet(file: ParquetSwaps, columns: readonly TypedColumn[], idsOf: IdsTable): string {
  const joins: string[] = [];
  const selected = columns.map(({ name, type, isId }) => {
    if (name === 'moment') return `${momentOf(file)} as moment`;
    if (name === 'block_time')
      return `floor(f.${quote(file.fields.find((found) => found.name === name)!.column)})::${type} as block_time`;
    if (name === 'row') return `(f.file_row_number + ${file.firstRow})::bigint as "row"`;
    const field = file.fields.find((found) => found.name === name);
    if (field === undefined) return `${isId ? '-1' : 'null'}::${type} as ${quote(name)}`;
    if (field.holds.kind !== 'text') return `${givenValue(field)}::${type} as ${quote(name)}`;
    const ids = `i${joins.length}`;
    joins.push(`left join ${idsOf(field.holds.of)} ${ids} on ${ids}.text = f.${quote(field.column)}`);
    return `coalesce(${ids}.id, -1)::${type} as ${quote(name)}`;
  });
  return `select ${selected.join(', ')} from ${parquetRows(file)} ${joins.join(' ')}`;
}

/** The log index, beside a slot, and the fraction of the second of a row: see `momentOf` of the core. */
function momentOf({ fields }: ParquetSwaps): string {
  const given = (name: ParquetField['name']): string | undefined => {
    const field = fields.find((found) => found.name === name);
    return field && `f.${quote(field.column)}`;
  };
  const [time, slot, index] = [given('block_time'), given('block_slot'), given('log_index')];
  const fraction = `least(floor((${time}::double - floor(${time}::double)) * ${MICROSECONDS} + 0.5), ${MICROSECONDS - 1})::bigint`;
  if (slot === undefined || index === undefined) return fraction;
  return `(coalesce(if(${slot} is null, null, ${index}::bigint + 1), 0) * ${MICROSECONDS} + ${fraction})`;
}

/** How many rows have a log index beside their slot, or a fraction of a second. */
export function countMoments(file: ParquetSwaps): string {
  return `(count(*) filter (where ${momentOf(file)} > 0))`;
}

function givenValue({ column, holds }: ParquetField): string {
  const value = `f.${quote(column)}`;
  // The sum makes 0 of -0.
  if (holds.kind === 'number') return holds.isWhole ? value : `(${value}::double + 0)`;
  if (holds.kind === 'hash' && holds.isEvm)
    // Most are as they are stored, which a comparison finds sooner than an expression.
    return `case when strlen(${value}) = 66 and starts_with(${value}, '0x') and ${value} = lower(${value}) then ${value} when regexp_full_match(${value}, '(0[xX])?[0-9a-fA-F]{64}|0[xX][0-9a-fA-F]+') then if(lower(${value}[2]) = 'x', '', '0x') || lower(${value}) else ${value} end`;
  return value;
}

/** The condition of a row whose hash has not the form of those of EVM chains; none where it needs none. */
export function isOddHash({ fields }: ParquetSwaps): string {
  const field = fields.find(({ holds }) => holds.kind === 'hash' && holds.isEvm);
  return field === undefined ? 'false' : `not regexp_full_match(f.${quote(field.column)}, '(0[xX])?[0-9a-fA-F]{64}')`;
}

/** The condition of a row that may be at fault. A row for which it does not hold passes every check of numbers and hashes. */
export function isDoubtful(file: ParquetSwaps): string {
  const products = file.products.flatMap(([a, b]) => {
    const [x, y] = [a, b].map((name) => file.fields.find((field) => field.name === name));
    if (x === undefined || y === undefined) return [];
    return [`f.${quote(x.column)}::double * f.${quote(y.column)}::double > ${file.mostProduct}`];
  });
  return [...file.fields.map(fieldDoubt), ...products].map((doubt) => `coalesce(${doubt}, false)`).join(' or ');
}

function fieldDoubt(field: ParquetField): string {
  const { holds, isRequired, column } = field;
  const given = `f.${quote(column)}`;
  const missing = isRequired ? `${given} is null or ` : '';
  if (holds.kind === 'text') return isRequired ? `${missing}${given} = ''` : 'false';
  // Printable ASCII, which no engine and no language sees in another way; of `\\x...` readers of files make `0x...`.
  if (holds.kind === 'hash')
    return `${missing}strlen(${given}) not between 1 and 256 or regexp_matches(${given}, '[^!-\\[\\]-~]')`;
  const value = `${given}::double`;
  const most = field.name === 'block_time' ? Math.min(holds.most, MILLISECONDS) : holds.most;
  const fraction = holds.isWhole ? ` or floor(${value}) <> ${value}` : '';
  return `${missing}not (${value} >= ${holds.least} and ${value} <= ${most})${fraction}`;
}

/** The distinct texts of the columns of a kind. */
export function distinctTexts(file: ParquetSwaps, kind: string): string | undefined {
  const columns = file.fields.filter(({ holds }) => holds.kind === 'text' && holds.of === kind);
  if (columns.length === 0) return undefined;
  const all = columns.map(({ column }) => `select distinct ${quote(column)} as text from ${parquetRows(file)}`);
  return `select distinct text from (${all.join(' union all ')}) where text is not null and text <> ''`;
}
