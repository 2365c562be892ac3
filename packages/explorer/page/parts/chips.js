// @ts-check
/** @import { Kind, KindName, Lines, MoneyUnit, Preset, Ref } from '../../types/page.ts' */
/** @import { Search } from '../views/leaderboard.js' */
import { html, useEffect, useRef, useState } from '../lib.js';
import { presetsOf, queryOf } from '../presets.js';
import { choose, href } from '../route.js';
import { conditionWords } from '../words.js';
import { shownValue, withoutUnit } from './columns.js';
import { FilterBuilder, filterOf, JsonFilter, linesOf } from './filter-builder.js';

/**
 * Links to the questions that people come with.
 * @param {{ kind: Kind, current: Shown, unit: MoneyUnit }} props
 */
export function Presets({ kind, current, unit }) {
  return html`<nav class="chips presets" aria-label="Presets">${presetsOf(kind).map(
    (preset) =>
      html`<a key=${preset.title} class="chip" title=${preset.says} aria-current=${isSame(preset, current, unit) ? 'true' : undefined} href=${href([kind.kind], queryOf(kind, preset, unit))}>${preset.title}</a>`,
  )}</nav>`;
}

/** @typedef {Pick<Search, 'filter' | 'sort' | 'window' | 'direction' | 'text'>} Shown What a leaderboard shows. */

/** @type {(preset: Preset<KindName>, shown: Shown, unit: MoneyUnit) => boolean} */
const isSame = (preset, { filter, sort, window, direction, text }, unit) =>
  !text &&
  direction === 'desc' &&
  preset.window === window &&
  preset.sort === (sort && withoutUnit(sort, unit)) &&
  JSON.stringify(preset.filter ?? undefined) === JSON.stringify(filter);

/**
 * The conditions of a filter in words, each to be taken away; others are added, or the whole is written as JSON.
 * @param {{ kind: Kind, filter: object | undefined, window: string, isOpen: boolean, children?: unknown }} props
 */
export function FilterChips({ kind, filter, window, isOpen, children }) {
  const [mode, setMode] = useState(/** @type {'lines' | 'json' | undefined} */ (isOpen ? 'lines' : undefined));
  /** @type {Ref<HTMLElement | undefined>} */
  const opener = useRef();
  useEffect(() => setMode(isOpen ? 'lines' : undefined), [kind.kind, isOpen]);
  const read = linesOf(filter ?? {}, kind.paths);
  /** @param {unknown} next */
  const change = (next) => choose({ filter: next === undefined ? 'null' : JSON.stringify(next) });
  /** @type {(of: Lines, at: number) => void} */
  const remove = (of, at) => {
    change(filterOf({ ...of, lines: of.lines.filter((_, i) => i !== at) }, kind.paths));
    opener.current?.focus();
  };
  /** @param {'lines' | 'json'} name */
  const toggle = (name) => setMode(mode === name ? undefined : name);
  return html`<section class="filters" aria-label="Filter">
    <div class="chips">
      ${read?.isAny && html`<span class="dim">any of</span>`}
      ${
        read === undefined
          ? html`<span class="chip">A filter of its own <button type="button" class="chip-x" aria-label="Remove the filter" onClick=${() => change(undefined)}>×</button></span>`
          : read.lines.map((line, at) => {
              const words = conditionWords(line, window, (path, text) => shownValue(kind, path, text));
              return html`<span key=${`${line.path} ${line.operator}`} class="chip condition" title=${`${line.path} ${line.operator} ${line.text}`}><bdi>${words}</bdi> <button type="button" class="chip-x" aria-label=${`Remove: ${words}`} onClick=${() => remove(read, at)}>×</button></span>`;
            })
      }
      <button ref=${opener} type="button" class="chip add" aria-expanded=${mode === 'lines' ? 'true' : 'false'} onClick=${() => toggle('lines')}>+ condition</button>
      <button type="button" class="bare" aria-expanded=${mode === 'json' ? 'true' : 'false'} onClick=${() => toggle('json')}>Edit as JSON</button>
      <span class="chips-end">${children}</span>
    </div>
    ${mode === 'lines' && html`<${FilterBuilder} key=${kind.kind} kind=${kind} filter=${filter} isNew=${!isOpen} onChange=${change} />`}
    ${mode === 'json' && html`<${JsonFilter} filter=${filter} onChange=${change} />`}
  </section>`;
}
