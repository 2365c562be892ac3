import { useAnswer } from '../answers.js';
import { html } from '../lib.js';
import { Answered, Request } from './request.js';

/** A search explains so many labels. */
const MOST = 16;

/** The rules that gave a profile its labels. */
function matchedRules(kind, { matched_labels: matched = {} }) {
  return Object.entries(matched).flatMap(([label, names]) =>
    names.map((name) => ({ label, name, rule: kind.rules.find((one) => one.label === label && one.rule === name) })),
  );
}

/** A search for this profile alone that explains the rules, each as a label of the request. */
function requestFor(kind, ids, rules) {
  const filter = kind.kind === 'tokens' ? { token_address: ids.at(-1) } : { wallet_address: ids[0] };
  if (kind.kind === 'positions') filter.token_address = ids[1];
  const labels = rules.map(({ rule }, i) => [`rule-${i}`, rule.filter]);
  return { filter, dynamic_labels: Object.fromEntries(labels), explain: true, options: {}, limit: 1 };
}

/** Each label with the rule that gave it and, clause by clause, what the rule asks for and what it found. */
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
          html`<${Answered} of=${found}>${(answer) => {
            const part = answer.data[0]?.explain.dynamic_labels[`rule-${at}`];
            return part && html`<ul class="clauses"><${Clause} part=${part} /></ul>`;
          }}<//>`
        }
      </details>`;
    })}
    <${Request} operation=${found.operation} body=${body} />
  </section>`;
}

const groups = { $and: 'all of', $or: 'any of', $nor: 'none of', $not: 'not' };

function Clause({ part }) {
  const mark = html`<span class=${part.held ? 'held' : 'failed'}>${part.held ? 'holds' : 'does not hold'}</span>`;
  if (part.clauses)
    return html`<li>${groups[part.operator]} ${mark}<ul>${part.clauses.map((one, i) => html`<${Clause} key=${i} part=${one} />`)}</ul></li>`;
  return html`<li><code>${part.path} ${part.operator} ${JSON.stringify(part.operand)}</code>, found ${part.actual === null ? 'nothing' : JSON.stringify(part.actual)}: ${mark}</li>`;
}
