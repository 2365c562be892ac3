import type { Config } from '../config.ts';
import { columnsOfSchema } from '../export/column.ts';
import { fieldTypes } from '../export/pages.ts';
import { candleSchema } from '../market-data/candle-fold.ts';
import { isStored, type ProfileKind } from '../profiles/fields.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import { swapSchema } from '../queries/swap.ts';
import { tradeSchema } from '../queries/trades.ts';
import type { ColumnType, Table } from '../records/columns.ts';
import { swapField } from '../records/swap-fields.ts';
import { tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import { registrySchemas } from '../registry/registry.ts';
import type { ViewField, ViewSource, ViewType } from '../storage/adapter.ts';

/** What the views of a store are made of, from what its tables and answers declare. */
export function viewSourceOf(config: Config, shapes: Readonly<Record<ProfileKind, ProfileShape>>): ViewSource {
  return {
    swaps: [
      ...fieldsOf(swapSchema, ['block_time']),
      { name: 'tx_index', type: 'integer', meaning: swapField('tx_index').meaning },
    ],
    trades: fieldsOf(tradeSchema, ['block_time']),
    candles: fieldsOf(candleSchema, ['timestamp']),
    profiles: {
      tokens: storedFields(shapes.tokens),
      wallets: storedFields(shapes.wallets),
      positions: storedFields(shapes.positions),
    },
    registries: {
      tokens: registered(registrySchemas.tokens, tokenRegistryTable),
      wallets: registered(registrySchemas.wallets, walletRegistryTable),
    },
    quotes: config.quote_tokens.map(({ address, symbol }) => ({ address, symbol })),
  };
}

function storedFields({ fields }: ProfileShape): readonly ViewField[] {
  return fields.filter(isStored).map(({ path, type, meaning }) => ({
    name: path,
    type: fieldTypes[type],
    meaning: meaning.replaceAll(lineEnds, ' '),
  }));
}

/** What an embedder says of a metric may have them. */
const lineEnds = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

const columnTypes: Readonly<Record<ColumnType, ViewType>> = {
  id: 'integer',
  long: 'integer',
  double: 'number',
  text: 'text',
};

/** The fields of a registry; numbers are of the type of their column. */
function registered(schema: unknown, { columns }: Table): readonly ViewField[] {
  return fieldsOf(schema, ['created_at']).map((field) =>
    field.type === 'number' || field.type === 'integer' ? { ...field, type: columnTypes[columns[field.name]!] } : field,
  );
}

/** The fields of objects that fit a schema. `times` are those in Unix seconds. */
function fieldsOf(schema: unknown, times: readonly string[]): readonly ViewField[] {
  const { entries } = schema as { readonly entries: Readonly<Record<string, SchemaNode>> };
  return columnsOfSchema(schema, times).map(({ name, type }) => {
    const words = find(entries[name]!, ({ options }) =>
      options?.every((option) => typeof option === 'string'),
    )?.options;
    const meaning = find(entries[name]!, ({ metadata }) => metadata?.description !== undefined)!.metadata!.description!;
    return {
      name,
      type,
      meaning: meaning.replace('Unix seconds, ', ''),
      ...(words === undefined ? {} : { words: words as readonly string[] }),
    };
  });
}

interface SchemaNode {
  readonly options?: readonly unknown[];
  readonly metadata?: { readonly description?: string };
  readonly wrapped?: SchemaNode;
  readonly pipe?: readonly SchemaNode[];
}

/** The first part of a schema that holds, itself included. */
function find(node: SchemaNode, holds: (node: SchemaNode) => boolean | undefined): SchemaNode | undefined {
  if (holds(node)) return node;
  const parts = [
    ...(node.wrapped === undefined ? [] : [node.wrapped]),
    ...(node.pipe ?? []).filter((part) => part !== node),
  ];
  for (const part of parts) {
    const found = find(part, holds);
    if (found !== undefined) return found;
  }
  return undefined;
}
