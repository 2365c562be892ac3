import { useCallback, useEffect, useRef, useState } from './lib.js';
import { modelOf } from './model.js';
import { useSettings } from './settings.js';

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
}

export class ApiError extends Error {
  constructor(status, { error, code, details = [] }) {
    super(error);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export async function call(operation, body, signal) {
  const headers = { 'Content-Type': 'application/json' };
  if (key() !== null) headers['X-Api-Key'] = key();
  const path = server.model.byName.get(operation).path;
  const response = await fetch(addressOf(path), { method: 'POST', headers, body: JSON.stringify(body), signal });
  const answer = await response.json();
  if (response.ok) return answer;
  if (response.status === 401) {
    forgetKey();
    server.askKey();
  }
  throw new ApiError(response.status, answer);
}

/** The request as a line for a shell, which has the key in a variable: the page shows it nowhere. */
export function curlLine(operation, body) {
  const keyed = server.model.hasKeys ? ' -H "X-Api-Key: $SWAPFOLD_KEY"' : '';
  const data = JSON.stringify(body).replaceAll("'", "'\\''");
  const path = server.model.byName.get(operation).path;
  return `curl -s '${addressOf(path)}'${keyed} -H 'Content-Type: application/json' -d '${data}'`;
}

/**
 * The answer to a request, asked again when the request changes, and every so often if the settings say so. While it comes, the answer before
 * is there still. Without a body nothing is asked.
 */
export function useAnswer(operation, body) {
  const { reload } = useSettings();
  const [state, setState] = useState({ isLoading: true });
  const [round, setRound] = useState(0);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const asked = useRef();
  useEffect(() => {
    if (text === undefined) return undefined;
    const controller = new AbortController();
    const isSame = asked.current === operation + text;
    asked.current = operation + text;
    setState((before) => ({ ...before, isLoading: !isSame || before.answer === undefined }));
    call(operation, JSON.parse(text), controller.signal).then(
      (answer) => setState({ answer, isLoading: false }),
      (error) => controller.signal.aborted || setState({ error, isLoading: false }),
    );
    return () => controller.abort();
  }, [operation, text, round]);
  useEffect(() => {
    const seconds = Number(reload);
    if (!(seconds > 0)) return undefined;
    const timer = setInterval(() => document.hidden || setRound((n) => n + 1), seconds * 1000);
    return () => clearInterval(timer);
  }, [reload]);
  const again = useCallback(() => setRound((n) => n + 1), []);
  return { ...state, again, operation, body };
}

/** Pages of a list, the ones asked for so far as one list; `listIn` finds it in an answer. */
export function usePages(operation, body, listIn = ({ data }) => data) {
  const first = useAnswer(operation, body);
  const [more, setMore] = useState({ of: undefined, pages: [] });
  const pages = more.of === first.answer ? more.pages : [];
  const all = first.answer === undefined ? [] : [first.answer, ...pages];
  const cursor = all.at(-1)?.cursor;
  const next = async () => {
    const page = await call(operation, { ...body, cursor });
    setMore({ of: first.answer, pages: [...pages, page] });
  };
  return { ...first, rows: all.flatMap(listIn), count: first.answer?.count, next: cursor && next };
}
