// @ts-check
/** @import { Answer, Request as Body } from '../../types/page.ts' */
import { useAnswer } from '../answers.js';
import { brief } from '../format.js';
import { html } from '../lib.js';
import { Choice } from './choices.js';
import { toneOf, Value } from './number.js';
import { Answered, Request } from './request.js';

/** @typedef {Answer<'wallets.simulate'>} Simulation */
/** @typedef {{ readonly title: string, readonly roi: number | null, readonly pnl: number, readonly missed?: number }} Row */

const sizes = ['50', '100', '500', '2000'];
const fees = ['0', '0.5', '1', '2'];

/** @type {(options: readonly string[], chosen: string | null, usual: string) => string} */
const known = (options, chosen, usual) => options.find((one) => one === chosen) ?? usual;

/**
 * What a follower of a wallet would have made some seconds later, with fees, beside what the wallet made.
 * @param {{ wallet: string, query: URLSearchParams }} props
 */
export function Copy({ wallet, query }) {
  const size = known(sizes, query.get('size'), '100');
  const fee = known(fees, query.get('fee'), '1');
  /** @type {Body<'wallets.simulate'>} */
  const body = { wallet, size: Number(size), fee: { percent: Number(fee) }, delays: [0, 1, 5, 30] };
  const found = useAnswer('wallets.simulate', body, { isFixed: true });
  return html`<section aria-label="Copy">
    <div class="row controls">
      <${Choice} name="size" label="USD of a buy" options=${sizes.map((one) => [one, `$${one}`])} chosen=${size} />
      <${Choice} name="fee" label="Fee of each trade" options=${fees.map((one) => [one, `${one} % fee`])} chosen=${fee} />
    </div>
    <${Answered} of=${found}>${(/** @type {Simulation} */ answer) => html`<${Result} answer=${answer} />`}<//>
    <${Request} operation="wallets.simulate" body=${body} />
  </section>`;
}

/** @param {{ answer: Simulation }} props */
function Result({ answer }) {
  const { count, leader, leader_actual: actual, decay, follower, unvalued_count: unvalued } = answer;
  if (count === 0) return html`<p class="dim">The wallet has no trade that could be followed.</p>`;
  const rows = [
    rowOf('The wallet itself', actual),
    rowOf('Its prices, this size', leader),
    ...decay.map((one) => rowOf(`${one.delay} s later`, one)),
  ];
  const most = Math.max(...rows.map(({ roi }) => Math.abs(roi ?? 0)));
  const unknown = `${brief('count', follower.unknown_count)} of ${brief('count', count)} trades met a pool whose depth is not known.`;
  return html`
    <table><caption class="unseen">What a copy would have made</caption>
      <thead><tr><th scope="col"></th><th scope="col">Return</th><th scope="col"><span class="unseen">Drawn</span></th><th scope="col">Profit</th><th scope="col">Missed</th></tr></thead>
      <tbody>${rows.map((row) => html`<${Line} key=${row.title} row=${row} most=${most} />`)}</tbody>
    </table>
    <p class="dim">From stored prints, at the worst price that they leave open. ${follower.unknown_count > 0 && unknown}
      ${unvalued > 0 && ` ${brief('count', unvalued)} buys have no value and are left out.`}</p>`;
}

/** @type {(title: string, made: Simulation['leader'] & { readonly missed_count?: number }) => Row} */
const rowOf = (title, { roi, realized_pnl: realized, unrealized_pnl: open, missed_count: missed }) => ({
  title,
  roi,
  pnl: realized + open,
  ...(missed === undefined ? {} : { missed }),
});

/** @param {{ row: Row, most: number }} props */
function Line({ row: { title, roi, pnl, missed }, most }) {
  const part = most === 0 ? 0 : Math.abs(roi ?? 0) / most;
  return html`<tr>
    <th scope="row">${title}</th>
    <td><${Value} name="roi" unit="percent" value=${roi} /></td>
    <td style=${{ width: '40%' }}><div class="bar" aria-hidden="true"><i class=${toneOf(roi)} style=${{ width: `${part * 100}%` }}></i></div></td>
    <td><${Value} name="pnl" unit="USD" value=${pnl} /></td>
    <td>${missed === undefined ? '' : html`<${Value} unit="count" value=${missed} />`}</td>
  </tr>`;
}
