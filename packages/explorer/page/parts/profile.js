// @ts-check
/** @import { Counts } from './number.js' */
/** @import { Column, FieldEvent, Kind, KindName, Profile } from '../../types/page.ts' */
import { units } from '../format.js';
import { html, useState } from '../lib.js';
import { valueAt } from '../model.js';
import { groupOf, groups, wordOf } from '../words.js';
import { Metric, Value } from './number.js';
import { Table } from './table.js';

/**
 * Every metric of a profile by window, in groups and found by name or word.
 * @param {{ kind: Kind, ids: readonly string[], profile: Profile, file: string }} props
 */
export function MetricsTable({ kind, ids, profile, file }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = Object.entries(kind.metrics).filter(
    ([name]) => name.includes(wanted) || wordOf(name).toLowerCase().includes(wanted),
  );
  const all = /** @type {Readonly<Record<string, Counts & Readonly<Record<string, unknown>>>>} */ (
    profile.metrics ?? {}
  );
  const windows = kind.windows.filter((window) => all[window] !== undefined);
  /** @type {(name: string, window: string) => unknown} */
  const at = (name, window) => valueAt(profile, `metrics.${window}.${name}`);
  /** @type {readonly Column<typeof found[number]>[]} */
  const columns = [
    {
      name: 'metric',
      title: 'Metric',
      csv: 'metric',
      isText: true,
      value: ([name]) => name,
      cell: ([name, metric]) => html`<span title=${`${name}: ${metric.description}`}>${wordOf(name)}</span>`,
    },
    ...windows.map(
      (window) =>
        /** @type {typeof columns[number]} */ ({
          name: window,
          value: ([name]) => at(name, window),
          cell: ([name, metric]) =>
            at(name, window) === null && all[window]?.[/** @type {string} */ (name.split('.')[0])] === undefined
              ? ''
              : html`<${Metric} kind=${kind.kind} ids=${ids} name=${name} window=${window} value=${at(name, window)} metric=${metric} metrics=${all[window]} />`,
        }),
    ),
    {
      name: 'unit',
      title: 'Unit',
      csv: 'unit',
      isText: true,
      value: ([, metric]) => metric.unit,
      cell: ([, { unit }]) => (unit === 'native' ? units.native || 'native token' : unit),
    },
  ];
  return html`<section class="metrics" aria-label="Metrics">
    <label>Find a metric <input type="search" value=${text} onInput=${(/** @type {FieldEvent} */ event) => setText(event.target.value)} /></label>
    ${groups.map((group) => {
      const rows = found.filter(([name]) => groupOf(name) === group);
      if (rows.length === 0) return null;
      return html`<div key=${group}><h2>${group}</h2><${Table} caption=${`${group} by window`} file=${`${file}-${group}`} columns=${columns} rows=${rows} /></div>`;
    })}
    ${found.length === 0 && html`<p class="quiet">No metric is called “${text}”.</p>`}
  </section>`;
}

/**
 * Fields of a section that are known, each with what it means; of the names that `isShown` takes.
 * @param {{ kind: Kind, profile: Profile, section: string, isShown?: (name: string) => boolean }} props
 */
export function Fields({ kind, profile, section, isShown = () => true }) {
  const prefix = `${section}.`;
  const known = Object.entries(kind.fields).filter(
    ([name]) =>
      name.startsWith(prefix) && isShown(name.slice(prefix.length)) && String(valueAt(profile, name) ?? '') !== '',
  );
  if (known.length === 0)
    return html`<p class="quiet">Nothing is known. A registry gives it: <code>upsert</code> tokens and wallets.</p>`;
  return html`<dl class="fields">${known.map(([name, { unit, description }]) => {
    return html`<div key=${name}><dt title=${`${name}: ${description}`}>${wordOf(name)}</dt><dd><${Value} unit=${unit} value=${valueAt(profile, name)} meaning=${description} name=${name} /></dd></div>`;
  })}</dl>`;
}
