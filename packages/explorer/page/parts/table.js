// @ts-check
/** @import { Column } from '../../types/page.ts' */
import { html } from '../lib.js';

/**
 * A table that can be taken along as CSV.
 *
 * - `columns`: `value` is what the CSV has, under `csv`, `cell` what is shown, and what `isWide` is left out where there is no room.
 * - `sort`: for the columns that have `canSort`.
 * - On a phone each row is a block whose values stand below their titles, so that no number is cut.
 * @template Row
 * @param {object} props
 * @param {string} props.caption
 * @param {string} [props.file]
 * @param {readonly Column<Row>[]} props.columns
 * @param {readonly Row[]} props.rows
 * @param {Sort} [props.sort]
 * @param {boolean} [props.isLoading]
 * @param {unknown} [props.empty]
 * @param {unknown} [props.actions]
 */
export function Table({ caption, file, columns, rows, sort, isLoading, empty = 'Nothing matches.', actions }) {
  return html`
    <figure class=${isLoading ? 'table loading' : 'table'} aria-busy=${isLoading ? 'true' : 'false'}>
      <div class="scroll" role="region" aria-label=${caption} tabindex="0">
        <table>
          <caption class="unseen">${caption}</caption>
          <thead><${Groups} columns=${columns} /><tr>${columns.map((column) => html`<${Heading} key=${column.name} column=${column} sort=${sort} />`)}</tr></thead>
          <tbody>${rows.map(
            (row, i) =>
              html`<tr key=${i}>${columns.map(
                (column) =>
                  html`<td class=${classOf(column)} data-title=${column.title ?? column.name}>${/** @type {NonNullable<typeof column.cell>} */ (column.cell ?? column.value)(row, i)}</td>`,
              )}</tr>`,
          )}</tbody>
        </table>
        ${rows.length === 0 && isLoading && html`<p class="quiet">Loading …</p>`}
        ${rows.length === 0 && !isLoading && html`<div class="empty">${empty}</div>`}
      </div>
      ${rows.length > 0 && html`<div class="table-foot">${actions}<button type="button" class="bare csv" onClick=${() => save(file ?? caption, columns, rows)}>CSV</button></div>`}
    </figure>`;
}

/** @typedef {{ readonly name: string | undefined, readonly direction: 'asc' | 'desc', readonly choose: (name: string) => void }} Sort */

/** @param {Pick<Column<never>, 'isText' | 'isWide'>} column */
const classOf = ({ isText, isWide }) => `${isText ? 'text' : ''}${isWide ? ' wide' : ''}`;

/**
 * What columns are of, above their headings, if they are not all of the same.
 * @param {{ columns: readonly Column<never>[] }} props
 */
function Groups({ columns }) {
  /** @type {{ name: string | undefined, count: number, isWide: boolean }[]} */
  const groups = [];
  for (const { group, isWide = false } of columns) {
    const last = groups.at(-1);
    if (last !== undefined && last.name === group && last.isWide === isWide) last.count++;
    else groups.push({ name: group, count: 1, isWide });
  }
  if (new Set(groups.map(({ name }) => name).filter(Boolean)).size < 2) return null;
  return html`<tr class="groups">${groups.map(({ name, count, isWide }, i) =>
    name === undefined
      ? html`<td key=${i} colspan=${count} class=${isWide ? 'wide' : ''}></td>`
      : html`<th key=${i} scope="colgroup" colspan=${count} class=${isWide ? 'wide' : ''}>${name}</th>`,
  )}</tr>`;
}

/** @param {{ column: Column<never>, sort?: Sort | undefined }} props */
function Heading({ column, sort }) {
  const { name, title = name, canSort, meaning } = column;
  const isSorted = sort?.name === name;
  const order = isSorted ? (sort?.direction === 'asc' ? 'ascending' : 'descending') : undefined;
  const mark = isSorted ? html`<span aria-hidden="true">${sort?.direction === 'asc' ? ' ▲' : ' ▼'}</span>` : '';
  return html`<th scope="col" class=${classOf(column)} aria-sort=${order} title=${meaning}>${
    sort !== undefined && canSort
      ? html`<button type="button" class="heading" onClick=${() => sort.choose(name)}>${title}${mark}</button>`
      : title
  }</th>`;
}

/**
 * @template Row
 * @param {string} name
 * @param {readonly Column<Row>[]} all
 * @param {readonly Row[]} rows
 */
function save(name, all, rows) {
  const columns = all.filter(({ value }) => value !== undefined);
  const lines = [columns.map((column) => csvField(column.csv ?? column.title ?? column.name))];
  for (const row of rows)
    lines.push(columns.map((column) => csvField(/** @type {NonNullable<typeof column.value>} */ (column.value)(row))));
  const text = `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Text that a spreadsheet would run as a formula gets a quote in front.
 * @param {unknown} value
 */
export function csvField(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
