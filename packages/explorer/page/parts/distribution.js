// @ts-check
/** @import { Kind, PartName, Profile, Window } from '../../types/page.ts' */
import { brief } from '../format.js';
import { html } from '../lib.js';
import { Metric } from './number.js';

/**
 * From the worst results to the best.
 * @type {readonly (readonly [name: PartName, text: string, tone: string])[]}
 */
const buckets = [
  ['lt_neg50_0', '−50 % and worse', 'down deep'],
  ['neg50_0', '−50 to 0 %', 'down'],
  ['0_200', '0 to 200 %', 'up pale'],
  ['200_500', '200 to 500 %', 'up'],
  ['gt_500', 'above 500 %', 'up deep'],
];

/**
 * @typedef {{ readonly kind: Kind<'wallets'>, readonly profile: Profile<'wallets'>, readonly window: Window<'wallets'>, readonly group: 'token_roi_distribution' }} OfWallet
 * @typedef {{ readonly kind: Kind<'tokens'>, readonly profile: Profile<'tokens'>, readonly window: Window<'tokens'>, readonly group: 'wallet_roi_distribution' }} OfToken
 */

/**
 * How many results there are of each size: `group` is the metric whose parts are the sizes.
 * @param {(OfWallet | OfToken) & { readonly ids: readonly string[], readonly noun: string }} props
 */
export function Distribution(props) {
  const { kind, ids, group, window, noun } = props;
  const counts =
    props.group === 'token_roi_distribution'
      ? props.profile.metrics?.[props.window]?.[props.group]
      : props.profile.metrics?.[props.window]?.[props.group];
  if (counts === undefined) return null;
  const sum = buckets.reduce((total, [name]) => total + counts[name], 0);
  const title = `Results of ${brief('count', sum)} ${sum === 1 ? noun.slice(0, -1) : noun}`;
  return html`<section aria-label=${`Distribution of results, ${window}`}>
    <h2 class="title" title=${group}>${title}</h2>
    ${
      sum === 0
        ? html`<p class="dim">Nothing was sold in this window whose cost is known.</p>`
        : html`<div class="bar" aria-hidden="true">${buckets.map(([name, , tone]) => counts[name] > 0 && html`<i key=${name} class=${tone} style=${{ flexGrow: counts[name] }}></i>`)}</div>`
    }
    <table class="legend"><caption class="unseen">${title}</caption><tbody>${buckets.map(([name, text, tone]) => {
      const path = `${group}.${name}`;
      return html`<tr key=${name}>
        <th scope="row"><i class=${tone} aria-hidden="true"></i>${text}</th>
        <td><${Metric} kind=${kind.kind} ids=${ids} name=${path} window=${window} value=${counts[name]} metric=${kind.metrics[path]} /></td>
      </tr>`;
    })}</tbody></table>
  </section>`;
}
