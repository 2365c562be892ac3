// @ts-check
/** @import { Answer, Asked, AskedPages, OperationName, PagedName, Ref, Request, RowOf, Wanted } from '../types/page.ts' */
import { call } from './api.js';
import { useCallback, useEffect, useRef, useState } from './lib.js';
import { subscribe } from './live.js';
import { useSettings } from './settings.js';
import { topicOf } from './topics.js';

/** A part of a view asks at most so often, ms, however often something changes. */
const AT_MOST_EVERY = 1000;
/** After a failure it asks again by itself, s. */
const AFTER_FAILURE = 30;

/**
 * The answer to a request, asked again when the request changes, and when what it is about changes (or every so often, as the settings say).
 * While it comes, the answer before is there still. Without a body nothing is asked. Of `isFixed` nothing changes but by another `version`.
 * @template {OperationName} Name
 * @param {Name} operation
 * @param {Request<Name> | undefined} body
 * @param {{ readonly isFixed?: boolean, readonly version?: string | null | undefined }} [options]
 * @returns {Asked<Name>}
 */
export function useAnswer(operation, body, { isFixed = false, version } = {}) {
  const [state, setState] = useState(
    /** @type {Pick<Asked<Name>, 'answer' | 'error' | 'isLoading'> & { readonly of?: string | undefined }} */ ({
      isLoading: true,
    }),
  );
  const [round, setRound] = useState(0);
  const text = body === undefined ? undefined : JSON.stringify(body);
  /** @type {Ref<string | undefined>} */
  const asked = useRef();
  useEffect(() => {
    if (text === undefined) return undefined;
    const controller = new AbortController();
    const of = operation + text;
    asked.current = of;
    setState((before) => ({ ...before, isLoading: before.of !== of }));
    call(operation, JSON.parse(text), controller.signal).then(
      (answer) => setState({ answer, of, isLoading: false }),
      (error) => {
        if (controller.signal.aborted) return;
        // What was there before stays, and is asked for again.
        setState((before) => (before.of === of ? { ...before, error, isLoading: false } : { error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [operation, text, round, version]);
  const again = useCallback(() => setRound((n) => n + 1), []);
  const topic = isFixed || body === undefined ? undefined : topicOf(operation, body, state.answer);
  useChanges({ topic, isFixed, hasFailed: state.error !== undefined && body !== undefined }, again);
  const isOther = text !== undefined && asked.current !== operation + text;
  const { of: _, ...known } = state;
  return { ...known, isLoading: known.isLoading || isOther, again, operation, body };
}

/**
 * The answer to what is asked now: not the one before, which stays while another one comes.
 * @type {<Name extends OperationName>(asked: Asked<Name>) => Answer<Name> | undefined}
 */
export const answerOf = ({ answer, isLoading }) => (isLoading ? undefined : answer);

/**
 * Calls `again` when the answer is no longer the newest.
 * @param {{ readonly topic: Wanted | undefined, readonly isFixed: boolean, readonly hasFailed: boolean }} of
 * @param {() => void} again
 */
function useChanges({ topic, isFixed, hasFailed }, again) {
  const { reload } = useSettings();
  const text = reload === 'live' && topic !== undefined && topic.name !== undefined ? JSON.stringify(topic) : undefined;
  useEffect(() => {
    if (text === undefined) return undefined;
    const { name, params } = JSON.parse(text);
    const { onChange, end } = seldom(again);
    const unsubscribe = subscribe(name, params, onChange);
    return () => {
      unsubscribe();
      end();
    };
  }, [text]);
  // A leaderboard is told of those whom it shows; who enters it is found by asking.
  const live = hasFailed ? AFTER_FAILURE : (topic?.pollSeconds ?? 0);
  const seconds = isFixed ? 0 : reload === 'live' ? live : Number(reload);
  useEffect(() => {
    if (!(seconds > 0)) return undefined;
    const timer = setInterval(() => document.hidden || again(), seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds]);
}

/**
 * Calls at most once a second, the last time after the last change, and not while nobody looks.
 * @param {() => void} act
 */
function seldom(act) {
  let last = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const run = () => {
    timer = undefined;
    if (document.hidden) return document.addEventListener('visibilitychange', onChange, { once: true });
    last = performance.now();
    return act();
  };
  const onChange = () => {
    timer ??= setTimeout(run, Math.max(0, last + AT_MOST_EVERY - performance.now()));
  };
  return {
    onChange,
    end() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onChange);
    },
  };
}

/**
 * @template Page
 * @typedef {object} Pages The pages after the first one, which is `kept` while they go on from it.
 * @property {string} of
 * @property {readonly Page[]} pages
 * @property {Page | undefined} [kept]
 * @property {Error} [failure]
 */

/**
 * Pages of a list, the ones asked for so far as one list; `listIn` finds it in an answer. A list of several pages does not change by itself,
 * because its later pages go on from the first one.
 * @template {PagedName} Name
 * @template [Row=RowOf<Name>]
 * @param {Name} operation
 * @param {Request<Name> | undefined} body
 * @param {(answer: Answer<Name>) => readonly Row[]} [listIn]
 * @returns {AskedPages<Name, Row>}
 */
export function usePages(operation, body, listIn = (/** @type {any} */ { data }) => data) {
  const text = JSON.stringify(body);
  const [more, setMore] = useState(/** @type {Pages<Answer<Name>>} */ ({ of: text, pages: [] }));
  /** @type {Omit<Pages<Answer<Name>>, 'of'>} */
  const { kept, pages, failure } = more.of === text ? more : { pages: [] };
  const first = useAnswer(operation, body, { isFixed: kept !== undefined });
  const answer = kept ?? first.answer;
  const all = answer === undefined ? [] : [answer, ...pages];
  const cursor = all.at(-1)?.cursor;
  const next = async () => {
    // Its later pages go on from this one.
    setMore({ of: text, kept: answer, pages });
    try {
      const page = await call(operation, { ...body, cursor });
      setMore({ of: text, kept: answer, pages: [...pages, page] });
    } catch (error) {
      setMore({ of: text, kept: pages.length > 0 ? answer : undefined, pages, failure: /** @type {Error} */ (error) });
    }
  };
  const again = () => {
    setMore({ of: text, pages: [] });
    first.again();
  };
  return {
    ...first,
    answer,
    error: first.error ?? failure,
    again,
    rows: all.flatMap(listIn),
    count: answer?.count,
    next: cursor && next,
  };
}
