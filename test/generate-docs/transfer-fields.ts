import { fileURLToPath } from 'node:url';
import { transferField, transferFieldNames } from '@swapfold/core/host';
import { table, writeWhenRun } from './page.ts';
import { fieldRows } from './swap-fields.ts';

/** A transfer with the required fields and the side that it reaches. */
export const exampleTransfer = {
  tx_hash: '2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv',
  block_time: 1735689000,
  token: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  token_amount: 50,
  to: '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
};

/** The page of the fields of a transfer, from their declaration. */
export function renderTransferFields(): string {
  const rows = (isWanted: boolean) => fieldRows(transferFieldNames, transferField, isWanted);
  return `# Fields of a transfer

<!-- Generated from packages/core/src/records/transfer-fields.ts; not to be edited. -->

A transfer moves tokens without a swap: a deposit, a withdrawal, an airdrop, a gift. The names are the same in \`dex.transfers.ingest\`, as columns of files, in pushes over
HTTP, and in the answers of get-transfers. The smallest transfer, a wallet received 50 WIF:

\`\`\`json
${JSON.stringify(exampleTransfer, null, 2)}
\`\`\`

- \`(tx_hash, transfer_index)\` identifies a transfer. The same transfer again changes nothing; other values under a known identity are a conflict, and the stored transfer stays.
- Rows are checked, rejected and counted as [swaps](swap-fields.md) are.
- Transfers and swaps may come in any order.

## Required

${table(['field', 'holds', 'meaning'], rows(true))}

One of \`from\` and \`to\` is required, too: an address other than the zero address.

## Optional

${table(['field', 'holds', 'meaning'], rows(false))}

## Without an index

Exports of transfers seldom number them. A row without \`transfer_index\` gets a number, made of the token, both sides, the amount up to nine digits, and which of the equal rows of its
transaction it is. So the exports of two wallets give one transfer where both list it.

- Equal rows are counted by file, over one call of \`ingest\`: twice in one file they are two transfers, once in each of two files they are one.
- If a transaction has equal transfers with given indexes, as from a node, and with made ones, the larger number counts. Transfers with made indexes give way to the others, which take over \`cost_usd\`, \`kind\` and \`includes_swaps\` if they
  have none.

## Where a transfer stands

All transfers of a transaction stand in one place, that of its swaps. Without swaps it is the earliest \`block_time\`, \`block_slot\` and \`tx_index\` that a row of the transaction says. So another or a
missing time, slot or index is no conflict. When swaps of the transaction come later, the transfers move.

A [rollback](../concepts/time.md) removes transfers by their slots, as swaps. A store that [forgets](../guides/forget.md) forgets transfers, too.

## What is not stored

The result counts these rows as \`passed_over\`:

- Transfers of 0 tokens, with which others try to get into the history of a wallet.
- Wraps and unwraps of the native token: transfers of it to or from its wrapped form's contract or an alias of it, and those that name the zero address.

A transfer from a wallet to itself is stored, and moves nothing.
`;
}

writeWhenRun(fileURLToPath(import.meta.url), 'reference/transfer-fields.md', renderTransferFields);
