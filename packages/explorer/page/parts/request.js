// @ts-check
/** @import { ApiError } from '../api.js' */
/** @import { Answer, Asked, OperationName } from '../../types/page.ts' */
import { curlLine, server, Unreachable } from '../api.js';
import { html, useEffect, useState } from '../lib.js';

/**
 * The request that a part of a view was made of: JSON, and a line for a shell.
 * @param {{ operation: OperationName, body: unknown, isOpen?: boolean }} props
 */
export function Request({ operation, body, isOpen }) {
  if (body === undefined) return null;
  return html`<details class="request" open=${isOpen}>
    <summary>Request: <code>${operation}</code></summary>
    <${Copyable} name="JSON" text=${JSON.stringify(body, null, 2)} />
    <${Copyable} name="curl" text=${curlLine(operation, body)} />
  </details>`;
}

/** @param {{ name: string, text: string }} props */
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

/**
 * What to do about a failure, by its code.
 * @type {Readonly<Record<string, string>>}
 */
const advices = {
  'not-found': 'Check the address, or look for a name in the search above. A wallet is known once it has traded.',
  'not-refreshed': 'Run “swapfold refresh”, or let the server do so by itself with “--refresh-every”.',
  'rate-limited': 'The key has used up what it may ask in a second. Wait a little.',
};

/**
 * Why an answer did not come, with what to do.
 * @param {{ error: Error | undefined, again: () => void }} props
 */
export function Failure({ error, again }) {
  if (error === undefined) return null;
  const { status, code, details } = /** @type {Partial<ApiError>} */ (error);
  const isKey = status === 401;
  const advice = error instanceof Unreachable ? 'Check that the server runs.' : advices[/** @type {string} */ (code)];
  return html`<div class="failure" role="alert">
    <p>${error.message}</p>
    ${advice && html`<p>${advice}</p>`}
    ${details && details.length > 1 && html`<ul>${details.map(({ message }) => html`<li>${message}</li>`)}</ul>`}
    <button type="button" onClick=${isKey ? () => server.askKey() : again}>${isKey ? 'Give a key' : 'Try again'}</button>
  </div>`;
}

/** A view that shows nothing after so long says that it works still. */
const SLOW = 3000;

/** @param {{ waiting?: unknown }} props */
function Loading({ waiting }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW);
    return () => clearTimeout(timer);
  }, []);
  const text = isSlow ? 'Loading … The server is slow to answer; the rest of the page works meanwhile.' : 'Loading …';
  return html`${waiting}<p class=${`quiet${waiting && !isSlow ? ' unseen' : ''}`} role="status">${text}</p>`;
}

/**
 * What there is of an answer: the failure, `waiting` until it comes, or `children`.
 * @template {OperationName} Name
 * @param {{ of: Asked<Name>, children: (answer: Answer<Name>) => unknown, waiting?: unknown }} props
 */
export function Answered({ of, children, waiting }) {
  const { answer, error, isLoading, again } = of;
  if (error !== undefined && answer === undefined) return html`<${Failure} error=${error} again=${again} />`;
  if (answer === undefined) return isLoading ? html`<${Loading} waiting=${waiting} />` : null;
  return children(answer);
}
