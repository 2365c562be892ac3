// @ts-check
/** @import { FieldEvent, KindName, Profile, Ref, State } from '../../types/page.ts' */
/** @import { Found } from '../named.js' */
import { call } from '../api.js';
import { cut } from '../format.js';
import { html, useEffect, useRef, useState } from '../lib.js';
import { namedBy } from '../named.js';
import { go, href } from '../route.js';
import { Face, Name } from './links.js';

const MOST = 5;
/** Typing rests so long before it is asked for, ms. */
const REST = 150;

/** @type {(profile: Profile<'tokens'>) => Found} */
const tokenFound = ({ token_address: address, metadata }) => ({
  kind: 'token',
  address,
  name: metadata?.symbol ?? null,
  more: metadata?.name ?? null,
});

/** @type {(profile: Profile<'wallets'>) => Found} */
const walletFound = ({ wallet_address: address, metadata }) => ({
  kind: 'wallet',
  address,
  name: metadata?.name ?? null,
  more: null,
});

/**
 * The tokens and wallets that a text finds, whole matches before others; with small typos where nothing else is found.
 * @param {string} text
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ readonly tokens: readonly Found[], readonly wallets: readonly Found[] }>}
 */
async function look(text, signal) {
  const body = { query: { text, autocomplete: true }, options: { include_metadata: true }, limit: MOST };
  const [tokens, wallets] = await Promise.all([
    call('tokens.search', body, signal),
    call('wallets.search', body, signal),
  ]);
  return { tokens: tokens.data.map(tokenFound), wallets: wallets.data.map(walletFound) };
}

/** @param {Found} found */
const addressOf = ({ kind, address }) => href([kind, address]);

/** The search of the header: it goes to what is named whole, suggests while one types, and lists the rest. */
export function Find() {
  const [text, setText] = useState('');
  /** @type {State<{ readonly of: string, readonly list: readonly Found[] } | undefined>} */
  const [suggested, suggest] = useState();
  const [at, setAt] = useState(-1);
  const asked = useRef(0);
  /** @type {Ref<HTMLInputElement>} */
  const field = useRef();
  const wanted = text.trim();
  const close = () => {
    asked.current++;
    suggest(undefined);
    setAt(-1);
  };
  useEffect(() => {
    if (wanted === '') return close();
    const controller = new AbortController();
    const own = ++asked.current;
    const timer = setTimeout(async () => {
      const found = await look(wanted, controller.signal).catch(() => undefined);
      if (found === undefined || own !== asked.current) return;
      const list = [...found.tokens, ...found.wallets];
      suggest({ of: wanted, list });
      setAt(-1);
    }, REST);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [wanted]);
  useEffect(() => {
    addEventListener('hashchange', close);
    return () => removeEventListener('hashchange', close);
  }, []);
  /** @param {string} address */
  const leave = (address) => {
    close();
    setText('');
    go(address);
  };
  /** @param {Event} event */
  const find = async (event) => {
    event.preventDefault();
    if (wanted === '') return;
    const chosen = suggested?.list[at];
    if (chosen !== undefined) return leave(addressOf(chosen));
    const from = location.hash;
    const found = await look(wanted).catch(() => ({ tokens: [], wallets: [] }));
    // The reader has gone elsewhere meanwhile, or typed on.
    if (field.current.value.trim() !== wanted || location.hash !== from) return;
    const named = namedBy([...found.tokens, ...found.wallets], wanted);
    /** @type {KindName} */
    const kindName = found.tokens.length === 0 && found.wallets.length > 0 ? 'wallets' : 'tokens';
    const fuzzy = found.tokens.length + found.wallets.length === 0 ? 'yes' : undefined;
    leave(named ? addressOf(named) : href(['search', kindName], { text: wanted, fuzzy }));
  };
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key === 'Escape') close();
    const count = suggested?.list.length ?? 0;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || count === 0) return;
    event.preventDefault();
    // One place more than there are suggestions: the text itself.
    setAt(((at + 1 + step + count + 1) % (count + 1)) - 1);
  };
  const isOpen = suggested !== undefined && suggested.of === wanted;
  return html`<form role="search" onSubmit=${find} onFocusOut=${(/** @type {FocusEvent} */ event) => {
    if (!(/** @type {HTMLElement} */ (event.currentTarget).contains(/** @type {Node | null} */ (event.relatedTarget))))
      close();
  }}>
    <input ref=${field} id="find" type="search" role="combobox" autocomplete="off" aria-label="Find a token, a wallet or an address" aria-expanded=${isOpen ? 'true' : 'false'} aria-controls=${isOpen ? 'found' : undefined} aria-activedescendant=${at < 0 ? undefined : `found-${at}`} placeholder="Search a wallet, token or symbol   /" value=${text} onInput=${(/** @type {FieldEvent} */ event) => setText(event.target.value)} onKeyDown=${onKey} />
    ${isOpen && html`<${Suggestions} list=${suggested.list} at=${at} choose=${(/** @type {Found} */ one) => leave(addressOf(one))} />`}
  </form>`;
}

/** @param {{ list: readonly Found[], at: number, choose: (one: Found) => void }} props */
const Suggestions = ({ list, at, choose }) =>
  list.length === 0
    ? html`<p id="found" class="found dim" role="status">Nothing begins so. Enter looks with small typos.</p>`
    : html`<ul id="found" class="found" role="listbox" aria-label="Found">${list.map(
        (one, i) =>
          html`<li key=${`${one.kind} ${one.address}`} id=${`found-${i}`} role="option" aria-selected=${i === at ? 'true' : 'false'} onPointerDown=${(
            /** @type {Event} */ event,
          ) => {
            // The field keeps the focus until the view is another one.
            event.preventDefault();
            choose(one);
          }}><${Face} address=${one.address} kind=${one.kind} isSmall=${true} /><b><${Name} name=${one.name} address=${one.address} /></b><span class="dim">${one.more && html`<bdi>${cut(one.more, 32)}</bdi> · `}${one.kind}</span></li>`,
      )}</ul>`;
