import { fileURLToPath } from 'node:url';
import { type SwapFieldType, swapField, swapFieldNames } from '@swapfold/core';
import { table, writeWhenRun } from './page.ts';

const types: Readonly<Record<SwapFieldType, string>> = {
  hash: 'text of 1 to 256 characters without spaces',
  address: 'address',
  name: 'text of at most 256 characters',
  identifier: 'text of 1 to 128 printable ASCII characters without spaces',
  whole: 'whole number from 0',
  index: 'whole number from 0',
  time: 'whole number from 0',
  quantity: 'number from 0 to 1e200',
};

/** The page of the fields of a swap, from their declaration. */
export function renderSwapFields(): string {
  const rows = swapFieldNames.map((name) => {
    const { type, isRequired, isInputOnly, meaning } = swapField(name);
    const notes = [isRequired ? 'required' : 'optional', ...(isInputOnly ? ['not in answers'] : [])];
    return [`\`${name}\``, types[type], notes.join(', '), meaning];
  });
  return `# Fields of a swap

<!-- Generated from packages/core/src/records/swap-fields.ts; not to be edited. -->

The names are the same in \`dex.ingest\`, as columns of files, and in the answers of get-swaps. A missing optional field and \`null\` mean
the same: the feed does not say. A row that lacks a required field, or has a value of another type, is rejected; \`rejects\` names the first
such field. \`(tx_hash, swap_index)\` identifies a swap.

Prices and USD amounts of an answer are those of [valuation](metrics.md), which may differ from what was given. Answers add \`swap_type\`: the
roles of the two tokens, one of \`quote_token\`, \`token_quote\`, \`token_token\` and \`quote_quote\`.

${table(['field', 'holds', '', 'meaning'], rows)}
`;
}

writeWhenRun(fileURLToPath(import.meta.url), 'reference/swap-fields.md', renderSwapFields);
