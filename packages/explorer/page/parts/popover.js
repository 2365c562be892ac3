// @ts-check
/** @import { Ref } from '../../types/page.ts' */
import { html, useEffect, useRef } from '../lib.js';
import { placeOf } from '../route.js';

/** @typedef {Ref<HTMLDetailsElement>} Details */

/**
 * What opens below its title, and closes on Esc, on a click elsewhere, and when the reader goes to another view.
 * @param {{ name: string, title: string, children?: unknown }} props
 */
export function Popover({ name, title, children }) {
  /** @type {Details} */
  const element = useRef();
  useEffect(() => {
    const place = placeOf(location.hash);
    const close = () => {
      element.current.open = false;
    };
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      if (event.key !== 'Escape' || !element.current.open) return;
      close();
      element.current.querySelector('summary')?.focus();
    };
    /** @param {Event} event */
    const onPress = (event) => {
      if (!element.current.contains(/** @type {Node} */ (event.target))) close();
    };
    // A press on a word inside gives the focus to what is around all of it.
    /** @param {Event} event */
    const onFocus = (event) => {
      if (!(/** @type {Node} */ (event.target).contains(element.current))) onPress(event);
    };
    // A choice within the view changes its address, too.
    const onGo = () => {
      if (placeOf(location.hash) !== place) close();
    };
    addEventListener('keydown', onKey);
    addEventListener('pointerdown', onPress);
    addEventListener('focusin', onFocus);
    addEventListener('hashchange', onGo);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('pointerdown', onPress);
      removeEventListener('focusin', onFocus);
      removeEventListener('hashchange', onGo);
    };
  }, [placeOf(location.hash)]);
  return html`<details class=${name} ref=${element}><summary>${title}</summary>${children}</details>`;
}
