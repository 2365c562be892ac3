import { ApiError, curlLine, server } from '../api.js';
import { html, useState } from '../lib.js';

/** The request that a part of a view was made of: JSON, and a line for a shell. */
export function Request({ operation, body, isOpen }) {
  if (body === undefined) return null;
  return html`<details class="request" open=${isOpen}>
    <summary>Request: <code>${operation}</code></summary>
    <${Copyable} name="JSON" text=${JSON.stringify(body, null, 2)} />
    <${Copyable} name="curl" text=${curlLine(operation, body)} />
  </details>`;
}

function Copyable({ name, text }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return html`<div class="copyable">
    <pre tabindex="0" aria-label=${name}>${text}</pre>
    <button type="button" class="small" onClick=${copy}>${isCopied ? 'Copied' : `Copy ${name}`}</button>
  </div>`;
}

/** Why an answer did not come, with what to do. */
export function Failure({ error, again }) {
  if (error === undefined) return null;
  const isKey = error instanceof ApiError && error.status === 401;
  return html`<div class="failure" role="alert">
    <p>${error.message}</p>
    ${error.details?.length > 1 && html`<ul>${error.details.map(({ message }) => html`<li>${message}</li>`)}</ul>`}
    <button type="button" onClick=${isKey ? () => server.askKey() : again}>${isKey ? 'Give a key' : 'Try again'}</button>
  </div>`;
}

/** What of an answer there is: the failure, or `children`. */
export function Answered({ of, children }) {
  const { answer, error, isLoading, again } = of;
  if (error !== undefined && answer === undefined) return html`<${Failure} error=${error} again=${again} />`;
  if (answer === undefined) return isLoading ? html`<p class="quiet" aria-live="polite">Loading …</p>` : null;
  return children(answer);
}
