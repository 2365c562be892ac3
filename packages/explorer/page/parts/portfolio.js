// @ts-check
/** @import { Answer, Column } from '../../types/page.ts' */
/** @import { PortfolioToken } from '@swapfold/client' */
import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { html } from '../lib.js';
import { Face, TokenLink } from './links.js';
import { Value } from './number.js';
import { Answered, Request } from './request.js';
import { Table } from './table.js';

/** @type {readonly (readonly [name: keyof PortfolioToken, unit: string, title: string])[]} */
const holdings = [
  ['token', 'text', 'Token'],
  ['balance', 'amount', 'Holds'],
  ['price', 'USD per token', 'Price'],
  ['value', 'USD', 'Worth'],
  ['cost_basis', 'USD', 'Cost'],
  ['unrealized_pnl', 'USD', 'Unrealised'],
];

/** What of the worth of a token came in without a known cost: worth = cost + unrealised + this. */
const MEANING =
  'unmatched_amount x price: what of its worth came in without a known cost. Worth = cost + unrealised + this.';

/**
 * What a wallet holds.
 * @param {{ wallet: string }} props
 */
export function Portfolio({ wallet }) {
  const body = { wallet };
  const found = useAnswer('portfolios.get', body);
  const { properties } = server.model.schemas.PortfolioToken;
  /** @type {readonly Column<PortfolioToken>[]} */
  const columns = holdings.map(([name, unit, title]) => ({
    name,
    title,
    csv: name,
    isText: unit === 'text',
    meaning: `${name}: ${properties[name].description}`,
    value: (token) => token[name],
    cell: (token) =>
      name === 'token'
        ? html`<span class="who"><${Face} kind="token" address=${token.token} isSmall=${true} /><${TokenLink} address=${token.token} symbol=${token.symbol} /></span>`
        : html`<${Value} unit=${unit} value=${token[name]} meaning=${properties[name].description} name=${name} />`,
  }));
  /** @type {Column<PortfolioToken>} */
  const unmatched = {
    name: 'unmatched_amount',
    title: 'Without known cost',
    csv: 'unmatched_amount',
    meaning: MEANING,
    value: (token) => token.unmatched_amount,
    cell: ({ unmatched_amount: amount, price }) =>
      html`<${Value} unit="USD" value=${price === null ? null : amount * price} meaning=${MEANING} />`,
  };
  return html`<section aria-label="Portfolio">
    <${Answered} of=${found}>${(/** @type {Answer<'portfolios.get'>} */ { value, tokens }) => html`
      <p class="dim">Worth <b><${Value} unit="USD" value=${value} /></b> in tokens with a known price.</p>
      <${Table} caption="Tokens held" file=${`portfolio-${wallet}`} columns=${[...columns, unmatched]} rows=${tokens} empty="It holds nothing that its swaps tell of." />`}<//>
    <${Request} operation="portfolios.get" body=${body} />
  </section>`;
}
