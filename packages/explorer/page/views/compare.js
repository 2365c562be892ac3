// @ts-check
/** @import { Answer, FormEvent, MoneyUnit, Request as Body, WholeProfile, Window } from '../../types/page.ts' */
/** @import { ViewProps } from '../app.js' */
/** @import { Point } from '../parts/lines.js' */
import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { brief, gain } from '../format.js';
import { rangeOf, useInstant } from '../instant.js';
import { html } from '../lib.js';
import { Choice, UnitChoice, unitOf, windowOf } from '../parts/choices.js';
import { Lines } from '../parts/lines.js';
import { Face, Labels, Name, nameOf } from '../parts/links.js';
import { lacksUsd, NO_USD, None, toneOf } from '../parts/number.js';
import { Answered, Failure, Request } from '../parts/request.js';
import { figuresOf, useWindows } from '../parts/wallet-figures.js';
import { go, href } from '../route.js';
import { useWatched } from '../watch.js';

/**
 * Two wallets side by side: the same figures of the same window, and their equity as two lines.
 * @param {ViewProps} props
 */
export function Compare({ parts: [first, second], query }) {
  const kind = server.model.kinds.wallets;
  const window = windowOf(kind, query, '30d');
  const shown = { kind, window, unit: unitOf(query) };
  return html`
    <div class="row between top">
      <div><h1 tabindex="-1">Compare wallets</h1><p class="dim">The same window, side by side.</p></div>
      <div class="row tight"><${Choice} name="window" label="Window" options=${kind.windows} chosen=${window} /><${UnitChoice} query=${query} /></div>
    </div>
    ${first && second ? html`<${Both} key=${`${first} ${second}`} first=${first} second=${second} shown=${shown} />` : html`<${Pick} first=${first} />`}`;
}

/**
 * Which wallet to put beside: by its address, or one that is watched.
 * @param {{ first: string | undefined }} props
 */
function Pick({ first }) {
  const watched = useWatched().filter(({ kind, address }) => kind === 'wallet' && address !== first);
  /** @param {FormEvent} event */
  const pick = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    go(
      href([
        'compare',
        /** @type {string} */ (first ?? form.get('first')).trim(),
        /** @type {string} */ (form.get('second')).trim(),
      ]),
    );
  };
  return html`<div class="card">
    <form class="row controls" onSubmit=${pick}>
      ${first ? html`<p>Compare <a href=${href(['wallet', first])} title=${first}><${Name} address=${first} /></a> with</p>` : html`<label class="grow">First wallet <input name="first" required placeholder="Address" /></label>`}
      <label class="grow">${first ? 'Wallet' : 'Second wallet'} <input name="second" required placeholder="Address" /></label>
      <button>Compare</button>
    </form>
    ${
      first &&
      (watched.length > 0
        ? html`<p class="chips"><span class="dim">or one that you watch:</span> ${watched.map(({ address, name }) => html`<a key=${address} class="chip" href=${href(['compare', first, address])}><${Name} name=${name} address=${address} /></a>`)}</p>`
        : html`<p class="dim">Wallets that you watch can be chosen here. Addresses are in the <a href="#/">leaderboard</a>.</p>`)
    }
  </div>`;
}

/**
 * @param {string} wallet
 * @param {Window<'wallets'>} window
 */
function useWallet(wallet, window) {
  const body = { wallet };
  const found = useAnswer('wallets.get', body);
  const instant = useInstant('wallets', body, window, found.answer);
  return { wallet, body, found, instant, history: useWindows(wallet, window, instant, found.answer) };
}

/** @typedef {ReturnType<typeof useWallet>} Side */
/** @typedef {{ readonly window: Window<'wallets'>, readonly unit: MoneyUnit }} Shown */

