import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memory, presets, Swapfold } from '@swapfold/core';
import { parseConfig } from '@swapfold/core/host';
import { addressFault, meantAddress, normalAddress, normalIdentifier } from '../src/addresses/address.ts';

/** The pair of forms that nodes of Tron give for the contract of USDT. */
const usdt = { base58: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', account: 'a614f803b6fd780986a42c78ec9c7f77e6ded13c' };

const sui = `0x${'0'.repeat(63)}2`;
const cetus = '0x06864a6f921804860930db6ddbe2e16acdf8504495ea7481637a1c8b9a8fe54b';

describe('addresses', () => {
  test('an address as a table shortens it is refused with a word of that, another text without', () => {
    const refused = (text: string) => addressFault('wallet', text, 'solana').message;
    assert.match(refused('6xxH6…DRCEm'), /received "6xxH6…DRCEm", whose middle is left out; take the whole one$/);
    assert.match(refused('6xxH6'), /received "6xxH6"$/);
  });

  for (const [text, stored, why] of [
    [usdt.base58, usdt.base58, 'as it is shown'],
    [`41${usdt.account}`, usdt.base58, 'the hex form of nodes'],
    [`0x41${usdt.account.toUpperCase()}`, usdt.base58, 'the hex form with 0x, in upper case'],
    [`0x${usdt.account}`, usdt.base58, 'the form of the virtual machine'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', undefined, 'one letter in the other case: the checksum is wrong'],
    [usdt.base58.slice(0, -1), undefined, 'one character short'],
    [usdt.base58.toLowerCase(), undefined, 'in lower case'],
    [usdt.account, undefined, '40 digits without what says of which network'],
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', undefined, 'an address of Bitcoin'],
    ['', undefined, 'nothing'],
  ] as const)
    test(`tron: ${why} ${stored === undefined ? 'is refused' : 'is the address with T'}`, () => {
      assert.equal(normalAddress(text, 'tron'), stored);
    });

  for (const [text, stored, why] of [
    ['0x2', sui, 'a short address has 64 digits'],
    [sui.toUpperCase().replace('0X', '0x'), sui, 'an address is in lower case'],
    ['0x2::sui::SUI', '0x2::sui::SUI', 'a coin of the system has one digit'],
    [`${sui}::sui::SUI`, '0x2::sui::SUI', 'leading zeros are no other coin'],
    [`${cetus}::cetus::CETUS`, `${cetus}::cetus::CETUS`, 'another package keeps its 64 digits'],
    [
      `0x6${cetus.slice(4).toUpperCase()}::cetus::CETUS`,
      `${cetus}::cetus::CETUS`,
      'it gets them back where zeros were cut',
    ],
    ['0x2::sui::sui', '0x2::sui::sui', 'the case of a name is kept'],
    [
      `0xa::lp::LP<${sui}::sui::SUI,vector<u64>>`,
      '0xa::lp::LP<0x2::sui::SUI,vector<u64>>',
      'type arguments follow the same rules',
    ],
    ['0x2::sui', undefined, 'a type without a name is refused'],
    ['2::sui::SUI', undefined, 'an address without 0x is refused'],
    ['0x2::sui::SUI<', undefined, 'arguments that do not end are refused'],
    ['0x2::sui::SUI<u64>>', undefined, 'a bracket too many is refused'],
    ['0x2::sui::SUI ', undefined, 'a space behind is refused'],
    ['0x2::1sui::SUI', undefined, 'a module that begins with a digit is refused'],
    [`0x${'1'.repeat(65)}`, undefined, '65 digits are refused'],
    ['0x', undefined, 'no digit is refused'],
    [`0x2::a::B${'<0x2::a::B'.repeat(60)}${'>'.repeat(60)}`, undefined, 'more than 512 characters are refused'],
  ] as const)
    test(`sui: ${why}`, () => {
      assert.equal(normalAddress(text, 'sui'), stored);
    });

  test('an identifier is stored as an address if it is one, else as it is, in lower case on an EVM chain', () => {
    assert.equal(normalIdentifier('0x2', 'sui'), sui);
    assert.equal(normalIdentifier(`41${usdt.account}`, 'tron'), usdt.base58);
    assert.equal(normalIdentifier('Pool-1', 'tron'), 'Pool-1');
    assert.equal(normalIdentifier('0xAB', 'evm'), '0xab');
    assert.equal(normalIdentifier('a pool', 'sui'), undefined);
  });

  test('a text of a filter that is no address stays, in lower case on an EVM chain', () => {
    assert.equal(meantAddress('0xAB', 'evm'), '0xab');
    assert.equal(meantAddress('TR7', 'tron'), 'TR7');
    assert.equal(meantAddress(`${sui}::sui::SUI`, 'sui'), '0x2::sui::SUI');
  });
});

for (const [name, preset] of Object.entries(presets))
  test(`the preset ${name} stands for itself: its addresses are as they are stored, one native, the rest stable`, () => {
    const config = parseConfig({ preset: name });
    assert.deepEqual(config.quote_tokens, preset.quote_tokens);
    assert.equal(config.chain, name);
    assert.equal(config.quote_tokens.filter(({ kind }) => kind === 'native').length, 1);
  });

test('an unknown preset is refused with the nearest', () => {
  assert.throws(() => parseConfig({ preset: 'polygone' }), {
    code: 'invalid-config',
    message: /"preset": .*Did you mean "polygon"\?/,
  });
});

test('on Tron every form of an address is one wallet and one token, in swaps, requests and filters', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'tron' } });
  const [wallet, token] = [`41${'11'.repeat(20)}`, `41${'22'.repeat(20)}`];
  const hex = (address: string) => `0x${address.slice(2)}`;
  const swap = { swap_index: 0, block_time: 1_735_689_600, token_amount_in: 100, token_amount_out: 50 };
  const bought = { ...swap, tx_hash: 'a', wallet, token_in: usdt.base58, token_out: token };
  const { added, rejected } = await dex.ingest([
    bought,
    { ...bought, tx_hash: 'b', wallet: hex(wallet), token_in: hex(`41${usdt.account}`), token_out: hex(token) },
    { ...bought, tx_hash: 'c', wallet: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T' },
  ]);
  assert.deepEqual([added, rejected], [2, 1]);
  await dex.refresh();
  assert.equal((await dex.trades.list({ wallet: hex(wallet), token })).count, 2);
  const { data } = await dex.wallets.search({ filter: { wallet_address: hex(wallet) } });
  assert.equal(data[0]!.wallet_address, normalAddress(wallet, 'tron'));
  assert.equal(data[0]!.metrics!['1d']!.volume, 200);
  await dex.close();
});
