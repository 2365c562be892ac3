import type { Config } from '../../config.ts';
import { columnsOfSchema } from '../../export/column.ts';
import { fieldTypes } from '../../export/pages.ts';
import { candleSchema } from '../../market-data/candle-fold.ts';
import type { ProfileShape } from '../../profiles/shape.ts';
import { swapSchema } from '../../queries/swap.ts';
import { tradeSchema } from '../../queries/trades.ts';
import { transferSchema } from '../../queries/transfer.ts';
import type { ColumnType, Table } from '../../records/columns.ts';
import { isStored, type ProfileKind } from '../../records/profile-fields.ts';
import { swapField } from '../../records/swap-fields.ts';
import { tokenRegistryTable, walletRegistryTable } from '../../records/tables.ts';
import { transferField } from '../../records/transfer-fields.ts';
import { registrySchemas } from '../../registry/registry.ts';
import type { ViewField, ViewSource, ViewType } from '../../storage/adapter.ts';

/** What the views of a store are made of, from what its tables and answers declare. */
export function viewSourceOf(config: Config, shapes: Readonly<Record<ProfileKind, ProfileShape>>): ViewSource {
  return {
    swaps: [...fieldsOf(swapSchema), { name: 'tx_index', type: 'integer', meaning: swapField('tx_index').meaning }],
    trades: fieldsOf(tradeSchema),
    transfers: [
      ...fieldsOf(transferSchema),
      { name: 'tx_index', type: 'integer', meaning: transferField('tx_index').meaning },
    ],
    candles: fieldsOf(candleSchema),
    profiles: {
      tokens: storedFields(shapes.tokens),
      wallets: storedFields(shapes.wallets),
      positions: storedFields(shapes.positions),
    },
    registries: {
      tokens: registered(registrySchemas.tokens, tokenRegistryTable),
      wallets: registered(registrySchemas.wallets, walletRegistryTable),
    },
    quotes: (['stable', 'native', 'reference'] as const).flatMap((kind) =>
      config.quote_tokens.filter((token) => token.kind === kind),
    ),
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
  return fieldsOf(schema).map((field) =>
    field.type === 'number' || field.type === 'integer' ? { ...field, type: columnTypes[columns[field.name]!] } : field,
  );
}

/** The fields of objects that fit a schema. */
function fieldsOf(schema: unknown): readonly ViewField[] {
  return columnsOfSchema(schema).map((field) => ({ ...field, meaning: field.meaning.replace('Unix seconds, ', '') }));
}
