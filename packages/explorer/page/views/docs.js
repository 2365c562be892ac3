// @ts-check
/** @import { DescribedOperation, FieldEvent, OperationName, Schema } from '../../types/page.ts' */
/** @import { ViewProps } from '../app.js' */
import { call, server } from '../api.js';
import { html, useState } from '../lib.js';
import { Failure, Request } from '../parts/request.js';
import { href } from '../route.js';

/**
 * The routes as the server describes them; each can be tried.
 * @param {ViewProps} props
 */
export function Docs({ parts: [name] }) {
  const { operations, document } = server.model;
  const shown = /** @type {DescribedOperation} */ (
    operations.find((operation) => operation.name === name) ?? operations[0]
  );
  /** @type {HTMLLinkElement | null} */
  const help = globalThis.document.querySelector('link[rel=help]');
  return html`
    <h1 tabindex="-1">Routes</h1>
    <p>${document.info.description}</p>
    ${help && html`<p><a href=${help.href}>The documentation of Swapfold</a></p>`}
    <nav class="tabs" aria-label="Routes">${operations.map(
      (operation) =>
        html`<a key=${operation.name} class="tab" href=${href(['docs', operation.name])} aria-current=${operation === shown ? 'page' : undefined}>${operation.name}</a>`,
    )}</nav>
    <${Operation} key=${shown.name} operation=${shown} />`;
}

/** @param {{ operation: DescribedOperation }} props */
function Operation({ operation }) {
  const { schema, example } = operation.requestBody.content['application/json'];
  const answer = operation.responses[200];
  return html`<article>
    <h2>${operation.name}</h2>
    <p><code>POST ${operation.path}</code></p>
    <p><${Prose} text=${operation.description} /></p>
    <h3>Request</h3>
    <${SchemaFields} schema=${schema} depth=${0} />
    <h3>Answer</h3>
    <p><${Prose} text=${answer.description} /></p>
    <${SchemaFields} schema=${answer.content['application/json']?.schema ?? {}} depth=${0} />
    <h3>Failures</h3>
    <p>${Object.keys(operation.responses)
      .filter((status) => status !== '200')
      .join(
        ', ',
      )}: an object with <code>error</code>, <code>code</code>, <code>details</code> and <code>request_id</code>.</p>
    <${TryIt} operation=${operation.name} example=${example} />
  </article>`;
}

/**
 * What stands between backticks is code.
 * @param {{ text?: string | undefined }} props
 */
const Prose = ({ text = '' }) =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code key=${i}>${part}</code>` : part));

/**
 * @param {Schema} schema
 * @returns {Schema}
 */
const resolved = (schema) => {
  const title = schema.$ref?.replace(/^.*\//, '');
  return title ? { ...server.model.schemas[title], title } : schema;
};

/**
 * Fields with their types and meanings; those of a field that is an object fold out.
 * @param {{ schema: Schema, depth: number }} props
 */
function SchemaFields({ schema, depth }) {
  const { properties, items, anyOf } = resolved(schema);
  if (items) return html`<${SchemaFields} schema=${items} depth=${depth} />`;
  if (!properties)
    return anyOf
      ? html`<p>One of: ${anyOf.map(typeText).join(', ')}</p>`
      : html`<p><code>${typeText(schema)}</code></p>`;
  const { required = [] } = resolved(schema);
  return html`<dl class="schema">${Object.entries(properties).map(([name, field]) => {
    const whole = resolved(field);
    const inner = resolved(whole.items ?? {}).properties ? whole.items : whole.properties ? field : undefined;
    return html`<div key=${name}>
      <dt><code>${name}${required.includes(name) ? '' : '?'}</code> <span class="quiet">${typeText(field)}</span></dt>
      <dd><${Prose} text=${whole.description} />${inner && depth < 6 && html`<${Inner} schema=${inner} depth=${depth} />`}</dd>
    </div>`;
  })}</dl>`;
}

/**
 * Drawn once it is opened: a filter has hundreds of fields, and fields that are filters.
 * @param {{ schema: Schema, depth: number }} props
 */
function Inner({ schema, depth }) {
  const [isOpen, setOpen] = useState(false);
  return html`<details onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
    <summary>Fields</summary>${isOpen && html`<${SchemaFields} schema=${schema} depth=${depth + 1} />`}
  </details>`;
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function typeText(schema) {
  const { title, type, items, anyOf, enum: values, format } = resolved(schema);
  if (title) return title;
  if (values)
    return values.length > 8
      ? `one of ${values.length} texts`
      : values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map(typeText).join(' | ');
  if (items) return `list of ${typeText(items)}`;
  return [type].flat().join(' | ') + (format ? ` (${format})` : '');
}

/** @typedef {{ body?: object, answer?: unknown, ms?: number, error?: Error }} Tried */

/** @param {{ operation: OperationName, example: object }} props */
function TryIt({ operation, example }) {
  const [text, setText] = useState(JSON.stringify(example, null, 2));
  const [state, setState] = useState(/** @type {Tried} */ ({}));
  /** @param {Event} event */
  const send = async (event) => {
    event.preventDefault();
    try {
      const body = JSON.parse(text);
      const begun = performance.now();
      const answer = await call(operation, body);
      setState({ body, answer, ms: performance.now() - begun });
    } catch (error) {
      setState({ error: /** @type {Error} */ (error) });
    }
  };
  return html`<h3>Try it</h3>
    <form onSubmit=${send}>
      <label>Body <textarea rows="8" spellcheck="false" value=${text} onInput=${(/** @type {FieldEvent} */ event) => setText(event.target.value)}></textarea></label>
      <button>Send</button>
    </form>
    <${Failure} error=${state.error} again=${() => setState({})} />
    ${
      state.answer !== undefined &&
      html`
      <p>Answered in ${/** @type {number} */ (state.ms).toFixed(0)} ms.</p>
      <pre class="answer" tabindex="0" aria-label="Answer">${JSON.stringify(state.answer, null, 2)}</pre>
      <${Request} operation=${operation} body=${state.body} isOpen=${true} />`
    }`;
}
