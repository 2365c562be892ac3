/**
 * What the page knows of its server, read from the OpenAPI document: routes, metrics with their formulas, paths of filters, rules of labels.
 * @returns {import('../types/page.ts').Model}
 */
export function modelOf(document) {
  const { schemas } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, { post }]) =>
    post === undefined ? [] : [{ path, name: post.operationId, ...post }],
  );
  return {
    document,
    schemas,
    operations,
    byName: new Map(operations.map((operation) => [operation.name, operation])),
    hasKeys: document.components.securitySchemes !== undefined,
    chain: operations[0].path.split('/')[2],
    kinds: Object.fromEntries(
      Object.entries(nouns).map(([kind, noun]) => [kind, kindOf(kind, noun, schemas, document['x-label-rules'])]),
    ),
    tradeFields: fieldsOf(schemas.Trade),
    quotes: (document['x-quote-tokens'] ?? []).map(({ address }) => address),
    native: document['x-quote-tokens']?.find(({ kind }) => kind === 'native')?.symbol ?? '',
  };
}

const nouns = { wallets: 'Wallet', tokens: 'Token', positions: 'Position' };

function kindOf(kind, noun, schemas, rules = {}) {
  const profile = schemas[`${noun}Profile`].properties;
  const metrics = metricsOf(schemas[`${noun}Metrics`]);
  const fields = {};
  for (const section of ['metadata', 'market', 'holding', 'identity'])
    for (const [name, field] of Object.entries(fieldsOf(profile[section]))) fields[`${section}.${name}`] = field;
  const paths = {};
  for (const [path, schema] of Object.entries(schemas[`${noun}Filter`].properties))
    if (!path.startsWith('$')) paths[path] = typeOf(schema);
  return {
    kind,
    noun,
    metrics,
    fields,
    paths,
    windows: Object.keys(profile.metrics.properties),
    sortable: new Set(schemas[`${noun}SortKey`].properties.field.enum),
    labels: labelsOf(schemas[`${noun}Label`]),
    rules: rules[kind] ?? [],
    isSearchable: schemas[`${noun}TextQuery`] !== undefined,
  };
}

const typeOf = ({ $ref = '' }) => {
  const name = $ref.split('/').pop().replace('Condition', '');
  return name.endsWith('Labels') ? 'labels' : name.toLowerCase();
};

const labelsOf = (schema) => schema?.enum ?? schema?.anyOf?.find((option) => option.enum)?.enum ?? [];

/** `{ pnl: { unit, formula, sentence } }`; of an object of numbers each under its path. */
function metricsOf(schema, prefix = '') {
  const found = {};
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    if (field.properties) Object.assign(found, metricsOf(field, `${prefix}${name}.`));
    else found[prefix + name] = describedMetric(field.description ?? '');
  }
  return found;
}

function describedMetric(description) {
  const [, sentence = description, formula = '', unit = ''] =
    /^(.*?) ?Formula: (.*)\. Unit: ([^.]*)\./s.exec(description) ?? [];
  return { sentence, formula, unit, description };
}

function fieldsOf(schema) {
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(([name, { description = '', type, format }]) => [
      name,
      { description, unit: unitOf(name, description, type, format) },
    ]),
  );
}

function unitOf(name, description, type, format) {
  const types = [type].flat();
  if (format === 'date-time' || name === 'block_time') return 'time';
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
  let value = profile;
  for (const name of path.split('.')) value = value?.[name];
  return value ?? null;
}
