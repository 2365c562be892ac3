import { html, useState } from '../lib.js';
import { valueAt } from '../model.js';
import { Metric, Value } from './number.js';
import { Table } from './table.js';

/** Every metric of a profile by window, found by name. */
export function MetricsTable({ kind, ids, profile, file }) {
  const [text, setText] = useState('');
  const names = Object.keys(kind.metrics).filter((name) => name.includes(text.trim().toLowerCase()));
  const windows = kind.windows.filter((window) => profile.metrics?.[window] !== undefined);
  const at = (name, window) => valueAt(profile, `metrics.${window}.${name}`);
  const columns = [
    {
      name: 'metric',
      isText: true,
      value: (name) => name,
      cell: (name) => html`<span title=${kind.metrics[name].description}>${name}</span>`,
    },
    ...windows.map((window) => ({
      name: window,
      value: (name) => at(name, window),
      cell: (name) =>
        at(name, window) === null && profile.metrics[window][name.split('.')[0]] === undefined
          ? ''
          : html`<${Metric} kind=${kind.kind} ids=${ids} name=${name} window=${window} value=${at(name, window)} metric=${kind.metrics[name]} />`,
    })),
    { name: 'unit', isText: true, value: (name) => kind.metrics[name].unit },
  ];
  return html`<section aria-label="Metrics">
    <h2>Metrics</h2>
    <label>Find a metric <input type="search" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
    <${Table} caption="Metrics by window" file=${file} columns=${columns} rows=${names} />
  </section>`;
}

/** Fields of a section, each with what it means. */
export function Fields({ kind, profile, section, skip = [] }) {
  const prefix = `${section}.`;
  const names = Object.keys(kind.fields).filter((name) => name.startsWith(prefix) && !skip.includes(name));
  return html`<dl class="fields">${names.map((name) => {
    const { unit, description } = kind.fields[name];
    return html`<div key=${name}><dt title=${description}>${name.slice(prefix.length).replaceAll('_', ' ')}</dt><dd><${Value} unit=${unit} value=${valueAt(profile, name)} meaning=${description} /></dd></div>`;
  })}</dl>`;
}

/** From the best results to the worst. */
const buckets = [
  ['gt_500', 'above 500 %'],
  ['200_500', '200 to 500 %'],
  ['0_200', '0 to 200 %'],
  ['neg50_0', '−50 to 0 %'],
  ['lt_neg50_0', 'below −50 %'],
];

/** How many results there are of each size: `group` is the metric whose parts are the sizes. */
export function Distribution({ kind, ids, profile, group, window }) {
  const counts = profile.metrics?.[window]?.[group];
  if (counts === undefined) return null;
  const most = Math.max(1, ...buckets.map(([name]) => counts[name]));
  const title = `Distribution of results, ${window}`;
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    <table class="bars"><caption class="unseen">${title}</caption><tbody>${buckets.map(([name, text]) => {
      const path = `${group}.${name}`;
      return html`<tr key=${name}>
        <th scope="row">${text}</th>
        <td><meter min="0" max=${most} value=${counts[name]} aria-label=${text}></meter></td>
        <td><${Metric} kind=${kind.kind} ids=${ids} name=${path} window=${window} value=${counts[name]} metric=${kind.metrics[path]} /></td>
      </tr>`;
    })}</tbody></table>
  </section>`;
}
