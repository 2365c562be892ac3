// @ts-check
/** @import { FieldEvent, State } from '../../types/page.ts' */
import { html, useState } from '../lib.js';

/**
 * A field that keeps what is typed until it is left or sent, whatever the page draws meanwhile. `onDone` gets the text then.
 * @param {{ value: string, onDone: (text: string) => void, isLong?: boolean, [attribute: string]: unknown }} props
 */
export function Field({ value, onDone, isLong = false, ...attributes }) {
  /** @type {State<string | undefined>} */
  const [draft, setDraft] = useState();
  return html`<${isLong ? 'textarea' : 'input'} ...${attributes}
    value=${draft ?? value}
    onInput=${(/** @type {FieldEvent} */ event) => setDraft(event.target.value)}
    onChange=${(/** @type {FieldEvent} */ event) => {
      setDraft(undefined);
      onDone(event.target.value);
    }}
  />`;
}
