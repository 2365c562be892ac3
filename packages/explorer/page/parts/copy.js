// @ts-check
/** @import { Answer, Request as Body } from '../../types/page.ts' */
/** @import { ApiError } from '../api.js' */
import { useAnswer } from '../answers.js';
import { brief, count } from '../format.js';
import { html } from '../lib.js';
import { Choice } from './choices.js';
import { toneOf, Value } from './number.js';
import { Answered, Request } from './request.js';

/** @typedef {Answer<'wallets.simulate'>} Simulation */
/** @typedef {{ readonly title: string, readonly roi: number | null, readonly pnl: number, readonly meaning: string }} Row */

const sizes = ['50', '100', '500', '2000'];
const fees = ['0', '0.5', '1', '2'];
const spans = ['all', '30', '7', '1'];

/** @type {(options: readonly string[], chosen: string | null, usual: string) => string} */
const known = (options, chosen, usual) => options.find((one) => one === chosen) ?? usual;

/**
 * What a follower of a wallet would have made some seconds later, with fees, beside what the wallet made.
 * @param {{ wallet: string, query: URLSearchParams, instant: number | undefined }} props
 */
export function Copy({ wallet, query, instant }) {
  const size = known(sizes, query.get('size'), '100');
  const fee = known(fees, query.get('fee'), '1');
  const span = known(spans, query.get('days'), 'all');
  const from = span === 'all' || instant === undefined ? undefined : instant - Number(span) * 86_400;
  /** @type {Body<'wallets.simulate'>} */
  const body = {
    wallet,
    size: Number(size),
    fee: { percent: Number(fee) },
    delays: [0, 1, 5, 30],
    ...(from === undefined ? {} : { from: new Date(from * 1000).toISOString() }),
  };
  const found = useAnswer('wallets.simulate', span === 'all' || from !== undefined ? body : undefined, {
    isFixed: true,
  });
  const isTooLong = /** @type {Partial<ApiError> | undefined} */ (found.error)?.code === 'too-many-points';
  return html`<section aria-label="Copy">
    <div class="row controls">
      <${Choice} name="size" label="USD of a buy" options=${sizes.map((one) => [one, `$${count(Number(one))}`])} chosen=${size} />
      <${Choice} name="fee" label="Fee of each trade" options=${fees.map((one) => [one, `${one} % fee`])} chosen=${fee} />
      <${Choice} name="days" label="Which trades are followed" options=${spans.map((one) => [one, one === 'all' ? 'All time' : `${one}d`])} chosen=${span} />
    </div>
    ${
      isTooLong
        ? html`<p class="hint">The wallet has more trades than one copy repeats. Choose fewer days.</p>`
        : html`<${Answered} of=${found}>${(/** @type {Simulation} */ answer) => html`<${Result} answer=${answer} size=${`$${count(Number(size))}`} />`}<//>`
    }
    <${Request} operation="wallets.simulate" body=${body} />
  </section>`;
}

/** @param {{ answer: Simulation, size: string }} props */
function Result({ answer, size }) {
  const { count: all, leader, leader_actual: actual, decay, follower, unvalued_count: unvalued } = answer;
  if (all === 0) return html`<p class="dim">The wallet has no trade that could be followed.</p>`;
  const rows = [
    rowOf('The wallet', actual, 'What it made with its own money.'),
    ...decay.map((one) => rowOf(`${one.delay} s later`, one, `What a follower makes who trades ${one.delay} s later.`)),
    rowOf(`At its prices`, leader, `${size} a buy at the prices of the wallet, without fees: nobody gets these.`),
  ];
  // Prices that nobody gets may be far off.
  const most = Math.max(...rows.slice(0, -1).map(({ roi }) => Math.abs(roi ?? 0)));
  return html`
    <table class="copy"><caption class="unseen">What a copy would have made</caption>
      <thead><tr><th scope="col"></th><th scope="col">Return</th><th scope="col" class="wide"><span class="unseen">Drawn</span></th><th scope="col">Profit</th></tr></thead>
      <tbody>${rows.map((row) => html`<${Line} key=${row.title} row=${row} most=${most} />`)}</tbody>
    </table>
    <p class="dim">A follower buys for ${size}, fee included, when the wallet buys, and sells as large a part as it sells, each time at the worst price that stored trades leave open.
      ${follower.unknown_count > 0 && ` The pool of ${brief('count', follower.unknown_count)} of ${brief('count', all)} trades has shown too few prices to say how deep it is: these cost 10 % more.`}
      ${unvalued > 0 && ` ${brief('count', unvalued)} ${unvalued === 1 ? 'buy has no value in USD and is' : 'buys have no value in USD and are'} left out.`}</p>`;
}

/** @type {(title: string, made: Simulation['leader'], meaning: string) => Row} */
const rowOf = (title, { roi, realized_pnl: realized, unrealized_pnl: open }, meaning) => ({
  title,
  roi,
  pnl: realized + open,
  meaning,
});

/** @param {{ row: Row, most: number }} props */
function Line({ row: { title, roi, pnl, meaning }, most }) {
  const part = most === 0 ? 0 : Math.min(1, Math.abs(roi ?? 0) / most);
  return html`<tr>
    <th scope="row" title=${meaning}>${title}</th>
    <td><${Value} name="roi" unit="percent" value=${roi} /></td>
    <td class="wide"><div class="bar" aria-hidden="true"><i class=${toneOf(roi)} style=${{ width: `${part * 100}%` }}></i></div></td>
    <td><${Value} name="pnl" unit="USD" value=${pnl} /></td>
  </tr>`;
}
