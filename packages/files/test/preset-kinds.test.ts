import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { parseConfig } from '@swapfold/core/host';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import { builtInPresets } from '../src/built-in.ts';
import { connect, rowsOf } from '../src/duck.ts';
import { importFiles } from '../src/import/import-files.ts';
import type { ImportFilesOptions } from '../src/import/options.ts';
import { parsePreset } from '../src/presets.ts';
import { readSwapFile } from '../src/read-swap-file.ts';

const path = await temporaryFolder(after);

let made = 0;
function file(end: string, content: string | readonly object[]): string {
  const name = path(`${made++}${end}`);
  writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

/** What a file gives: some fields of each swap, and what was passed over and rejected. */
async function read(from: string, fields: readonly string[], options: ImportFilesOptions = {}, chain?: string) {
  const swaps: unknown[][] = [];
  const passed: Record<string, number> = {};
  const rejects: string[] = [];
  for await (const part of readSwapFile(from, { ...options, chain })) {
    const columns = part.batch.columns as unknown as Record<
      string,
      { ids: Int32Array; dictionary: string[] } | unknown[]
    >;
    for (let row = 0; row < part.batch.length; row++)
      swaps.push(
        fields.map((name) => {
          const column = columns[name]!;
          return 'ids' in column ? column.dictionary[column.ids[row]!] : column[row];
        }),
      );
    for (const [reason, count] of part.passed) passed[reason] = count;
    rejects.push(...part.rejects.map(({ field, reason }) => `${field} ${reason}`));
  }
  return { swaps, passed, rejects };
}

async function value(expression: string): Promise<unknown> {
  const connection = await connect();
  try {
    return (await rowsOf(connection, `select ${expression}`))[0]![0];
  } finally {
    connection.closeSync();
  }
}

test('a preset says whose amounts it has, or that nobody knows', () => {
  const of = (name: string) => builtInPresets.find((preset) => preset.name === name)!.amounts;
  assert.deepEqual(['uniswap-v3-subgraph', 'helius', 'moralis'].map(of), ['pool', 'wallet', undefined]);
  assert.throws(
    () => parsePreset('-- name: mine\n-- amounts: mine\nselect', 'mine.sql'),
    /mine\.sql: "amounts": expected pool or wallet, or no such line if nobody knows, not "mine"\./,
  );
});

test('a number gives the same hash of a row, however it is written', async () => {
  const same = [
    ['488591', '488591.0', '488591.00', '+488591', '4.88591e5', '0488591'],
    ['0.1', '0.10', '1e-1', '0.100000000000000006'],
    ['0.0000001', '1e-07', '1E-7', '0.00000010'],
    // 17 digits, of which another 17 are the shortest for the same double.
    ['0.12345678901234567', '0.12345678901234566'],
    ['100000000000000000000', '1e20', '1e+20', '100000000000000000000.0'],
  ];
  for (const [first, ...others] of same)
    for (const other of others)
      for (const macro of ['as_float', 'plain'])
        assert.equal(await value(`${macro}('${other}')`), await value(`${macro}('${first}')`), `${macro} of ${other}`);
  assert.notEqual(await value(`as_float('488591')`), await value(`as_float('488591.5')`));
  assert.equal(await value(`as_float('many')`), 'many');
});

test('a trade of GeckoTerminal has one index as text, as float and as integer', async () => {
  const trade = {
    ...{ block_timestamp: '2025-10-09T08:00:00Z', tx_hash: `0x${'ab'.repeat(32)}`, tx_from_address: '0x01' },
    ...{ from_token_address: '0x0a', to_token_address: '0x0b', from_token_amount: '2.0', to_token_amount: '488591.0' },
  };
  const csv = (got: string): string =>
    `${Object.keys(trade).join()}\n${Object.values({ ...trade, from_token_amount: '2', to_token_amount: got }).join()}\n`;
  const files = [
    file('.json', [trade]),
    file('.json', [{ ...trade, from_token_amount: 2, to_token_amount: 488591 }]),
    ...['488591', '488591.0', '4.88591e5'].map((got) => file('.csv', csv(got))),
  ];
  const indexes = new Set<unknown>();
  for (const one of files) for (const [index] of (await read(one, ['swap_index'])).swaps) indexes.add(index);
  assert.equal(indexes.size, 1);
});

test('failed transactions of Helius are passed over, however the error is written', async () => {
  const side = (mint: string) => [{ mint, rawTokenAmount: { tokenAmount: '1000', decimals: 3 } }];
  const base = { type: 'SWAP', timestamp: 1710665692, feePayer: 'Trader1' };
  const swap = { tokenInputs: side('A'), tokenOutputs: side('B') };
  const of = (signature: string, transactionError: unknown) => ({
    ...{ ...base, signature, transactionError },
    events: { swap },
  });
  const records = [
    of('Good', null),
    of('Bad1', { InstructionError: [2, { Custom: 6001 }] }),
    of('Bad2', { error: 'x' }),
    of('Bad3', 'AccountInUse'),
    { ...base, signature: 'Plain', events: { swap } },
  ];
  const { swaps, passed } = await read(file('.json', records), ['tx_hash']);
  assert.deepEqual(swaps, [['Good'], ['Plain']]);
  assert.deepEqual(passed, { 'the transaction failed': 3 });
  const alone = [of('Bad1', { InstructionError: [2, 'x'] })];
  assert.deepEqual((await read(file('.json', alone), ['tx_hash'])).passed, { 'the transaction failed': 1 });
});

test('a swap of Bitquery is that of who bought or sold, not of a relayer who pays', async () => {
  const trade = (signer: string, buyer: object | undefined, seller: object | undefined) => ({
    Block: { Time: '2024-03-17T08:54:52Z' },
    Transaction: { Signature: `Tx${signer}`, Signer: signer, Result: { Success: 1 } },
    Instruction: { Index: 2 },
    Trade: {
      ...{ Index: '0', Market: { MarketAddress: 'Pool' } },
      Buy: { Amount: '120', Currency: { MintAddress: 'Wif' }, ...(buyer && { Account: buyer }) },
      Sell: { Amount: '1', Currency: { MintAddress: 'Sol' }, ...(seller && { Account: seller }) },
    },
  });
  const records = [
    trade('Payer', { Address: 'TokenAccount', Owner: 'Alice' }, { Address: 'Vault', Owner: 'Authority' }),
    trade('Alice', { Address: 'TokenAccount', Owner: 'Alice' }, { Address: 'Vault', Owner: 'Authority' }),
    trade('Bob', { Address: 'Vault' }, { Address: 'Bob' }),
    trade('Payer', { Address: 'Pool' }, { Address: 'Carol' }),
    trade('Dave', undefined, undefined),
  ];
  const { swaps } = await read(file('.json', records), ['wallet', 'token_in', 'token_amount_in']);
  assert.deepEqual(swaps, [
    ['Alice', 'Sol', 1],
    ['Alice', 'Sol', 1],
    ['Bob', 'Wif', 120],
    ['Carol', 'Wif', 120],
    ['Dave', 'Sol', 1],
  ]);
});

test('the dump of Bitquery goes by the account that bought, too', async () => {
  const row = {
    ...{ Block_Time: 1710665692, Transaction_Signature: 'Tx', Instruction_Index: 1, Trade_Index: 0 },
    ...{ Trade_Sell_Currency_MintAddress: 'Sol', Trade_Buy_Currency_MintAddress: 'Wif' },
    ...{ Trade_Sell_Amount: 1, Trade_Buy_Amount: 120, Transaction_Signer: 'Payer' },
  };
  const { swaps } = await read(
    file('.json', [
      { ...row, Trade_Buy_Account_Owner: 'Alice' },
      { ...row, Trade_Buy_Account_Owner: null },
    ]),
    ['wallet'],
  );
  assert.deepEqual(swaps, [['Alice'], ['Payer']]);
});

const trades = 'Txn Hash,UnixTimestamp,Action,Token Amount (Out),Token Amount (In),Maker';
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';

test('the written symbols of explorers tell the sides, of which Action has another view', async () => {
  // Of WETH and USDC a purchase is one with USDC, whichever of the two the page is about.
  const content = `${trades}\n0x01,1710665692,Buy,"9,000 USDC",2.5 WETH,0xf1\n0x02,1710665693,Sell,1 ETH,3600 USDC,0xf1\n`;
  const right = [
    [usdc, 9000],
    [weth, 1],
  ];
  const sides = async (options: ImportFilesOptions) =>
    (await read(file('.csv', content), ['token_in', 'token_amount_in'], { presets: ['etherscan-dex'], ...options }))
      .swaps;
  assert.deepEqual(await sides({ set: { token: weth, quote: usdc } }), right);
  assert.deepEqual(await sides({ set: { token: weth, quote: usdc, quote_symbol: 'usdc' } }), right);
  assert.deepEqual(await sides({ set: { token: usdc, quote: weth, quote_symbol: 'WETH' } }), right);
});

test('an import knows the symbols of quote tokens of the configuration', async () => {
  const content = `${trades}\n0x01,1710665692,Buy,"9,000 USDC",2.5 WETH,0xf1\n`;
  const firsts: unknown[] = [];
  const importing = importFiles(
    { config: parseConfig({ preset: 'ethereum' }) },
    file('.csv', content.replace('0xf1', `0x${'f1'.repeat(20)}`).replace('0x01', `0x${'01'.repeat(32)}`)),
    {
      presets: ['etherscan-dex'],
      set: { token: usdc, quote: weth },
    },
  );
  for await (const step of importing) if (step.kind === 'end') firsts.push(...(step.first ?? []));
  const [first] = firsts as { token_in: string; token_amount_in: number }[];
  assert.deepEqual([first!.token_in, first!.token_amount_in], [usdc, 9000]);
});

test('trades of several pairs under one base are not all given the address of the quote', async () => {
  const content = `${trades}\n0x01,1710665692,Buy,9 USDC,1 UNI,0xf1\n0x02,1710665693,Buy,9 USDC,1 WETH,0xf1\n`;
  const set = { token: usdc, quote: '0x0b' };
  await assert.rejects(
    read(file('.csv', content), [], { presets: ['etherscan-dex'], set }),
    /trades of ETH and USDC and of UNI and USDC, .*the option set quote_symbol=SYMBOL/,
  );
  const one = { presets: ['etherscan-dex'], set: { ...set, quote_symbol: 'UNI' } };
  const { swaps, passed } = await read(file('.csv', content), ['token_in', 'token_out'], one);
  assert.deepEqual([swaps, passed], [[[usdc, '0x0b']], { 'against USDC': 1 }]);
});

test('a row that is left out is never rejected, whatever else it holds', async () => {
  const head = 'txType,signature,mint,traderPublicKey,tokenAmount,solAmount,timestamp';
  const rows = [
    'migrate,,,,,,',
    'migrate,Tx2,Mint,Trader1,many,"1,5",yesterday',
    'buy,Tx3,Mint,Trader1,10,1,1710665692',
  ];
  const { swaps, passed, rejects } = await read(file('.csv', `${head}\n${rows.join('\n')}\n`), ['tx_hash']);
  assert.deepEqual([swaps, passed, rejects], [[['Tx3']], { 'txType is "migrate"': 2 }, []]);
});

test('a row that is left out may name a chain that nobody knows', async () => {
  const head =
    'eventType,networkId,transactionHash,logIndex,timestamp,maker,token0Address,token1Address,eventDisplayType,quoteToken,data.amountNonLiquidityToken,data.priceUsdTotal,token0SwapValueUsd,token1SwapValueUsd';
  const mint = 'Mint,987654321,,,,,,,,,,,,';
  const swap = 'Swap,1,0x01,1,1710665692,0xf1,0x0a,0x0b,Sell,token0,5,10,2,1';
  const found = await read(file('.csv', `${head}\n${mint}\n${swap}\n`), ['tx_hash'], {}, 'ethereum');
  assert.deepEqual([found.swaps, found.passed], [[['0x01']], { 'eventType is "Mint"': 1 }]);
  await assert.rejects(
    read(file('.csv', `${head}\n${swap.replace('Swap,1,', 'Swap,987654321,')}\n`), [], {}, 'ethereum'),
    /is no chain that is known/,
  );
});

test('a file of a named preset that begins with a thousand other rows is read on to its swaps', async () => {
  const other = JSON.stringify({ txType: 'migrate', signature: 'M', mint: 'Mint', pool: 'pump' });
  const buy = {
    txType: 'buy',
    signature: 'Tx',
    mint: 'Mint',
    traderPublicKey: 'Trader1',
    tokenAmount: 10,
    solAmount: 1,
    timestamp: 1710665692,
  };
  const content = `${`${other}\n`.repeat(1001)}${JSON.stringify(buy)}\n`;
  const options = { presets: ['pumpportal'] };
  const found = await read(file('.ndjson', content), ['tx_hash', 'token_amount_in'], options);
  assert.deepEqual([found.swaps, found.passed, found.rejects], [[['Tx', 1]], { 'txType is "migrate"': 1001 }, []]);
  assert.deepEqual((await read(file('.ndjson', `${other}\n`), [], options)).passed, { 'txType is "migrate"': 1 });
  await assert.rejects(
    read(file('.ndjson', `${JSON.stringify({ txType: 'buy', mint: 'Mint' })}\n`), [], options),
    /lacks the columns/,
  );
});
