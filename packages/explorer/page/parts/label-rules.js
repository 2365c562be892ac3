// @ts-check
/** @import { Kind, KindName, LabelRule, Profile, Request as Body } from '../../types/page.ts' */
/** @import { ExplainedClause } from '@swapfold/client' */
import { useAnswer } from '../answers.js';
import { html } from '../lib.js';
import { Answered, Request } from './request.js';

/** A search explains so many labels. */
const MOST = 16;

/** @typedef {{ readonly label: string, readonly name: string, readonly rule: LabelRule | undefined }} Matched */

/**
 * The rules that gave a profile its labels.
 * @param {Kind} kind
 * @param {Profile} profile
 * @returns {readonly Matched[]}
 */
function matchedRules(kind, { matched_labels: matched = {} }) {
  return Object.entries(matched).flatMap(([label, names]) =>
    names.map((name) => ({ label, name, rule: kind.rules.find((one) => one.label === label && one.rule === name) })),
  );
}

/**
 * A search for this profile alone that explains the rules, each as a label of the request.
 * @param {Kind} kind
 * @param {readonly string[]} ids
 * @param {readonly Matched[]} rules
 * @returns {Body<`${KindName}.search`>}
 */
function requestFor(kind, ids, rules) {
  const [first, token] = ids;
  const filter = kind.kind === 'tokens' ? { token_address: first } : { wallet_address: first, token_address: token };
  const labels = rules.map(({ rule }, i) => [`rule-${i}`, rule?.filter]);
  return { filter, dynamic_labels: Object.fromEntries(labels), explain: true, options: {}, limit: 1 };
}

/**
 * Each label with the rule that gave it and, clause by clause, what the rule asks for and what it found.
 * @param {{ kind: Kind, ids: readonly string[], profile: Profile }} props
 */
export function LabelRules({ kind, ids, profile }) {
  const matched = matchedRules(kind, profile);
  const known = matched.filter(({ rule }) => rule !== undefined).slice(0, MOST);
  const body = known.length === 0 ? undefined : requestFor(kind, ids, known);
  const found = useAnswer(`${kind.kind}.search`, body);
  const unruled = (profile.labels ?? []).filter((label) => !(label in (profile.matched_labels ?? {})));
  if (matched.length === 0 && unruled.length === 0) return null;
  return html`<section aria-label="Labels">
    <h2>Labels</h2>
    ${unruled.length > 0 && html`<p>${unruled.join(', ')}: from the registry.</p>`}
    ${matched.map((one) => {
      const at = known.indexOf(one);
      return html`<details key=${`${one.label} ${one.name}`} class="rule">
        <summary><b>${one.label}</b>: the rule ${one.name} holds</summary>
        ${at < 0 && html`<p class="quiet">${one.rule === undefined ? 'The server’s configuration does not have this rule any more.' : `Not explained: a search explains ${MOST} rules at most.`}</p>`}
        ${
          at >= 0 &&
          html`<${Answered} of=${found}>${(/** @type {NonNullable<typeof found.answer>} */ answer) => {
            const part = answer.data[0]?.explain?.dynamic_labels?.[`rule-${at}`];
            return part && html`<ul class="clauses"><${Clause} part=${part} /></ul>`;
          }}<//>`
        }
      </details>`;
    })}
    <${Request} operation=${found.operation} body=${body} />
  </section>`;
}

/** @type {Readonly<Record<string, string>>} */
const groups = { $and: 'all of', $or: 'any of', $nor: 'none of', $not: 'not' };

/** @param {{ part: ExplainedClause }} props */
function Clause({ part }) {
  const mark = html`<span class=${part.held ? 'held' : 'failed'}>${part.held ? 'holds' : 'does not hold'}</span>`;
  if ('clauses' in part)
    return html`<li>${groups[part.operator]} ${mark}<ul>${part.clauses.map((one, i) => html`<${Clause} key=${i} part=${one} />`)}</ul></li>`;
  return html`<li><code>${part.path} ${part.operator} ${JSON.stringify(part.operand)}</code>, found ${part.actual === null ? 'nothing' : JSON.stringify(part.actual)}: ${mark}</li>`;
}
