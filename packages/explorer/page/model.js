// @ts-check
/** @import { Described, DescribedMetric, Kind, KindName, Model, OpenApi, Schema, Window } from '../types/page.ts' */

/**
 * What the page knows of its server, read from the OpenAPI document: routes, metrics with their formulas, paths of filters, rules of labels.
 * @param {OpenApi} document
 * @returns {Model}
 */
export function modelOf(document) {
  const { schemas } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, { post }]) =>
    post === undefined ? [] : [{ ...post, path, name: post.operationId }],
  );
  return {
    document,
    schemas: /** @type {Model['schemas']} */ (schemas),
    operations,
    byName: new Map(operations.map((operation) => [operation.name, operation])),
    hasKeys: document.components.securitySchemes !== undefined,
    chain: /** @type {string} */ (operations[0]?.path.split('/')[2]),
    kinds: {
      wallets: kindOf('wallets', schemas, document),
      tokens: kindOf('tokens', schemas, document),
      positions: kindOf('positions', schemas, document),
    },
    tradeFields: /** @type {Model['tradeFields']} */ (fieldsOf(schemas.Trade)),
    computed: new Map(
      (document['x-computed-fields']?.positions ?? []).flatMap(({ most, fields }) =>
        fields.map((field) => [field, most]),
      ),
    ),
    quotes: (document['x-quote-tokens'] ?? []).map(({ address }) => address),
    native: document['x-quote-tokens']?.find(({ kind }) => kind === 'native')?.symbol ?? '',
  };
}

/** @type {Readonly<Record<KindName, string>>} */
const nouns = { wallets: 'Wallet', tokens: 'Token', positions: 'Position' };

/**
 * @template {KindName} Name
 * @param {Name} kind
 * @param {Readonly<Record<string, Schema>>} schemas
 * @param {OpenApi} document
 * @returns {Kind<Name>}
 */
function kindOf(kind, schemas, document) {
  const noun = nouns[kind];
  const profile = schemas[`${noun}Profile`]?.properties;
  const metrics = metricsOf(schemas[`${noun}Metrics`]);
  /** @type {Record<string, Described>} */
  const fields = {};
  for (const section of ['metadata', 'market', 'lifetime', 'holding', 'identity'])
    for (const [name, field] of Object.entries(fieldsOf(profile?.[section]))) fields[`${section}.${name}`] = field;
  /** @type {Record<string, string>} */
  const paths = {};
  for (const [path, schema] of Object.entries(schemas[`${noun}Filter`]?.properties ?? {}))
    if (!path.startsWith('$')) paths[path] = typeOf(schema);
  return {
    kind,
    metrics,
    fields,
    paths,
    windows: /** @type {Window<Name>[]} */ (Object.keys(profile?.metrics?.properties ?? {})),
    sortable: new Set(schemas[`${noun}SortKey`]?.properties?.field?.enum),
    labels: labelsOf(schemas[`${noun}Label`]),
    rules: document['x-label-rules']?.[kind] ?? [],
    isSearchable: schemas[`${noun}TextQuery`] !== undefined,
  };
}

/** @param {Schema} schema */
const typeOf = ({ $ref = '' }) => {
  const name = $ref.replace(/^.*\/|Condition/g, '');
  return name.endsWith('Labels') ? 'labels' : name.toLowerCase();
};

/**
 * @param {Schema | undefined} schema
 * @returns {readonly string[]}
 */
const labelsOf = (schema) => schema?.enum ?? schema?.anyOf?.find((option) => option.enum)?.enum ?? [];

/**
 * `{ pnl: { unit, formula, sentence } }`; of an object of numbers each under its path.
 * @param {Schema | undefined} schema
 * @returns {Record<string, DescribedMetric>}
 */
function metricsOf(schema, prefix = '') {
  /** @type {Record<string, DescribedMetric>} */
  const found = {};
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    if (field.properties) Object.assign(found, metricsOf(field, `${prefix}${name}.`));
    else found[prefix + name] = describedMetric(field.description ?? '');
  }
  return found;
}

/** @param {string} description */
function describedMetric(description) {
  const [, sentence = description, formula = '', unit = ''] =
    /^(.*?) ?Formula: (.*)\. Unit: ([^.]*)\./s.exec(description) ?? [];
  return { sentence, formula, unit, description };
}

/**
 * @param {Schema | undefined} schema
 * @returns {Record<string, Described>}
 */
function fieldsOf(schema) {
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(([name, { description = '', type, format }]) => [
      name,
      { description, unit: unitOf(name, description, type, format) },
    ]),
  );
}

/**
 * @param {string} name
 * @param {string} description
 * @param {Schema['type']} type
 * @param {string | undefined} format
 */
function unitOf(name, description, type, format) {
  const types = [type].flat();
  if (format === 'date-time' || name === 'block_time') return 'time';
  if (/^Native tokens/.test(description)) return 'native';
  if (/^Percent/.test(description)) return 'percent';
  if (/USD per token/.test(description) || /(^|_)price$/.test(name)) return 'USD per token';
  if (/USD/.test(description)) return 'USD';
  if (/Percent/i.test(description)) return 'percent';
  if (/^Seconds/.test(description)) return 'seconds';
  if (types.includes('integer')) return 'count';
  return types.includes('number') ? 'amount' : 'text';
}

/**
 * Reads `metrics.7d.pnl` of a profile.
 * @param {object} profile
 * @param {string} path
 * @returns {unknown}
 */
export function valueAt(profile, path) {
  /** @type {any} */
  let value = profile;
  for (const name of path.split('.')) value = value?.[name];
  return value ?? null;
}
