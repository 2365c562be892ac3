import { server } from '../api.js';
import { html, useState } from '../lib.js';
import { valueAt } from '../model.js';
import { groupOf, groups, wordOf } from '../words.js';
import { Metric, Value } from './number.js';
import { Table } from './table.js';

/** Every metric of a profile by window, in groups and found by name or word. */
export function MetricsTable({ kind, ids, profile, file }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const titleOf = (name) =>
    `${wordOf(name)}${name.endsWith('_native') ? ` in ${server.model.native || 'the native token'}` : ''}`;
  const names = Object.keys(kind.metrics).filter(
    (name) => name.includes(wanted) || titleOf(name).toLowerCase().includes(wanted),
  );
  const windows = kind.windows.filter((window) => profile.metrics?.[window] !== undefined);
  const at = (name, window) => valueAt(profile, `metrics.${window}.${name}`);
  const columns = [
    {
      name: 'metric',
      isText: true,
      value: (name) => name,
      cell: (name) => html`<span title=${`${name}: ${kind.metrics[name].description}`}>${titleOf(name)}</span>`,
    },
    ...windows.map((window) => ({
      name: window,
      value: (name) => at(name, window),
      cell: (name) =>
        at(name, window) === null && profile.metrics[window][name.split('.')[0]] === undefined
          ? ''
          : html`<${Metric} kind=${kind.kind} ids=${ids} name=${name} window=${window} value=${at(name, window)} metric=${kind.metrics[name]} metrics=${profile.metrics[window]} />`,
    })),
    { name: 'unit', isText: true, value: (name) => kind.metrics[name].unit },
  ];
  return html`<section class="metrics" aria-label="Metrics">
    <label>Find a metric <input type="search" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
    ${groups.map((group) => {
      const rows = names.filter((name) => groupOf(name) === group);
      if (rows.length === 0) return null;
      return html`<div key=${group}><h2>${group}</h2><${Table} caption=${`${group} by window`} file=${`${file}-${group}`} columns=${columns} rows=${rows} /></div>`;
    })}
    ${names.length === 0 && html`<p class="quiet">No metric is called “${text}”.</p>`}
  </section>`;
}

/** Fields of a section that are known, each with what it means. */
export function Fields({ kind, profile, section }) {
  const prefix = `${section}.`;
  const names = Object.keys(kind.fields).filter((name) => name.startsWith(prefix) && valueAt(profile, name) !== null);
  if (names.length === 0)
    return html`<p class="quiet">Nothing is known. A registry gives it: <code>upsert</code> tokens and wallets.</p>`;
  return html`<dl class="fields">${names.map((name) => {
    const { unit, description } = kind.fields[name];
    return html`<div key=${name}><dt title=${`${name}: ${description}`}>${wordOf(name)}</dt><dd><${Value} unit=${unit} value=${valueAt(profile, name)} meaning=${description} name=${name} /></dd></div>`;
  })}</dl>`;
}
