// @ts-check
/** @import { Answer, Model, OperationName, Request } from '../types/page.ts' */
import { units } from './format.js';
import { modelOf } from './model.js';

const KEY = 'swapfold-key';

/**
 * The page's server: `model` is set before the first view is drawn.
 * @type {{ model: Model, askKey: () => void }}
 */
export const server = { model: /** @type {Model} */ (/** @type {unknown} */ (undefined)), askKey: () => {} };

export const key = () => sessionStorage.getItem(KEY);
/** @param {string} value */
export const setKey = (value) => sessionStorage.setItem(KEY, value);
export const forgetKey = () => sessionStorage.removeItem(KEY);

/**
 * Below the path that the page was loaded from, so that it may stand behind a proxy.
 * @param {string} path
 */
export const addressOf = (path) => new URL(path.replace(/^\//, ''), document.baseURI).href.replace(/#.*/s, '');

export async function loadModel() {
  const response = await fetch(addressOf('openapi.json'));
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  server.model = modelOf(body);
  units.native = server.model.native;
}

export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {{ readonly error: string, readonly code?: string, readonly details?: readonly { readonly message: string }[] }} said
   */
  constructor(status, { error, code, details = [] }) {
    super(error);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Nothing answers. */
export class Unreachable extends Error {}

/**
 * Sends a request to a path below the page. Errors: `ApiError`, `Unreachable`.
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 */
async function post(path, body, signal) {
  const known = key();
  const headers = { 'Content-Type': 'application/json', ...(known === null ? {} : { 'X-Api-Key': known }) };
  const response = await fetch(addressOf(path), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: signal ?? null,
  }).catch((error) => {
    throw error.name === 'AbortError' ? error : new Unreachable('The server cannot be reached.');
  });
  if (response.ok) return response;
  if (response.status === 401) {
    forgetKey();
    server.askKey();
  }
  // A proxy answers as it likes.
  const said = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
  throw new ApiError(response.status, said);
}

/** @param {OperationName} operation */
const pathOf = (operation) => {
  const known = server.model.byName.get(operation);
  if (known === undefined) throw new Error(`The server has no operation ${operation}.`);
  return known.path;
};

/**
 * @template {OperationName} Name
 * @param {Name} operation
 * @param {Request<Name>} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer<Name>>}
 */
export async function call(operation, body, signal) {
  return (await post(pathOf(operation), body, signal)).json();
}

/**
 * The stream of the messages of topics.
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 */
export async function openStream(body, signal) {
  const answer = await post(`v1/${server.model.chain}/dex/stream`, body, signal);
  return /** @type {ReadableStream<Uint8Array>} */ (answer.body);
}

/**
 * The request as a line for a shell, which has the key in a variable: the page shows it nowhere.
 * @param {OperationName} operation
 * @param {unknown} body
 */
export function curlLine(operation, body) {
  const keyed = server.model.hasKeys ? ' -H "X-Api-Key: $SWAPFOLD_KEY"' : '';
  const data = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -s '${addressOf(pathOf(operation))}'${keyed} -H 'Content-Type: application/json' -d '${data}'`;
}
