// @ts-check
/** @import { Message, TradeId } from '../../types/page.ts' */
/** @import { Retracted, Trade } from '@swapfold/client' */
/** @import { Watched } from '../watch.js' */
import { brief, when } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { subscribe } from '../live.js';
import { href } from '../route.js';
import { useSettings } from '../settings.js';
import { useWatched } from '../watch.js';
import { Name } from './links.js';

const MOST = 50;
const SHOWN_MS = 12_000;

/** The trades of what one watches since the page was opened, newest first. */
let seen = /** @type {readonly Alert[]} */ ([]);
/** @type {Set<() => void>} */
const listeners = new Set();

/** @typedef {{ readonly id: string, readonly trade: Trade, readonly at: number }} Alert */

/** @param {TradeId} trade */
const idOf = ({ tx_hash: hash, wallet, token }) => `${hash} ${wallet} ${token}`;

/**
 * A trade that is sent again takes the place of what it was.
 * @param {readonly Trade[]} trades
 */
function note(trades) {
  if (trades.length === 0) return;
  const given = new Map(trades.map((trade) => [idOf(trade), trade]));
  const kept = seen.map((one) => ({ ...one, trade: given.get(one.id) ?? one.trade }));
  for (const { id } of seen) given.delete(id);
  const fresh = [...given].map(([id, trade]) => ({ id, trade, at: Date.now() }));
  seen = [...fresh.reverse(), ...kept].slice(0, MOST);
  for (const listener of listeners) listener();
}

/**
 * What is taken back has not happened.
 * @param {Retracted} of
 */
function retract({ trades = [], from_block_slot: from = Number.POSITIVE_INFINITY }) {
  const gone = new Set(trades.map(idOf));
  const left = seen.filter(({ id, trade }) => !gone.has(id) && !((trade.block_slot ?? 0) >= from));
  if (left.length === seen.length) return;
  seen = left;
  for (const listener of listeners) listener();
}

export function useAlerts() {
  const [list, setList] = useState(seen);
  useEffect(() => {
    const listener = () => setList(seen);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return list;
}

/** Follows the trades of what is watched, and shows each for some seconds. */
export function Alerts() {
  const watched = useWatched();
  const { alerts } = useSettings();
  /** @param {Watched['kind']} kind */
  const addresses = (kind) => watched.filter((one) => one.kind === kind).map(({ address }) => address);
  const asked = alerts === 'on' ? JSON.stringify([addresses('wallet'), addresses('token')]) : '[[],[]]';
  useEffect(() => {
    const [wallets, tokens] = JSON.parse(asked);
    /** @param {Message<'trades'>} [message] */
    const hear = (message) => {
      if (message?.retracted !== undefined) retract(message.retracted);
      if (message !== undefined) note(message.data);
    };
    const ends = [
      ...(wallets.length > 0 ? [subscribe('trades', { wallets }, hear)] : []),
      ...(tokens.length > 0 ? [subscribe('trades', { tokens }, hear)] : []),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [asked]);
  const list = useAlerts();
  const [, draw] = useState(0);
  useEffect(() => {
    if (list.length === 0) return undefined;
    const timer = setTimeout(() => draw((/** @type {number} */ n) => n + 1), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [list]);
  const shown = list.filter(({ at }) => Date.now() - at < SHOWN_MS).slice(0, 3);
  return html`<aside class="alerts" aria-label="Alerts" aria-live="polite">${shown.map(
    ({ id, trade }) =>
      html`<p key=${id} class="card alert"><${Happened} trade=${trade} watched=${watched} /> <span class="dim">${when(trade.block_time)}</span></p>`,
  )}</aside>`;
}

/**
 * "morning-desk bought LARK for $1,200".
 * @param {{ trade: Trade, watched: readonly Watched[] }} props
 */
export function Happened({ trade, watched }) {
  const own = watched.find(({ kind, address }) => kind === 'wallet' && address === trade.wallet);
  const { direction, usd_amount: usd, native_amount: native } = trade;
  const worth = usd === null ? (native === null ? '' : `for ${brief('native', native)}`) : `for ${brief('USD', usd)}`;
  return html`<a href=${href(['wallet', trade.wallet])}><${Name} name=${own?.name} address=${trade.wallet} /></a> <span class=${direction === 'buy' ? 'up' : 'down'}>${direction === 'buy' ? 'bought' : 'sold'}</span> <a href=${href(['token', trade.token])}><${Name} name=${trade.token_symbol} address=${trade.token} /></a> ${worth}`;
}
