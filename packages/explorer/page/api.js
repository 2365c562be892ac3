import { units } from './format.js';
import { modelOf } from './model.js';

const KEY = 'swapfold-key';

/** The page's server: `model` is set before the first view is drawn. */
export const server = { model: undefined, askKey: () => {} };

export const key = () => sessionStorage.getItem(KEY);
export const setKey = (value) => sessionStorage.setItem(KEY, value);
export const forgetKey = () => sessionStorage.removeItem(KEY);

/** Below the path that the page was loaded from, so that it may stand behind a proxy. */
export const addressOf = (path) => new URL(path.replace(/^\//, ''), document.baseURI).href.split('#')[0];

export async function loadModel() {
  const response = await fetch(addressOf('openapi.json'));
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  server.model = modelOf(body);
  units.native = server.model.native;
}

export class ApiError extends Error {
  constructor(status, { error, code, details = [] }) {
    super(error);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Nothing answers. */
export class Unreachable extends Error {}

/** Sends a request to a path below the page. Errors: `ApiError`, `Unreachable`. */
async function post(path, body, signal) {
  const headers = { 'Content-Type': 'application/json' };
  if (key() !== null) headers['X-Api-Key'] = key();
  const response = await fetch(addressOf(path), { method: 'POST', headers, body: JSON.stringify(body), signal }).catch(
    (error) => {
      throw error.name === 'AbortError' ? error : new Unreachable('The server cannot be reached.');
    },
  );
  if (response.ok) return response;
  if (response.status === 401) {
    forgetKey();
    server.askKey();
  }
  // A proxy answers as it likes.
  const said = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
  throw new ApiError(response.status, said);
}

export async function call(operation, body, signal) {
  return (await post(server.model.byName.get(operation).path, body, signal)).json();
}

/** The stream of the messages of topics. */
export async function openStream(body, signal) {
  return (await post(`v1/${server.model.chain}/dex/stream`, body, signal)).body;
}

/** The request as a line for a shell, which has the key in a variable: the page shows it nowhere. */
export function curlLine(operation, body) {
  const keyed = server.model.hasKeys ? ' -H "X-Api-Key: $SWAPFOLD_KEY"' : '';
  const data = JSON.stringify(body).replaceAll("'", "'\\''");
  const path = server.model.byName.get(operation).path;
  return `curl -s '${addressOf(path)}'${keyed} -H 'Content-Type: application/json' -d '${data}'`;
}
