// @ts-check
/** @import { Ref } from '../../types/page.ts' */
import { html, useEffect, useRef } from '../lib.js';
import { choose } from '../route.js';

/** @typedef {readonly [name: string, title: string, draw: () => unknown]} Tab */

/** @type {Readonly<Record<string, number>>} */
const steps = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Parts of a view of which one is shown. The arrow keys go from one to the next.
 * @param {{ label: string, tabs: readonly [Tab, ...Tab[]], query: URLSearchParams }} props
 */
export function Tabs({ label, tabs, query }) {
  const chosen = tabs.find(([name]) => name === query.get('tab')) ?? tabs[0];
  /** @type {Ref<HTMLElement | undefined>} */
  const list = useRef();
  // On a phone the list is wider than the screen: the chosen one is in sight.
  useEffect(() => {
    const [all, one] = [list.current, list.current?.querySelector('[aria-selected=true]')];
    if (all && one instanceof HTMLElement) all.scrollLeft = one.offsetLeft - (all.clientWidth - one.clientWidth) / 2;
  }, [chosen[0]]);
  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const onKey = (event) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (tabs.indexOf(chosen) + step + tabs.length) % tabs.length;
    choose({ tab: tabs[at]?.[0] });
    const button = event.currentTarget.children[at];
    if (button instanceof HTMLElement) button.focus();
  };
  return html`
    <div ref=${list} class="tabs" role="tablist" aria-label=${label} onKeyDown=${onKey}>${tabs.map(
      ([name, title]) =>
        html`<button key=${name} type="button" class="tab" role="tab" id=${`tab-${name}`} aria-controls="tab-panel" aria-selected=${name === chosen[0] ? 'true' : 'false'} tabindex=${name === chosen[0] ? 0 : -1} onClick=${() => choose({ tab: name })}>${title}</button>`,
    )}</div>
    <div class="panel" role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${chosen[0]}`} key=${chosen[0]}>${chosen[2]()}</div>`;
}
