import * as v from 'valibot';
import {
  type TransferFieldName,
  transferField,
  transferFieldNames,
  type transferFields,
} from '../records/transfer-fields.ts';
import { named, type ResponseSchema, textOrNull } from '../response.ts';
import { fieldSchema } from './swap.ts';

type InputOnlyField = {
  [N in TransferFieldName]: (typeof transferFields)[N] extends { readonly isInputOnly: true } ? N : never;
}[TransferFieldName];

/**
 * A transfer as it is served, with the fields that docs/reference/transfer-fields.md explains. Amounts in whole tokens, `cost_usd` USD,
 * `block_time` Unix seconds; `null` is unknown, of `from` and `to` nobody: the tokens were minted, or burnt.
 */
export interface Transfer extends Readonly<Record<Exclude<TransferFieldName, InputOnlyField>, unknown>> {
  readonly tx_hash: string;
  readonly transfer_index: number;
  readonly block_time: number;
  readonly block_slot: number | null;
  readonly token: string;
  readonly token_amount: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly cost_usd: number | null;
  readonly kind: string | null;
  readonly includes_swaps: boolean;
  readonly token_symbol: string | null;
}

const given = transferFieldNames.filter((name) => !transferField(name).isInputOnly);
const entries = {
  ...Object.fromEntries(
    given.map((name) => {
      const field = transferField(name);
      // Every stored transfer has an index.
      return [name, fieldSchema(name === 'transfer_index' ? { ...field, isRequired: true } : field)];
    }),
  ),
  token_symbol: textOrNull('Symbol of the token: of the registry, else of the configuration.'),
};

export const transferSchema = named('Transfer', v.strictObject(entries)) as unknown as ResponseSchema<Transfer>;
