// @ts-check
/** @import { Kinds, MoneyUnit, Request, WholeProfile, Window } from '../../types/page.ts' */
/** @import { ApiError } from '../api.js' */
import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { duration, gain } from '../format.js';
import { html } from '../lib.js';
import { href } from '../route.js';
import { Face, Name } from './links.js';
import { toneOf } from './number.js';
import { Failure } from './request.js';

/**
 * @typedef {object} BestProps
 * @property {Kinds['positions']['filter']} filter
 * @property {Window<'positions'>} window
 * @property {MoneyUnit} unit
 * @property {boolean} isLacking
 * @property {'token' | 'wallet'} subject What each position is of: a wallet's token or a token's wallet.
 */

/**
 * The two best positions of a filter and the worst one, as cards.
 * @param {BestProps} props
 */
export function Best({ filter, window, unit, isLacking, subject }) {
  const name = unit === 'native' || isLacking ? 'pnl_native' : 'pnl';
  /** @type {`metrics.${typeof window}.${typeof name}`} */
  const field = `metrics.${window}.${name}`;
  // What a wallet exchanges of one currency for another counts for none of its results.
  const skipped = subject === 'token' ? { token_address: { $nin: server.model.quotes } } : {};
  /** @type {(direction: 'asc' | 'desc', limit: number) => Request<'positions.search'>} */
  const bodyOf = (direction, limit) => ({
    filter: { ...filter, ...skipped, [field]: direction === 'desc' ? { $gt: 0 } : { $lt: 0 } },
    sort: { field, direction },
    options: { include_metadata: true, include_metrics: [window] },
    limit,
  });
  const best = useAnswer('positions.search', bodyOf('desc', 2));
  const worst = useAnswer('positions.search', bodyOf('asc', 1));
  // Of a token with more traders than can be sorted by it there is no best one.
  if (/** @type {Partial<ApiError> | undefined} */ (best.error)?.code === 'invalid-filter') return null;
  if (best.answer === undefined || worst.answer === undefined)
    return html`<${Failure} error=${best.error ?? worst.error} again=${best.error ? best.again : worst.again} />`;
  const cards = [
    ...best.answer.data.map((position, i) => [['Best', 'Second'][i], position]),
    ...worst.answer.data.map((position) => ['Worst', position]),
  ];
  if (cards.length === 0) return null;
  return html`<div class="grid three">${cards.map(
    ([title, position]) =>
      html`<${Card} key=${title} title=${title} position=${position} window=${window} name=${name} subject=${subject} />`,
  )}</div>`;
}

/**
 * @param {object} props
 * @param {string} props.title
 * @param {WholeProfile<'positions'>} props.position
 * @param {Window<'positions'>} props.window
 * @param {'pnl' | 'pnl_native'} props.name
 * @param {'token' | 'wallet'} props.subject
 */
function Card({ title, position, window, name, subject }) {
  const { wallet_address: wallet, token_address: token, metadata } = position;
  const metrics = position.metrics[window];
  const address = subject === 'token' ? token : wallet;
  const roi = metrics[name === 'pnl' ? 'roi' : 'roi_native'];
  const held =
    metadata.state === 'open' ? 'still open' : metadata.held === null ? '' : `held ${duration(metadata.held)}`;
  return html`<a class="card result-card" href=${href(['position', wallet, token])}>
    <span class="title">${title}</span>
    <span class="row">
      <span class="who"><${Face} address=${address} kind=${subject} isSmall=${true} /><b><${Name} name=${subject === 'token' ? metadata.symbol : undefined} address=${address} /></b></span>
      <span class=${`big ${toneOf(metrics[name])}`}>${gain(name === 'pnl' ? 'USD' : 'native', metrics[name])}</span>
    </span>
    <span class="dim">${[roi === null ? '' : gain('percent', roi), held].filter(Boolean).join(' · ')}</span>
  </a>`;
}
