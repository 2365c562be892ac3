import { fileURLToPath } from 'node:url';
import { type RowField, type RowFieldType, swapField, swapFieldNames } from '@swapfold/core/host';
import { table, writeWhenRun } from './page.ts';

const types: Readonly<Record<RowFieldType, string>> = {
  hash: 'text of 1 to 256 characters without spaces',
  address: 'address',
  name: 'text of at most 256 characters',
  identifier: 'text of 1 to 128 printable ASCII characters without spaces',
  whole: 'whole number from 0',
  index: 'whole number from 0',
  time: 'number from 0',
  quantity: 'number from 0 to 1e200',
  flag: 'true or false',
};

/** Rows of the table of fields: those that are required, or those that are not. */
export function fieldRows<Name extends string>(
  names: readonly Name[],
  fieldOf: (name: Name) => RowField,
  isWanted: boolean,
): readonly (readonly string[])[] {
  return names
    .filter((name) => (fieldOf(name).isRequired === true) === isWanted)
    .map((name) => {
      const { type, isInputOnly, meaning } = fieldOf(name);
      return [`\`${name}\``, types[type], isInputOnly ? `${meaning} Not in answers.` : meaning];
    });
}

/** A swap with the required fields alone. */
export const exampleSwap = {
  tx_hash: '5h6xBEauJ3PK6SWCZ1PGjBvj8vDdWG3KpwATGy1ARAXFSDwt8GFXM7W5Ncn16wmqokgpiKRLuS83KUxyZyv2sUYv',
  swap_index: 0,
  block_time: 1735689000,
  wallet: '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
  token_in: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  token_amount_in: 100,
  token_out: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  token_amount_out: 50,
};

/** The page of the fields of a swap, from their declaration. */
export function renderSwapFields(): string {
  const rows = (isWanted: boolean) => fieldRows(swapFieldNames, swapField, isWanted);
  return `# Fields of a swap

<!-- Generated from packages/core/src/records/swap-fields.ts; not to be edited. -->

What a feed gives. The names are the same in \`dex.ingest\`, as columns of files, in pushes over HTTP, and in the answers of get-swaps. The smallest swap, the
wallet gave 100 USDC and received 50 WIF:

\`\`\`json
${JSON.stringify(exampleSwap, null, 2)}
\`\`\`

- \`(tx_hash, swap_index)\` identifies a swap. The same swap again changes nothing; other content under a known identity is a conflict, and the stored swap stays.
- A row that lacks a required field, or has a value of another type, is rejected, and the others are stored. \`rejects\` of the result names its row, field and
  reason.
- \`null\` in an optional field means the same as no field: the feed does not say.
- A field of another name is ignored. \`unknown_fields\` of the result counts such fields and names the nearest one.

## Required

${table(['field', 'holds', 'meaning'], rows(true))}

Your data lack one of these? A file without hashes takes [\`--row-ids\`](cli.md#swapfold-import-swaps), and columns of other names take
[\`--map\` or a preset](../guides/import.md#presets). Amounts are whole tokens: divide raw amounts by 10 to the power of the token's decimals.

## Optional

${table(['field', 'holds', 'meaning'], rows(false))}

What they are good for:

- A value in USD of one leg, as \`usd_amount_*\` or \`token_price_*\`, is needed only if neither token is a [quote token](configuration.md). Without one, the value is
  unknown, and the swap stays out of profits.
- \`block_slot\` lets [\`rollback\`](../concepts/time.md) take a block back. \`block_slot\`, \`tx_index\` and \`log_index\` also order swaps of one second, and so does the fraction of \`block_time\` ([chain order](metrics.md#swaps)).
- Balances correct what transfers changed that the store was not given: [market and portfolio](metrics.md#market-and-portfolio). [Transfers](transfer-fields.md) are rows of their own.

## In answers

Prices and USD amounts of an answer are those of [valuation](metrics.md#valuation), which may differ from what was given. Answers add \`swap_type\`: the
roles of the two tokens, one of \`quote_token\`, \`token_quote\`, \`token_token\` and \`quote_quote\`.
`;
}

writeWhenRun(fileURLToPath(import.meta.url), 'reference/swap-fields.md', renderSwapFields);