/** @param {{ first: string, second: string, shown: Shown }} props */
function Both({ first, second, shown: { window, unit } }) {
  /** @type {[Side, Side]} */
  const both = [useWallet(first, window), useWallet(second, window)];
  const failed = both.find(({ found }) => found.error !== undefined && found.answer === undefined);
  if (failed) return html`<${Failure} error=${failed.found.error} again=${failed.found.again} />`;
  return html`
    <${Answered} of=${both[0].found}>${(/** @type {Answer<'wallets.get'>} */ a) => html`<${Answered} of=${both[1].found}>${(/** @type {Answer<'wallets.get'>} */ b) => html`<${Table} profiles=${[a, b]} both=${both} window=${window} unit=${unit} />`}<//>`}<//>
    <${Together} both=${both} window=${window} unit=${unit} />
    ${both.map(({ wallet, body }) => html`<${Request} key=${wallet} operation="wallets.get" body=${body} />`)}`;
}

/** @param {{ profiles: readonly WholeProfile<'wallets'>[], both: [Side, Side] } & Shown} props */
function Table({ profiles, both, window, unit }) {
  const sides = profiles.map((profile, i) =>
    figuresOf({ metrics: profile.metrics[window], unit, history: both[i === 0 ? 0 : 1].history }),
  );
  return html`<div class="card scroll" role="region" aria-label="Figures of both wallets" tabindex="0"><table class="compare">
    <caption class="unseen">Figures of both wallets</caption>
    <thead><tr><th scope="col" class="text">Figure</th>${profiles.map(
      ({ wallet_address: address, identity, labels }) =>
        html`<th key=${address} scope="col"><a class="who" href=${href(['wallet', address])} title=${address}><${Face} address=${address} isSmall=${true} /><b><${Name} name=${identity?.name} address=${address} /></b></a><span class="chips"><${Labels} kind="wallets" labels=${labels} /></span></th>`,
    )}</tr></thead>
    <tbody>${sides[0]?.map((figure, row) => {
      const pair = sides.map((side) => side[row] ?? figure);
      const [a, b] = /** @type {[number | null, number | null]} */ (pair.map(({ value }) => value));
      const better = a === null || b === null || a === b ? undefined : a > b ? 0 : 1;
      return html`<tr key=${figure.title}><th scope="row" class="text" title=${figure.name}>${figure.title}</th>${pair.map(
        (one, i) =>
          html`<td key=${i} class=${better === i ? 'better' : ''}><span class=${`big ${one.isResult ? toneOf(one.value) : ''}`}>${one.value === null ? html`<${None} why=${one.why ?? 'Not defined.'} />` : one.isResult ? gain(one.unit, one.value) : brief(one.unit, one.value)}</span><span class="dim">${one.beside}</span></td>`,
      )}</tr>`;
    })}</tbody>
  </table></div>`;
}

/**
 * What both made from the beginning of the window on, at the same instants.
 * @param {{ both: [Side, Side] } & Shown} props
 */
function Together({ both, window, unit }) {
  const instant = both[0].instant && both[1].instant && Math.max(both[0].instant, both[1].instant);
  const name = unit === 'native' ? 'pnl_native' : 'pnl';
  /** @type {(side: Side) => Body<'wallets.history'> | undefined} */
  const bodyOf = ({ wallet }) =>
    instant === undefined ? undefined : { wallet, ...rangeOf(window, instant), metrics: [name] };
  const found = [
    useAnswer('wallets.history', bodyOf(both[0]), { isFixed: true, version: both[0].found.answer?.synced_at }),
    useAnswer('wallets.history', bodyOf(both[1]), { isFixed: true, version: both[1].found.answer?.synced_at }),
  ];
  const failed = found.find(({ answer, error }) => answer === undefined && error !== undefined);
  if (failed) return html`<${Failure} error=${failed.error} again=${failed.again} />`;
  if (found.some(({ answer }) => answer === undefined))
    return html`<div class="card lines skeleton" aria-hidden="true"></div>`;
  const names = both.map(({ found: { answer }, wallet }) => nameOf(answer?.identity?.name, wallet));
  /** @type {Map<number, Point>} */
  const byTime = new Map();
  const isLacking = both.map((one) => unit !== 'native' && lacksUsd('USD', one.found.answer?.metrics?.[window]));
  for (const [i, { answer }] of found.entries()) {
    if (isLacking[i]) continue;
    let sum = 0;
    for (const point of /** @type {Answer<'wallets.history'>} */ (answer).points) {
      sum += point[name] ?? 0;
      byTime.set(point.timestamp, { ...byTime.get(point.timestamp), timestamp: point.timestamp, [i]: sum });
    }
  }
  const points = [...byTime.values()]
    .sort((a, b) => a.timestamp - b.timestamp)
    .map((point) => ({ 0: null, 1: null, ...point }));
  const series = names.map((title, i) => ({ name: String(i), unit: unit === 'native' ? 'native' : 'USD', title }));
  return html`<section class="card" aria-label="Profit of both">
    <h2 class="title">Profit of the window, added up</h2>
    ${isLacking.includes(true) && html`<p class="quiet">${names.filter((_, i) => isLacking[i]).join(', ')}: ${NO_USD}</p>`}
    ${points.length < 2 ? html`<p class="empty">Neither has traded in this window. Choose a longer one.</p>` : html`<${Lines} key=${`${window} ${unit}`} points=${points} series=${series} label=${`Profit of ${names.join(' and of ')}`} />`}
  </section>`;
}
