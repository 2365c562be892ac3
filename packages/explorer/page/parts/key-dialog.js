// @ts-check
/** @import { Ref, State } from '../../types/page.ts' */
/** @import { ApiError } from '../api.js' */
import { call, setKey } from '../api.js';
import { html, useEffect, useRef, useState } from '../lib.js';

/**
 * Asks for the key, once a session; it stays in this tab.
 * @param {{ onGiven: () => void }} props
 */
export function KeyDialog({ onGiven }) {
  /** @type {State<string | undefined>} */
  const [fault, setFault] = useState();
  /** @type {Ref<HTMLInputElement>} */
  const input = useRef();
  useEffect(() => input.current.focus(), []);
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    const given = input.current.value.trim();
    if (!/^[!-~]+$/.test(given)) {
      setFault('A key has the letters, digits and signs of ASCII alone: copy it whole.');
      return;
    }
    setKey(given);
    try {
      await call('prices.latest', { tokens: ['11111111111111111111111111111111'] });
    } catch (error) {
      // Whatever else the server says of this request, it knows the key.
      const refusal = /** @type {ApiError} */ (error);
      if (refusal.status === 401) {
        setFault(refusal.message);
        return;
      }
    }
    onGiven();
  };
  return html`<main class="key">
    <h1>Swapfold</h1>
    <form onSubmit=${submit}>
      <p>This server asks for a key. It stays in this tab until you close it, and is sent to this server alone.</p>
      <label>API key <input type="password" autocomplete="off" required ref=${input} /></label>
      <button>Open</button>
      ${fault && html`<p class="failure" role="alert">${fault}</p>`}
    </form>
  </main>`;
}
