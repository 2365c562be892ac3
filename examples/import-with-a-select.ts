// A file of no known shape becomes swaps by a SELECT of one's own: decimal commas, days before months, a token that the file does not name.
// Run it with: npx tsx examples/import-with-a-select.ts
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory, Swapfold } from '@swapfold/core';
import { readSwapSql } from '@swapfold/files';

const SOL = 'So11111111111111111111111111111111111111112';
const token = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const trader = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

/** Stands for a file that you have. */
const sheet = `hash;date;who;side;sol;tokens;usd
first;17.03.2024 08:54:52;${trader};buy;1,25;120,5;231,25
second;17.03.2024 09:10:00;${trader};sell;1,5;120,5;277,50
third;17.03.2024 09:12:00;${trader};gift;0;1;0
`;

const sql = `select
  hash as tx_hash,
  0 as swap_index,
  strptime(date, '%d.%m.%Y %H:%M:%S') as block_time,
  who as wallet,
  case side when 'buy' then wrapped_sol() else getvariable('token') end as token_in,
  case side when 'buy' then getvariable('token') else wrapped_sol() end as token_out,
  replace(case side when 'buy' then sol else tokens end, ',', '.') as token_amount_in,
  replace(case side when 'buy' then tokens else sol end, ',', '.') as token_amount_out,
  replace(usd, ',', '.') as usd_amount_in,
  case when side not in ('buy', 'sell') then 'a ' || side end as passed
from input`;

const folder = await mkdtemp(join(tmpdir(), 'swapfold-example-'));
const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' } });
try {
  const file = join(folder, 'sheet.csv');
  await writeFile(file, sheet);
  for await (const { batch, passed } of readSwapSql([file], { sql, set: { token } })) {
    const { added } = await dex.ingest(batch);
    console.log(
      `${added} swaps added; passed over: ${[...passed].map(([why, count]) => `${count} as ${why}`).join(', ')}`,
    );
  }
  const { data } = await dex.swaps.list({ limit: 10 });
  for (const { token_in, token_amount_in, token_amount_out } of data)
    console.log(
      token_in === SOL
        ? `bought ${token_amount_out} for ${token_amount_in} SOL`
        : `sold ${token_amount_in} for ${token_amount_out} SOL`,
    );
} finally {
  await dex.close();
  await rm(folder, { recursive: true });
}
