import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node, Notices } from '@swapfold/chain';
import { fromBase58, toBase58, u64 } from '../src/base58.ts';
import { Metadata, metaplexAccount } from '../src/metadata.ts';
import { madeTokens } from '../src/mints.ts';
import { NodeBlocks } from '../src/node-blocks.ts';
import { Pools } from '../src/pools.ts';
import { isOnCurve } from '../src/program-address.ts';
import { base58, bytes, type Call, call, u64 as hex64, key, transactionOf, USDC } from './support/transaction.ts';

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SYSTEM = '11111111111111111111111111111111';
const [creator, payer, mint] = [key('creator'), key('payer'), key('mint')];

const initialize = (op: string, decimals: string): Call =>
  call(TOKEN, [mint], `${op}${decimals}${bytes(key('authority'))}00`);
const create = call(SYSTEM, [creator, mint], `00000000${hex64(1_461_600)}${hex64(82)}${'00'.repeat(32)}`);
const tokensOf = (...calls: readonly Call[]) =>
  madeTokens(transactionOf({ signers: [payer, creator], tokens: [], calls }), 1_730_000_000);

for (const [name, op] of [
  ['InitializeMint', '00'],
  ['InitializeMint2', '14'],
] as const)
  test(`${name} gives the registry when a token was made, and who paid for its account`, () => {
    const made = [{ address: mint, decimals: 6, created_at: 1_730_000_000, creator_address: creator }];
    assert.deepEqual(tokensOf(create, initialize(op, '06')), made);
    assert.deepEqual(tokensOf(call(key('launchpad'), [mint], '01', create, initialize(op, '06'))), made);
  });

test('a token whose account nobody is seen to pay for is by who paid for the transaction; one without decimals is left out', () => {
  assert.equal(tokensOf(initialize('14', '06'))[0]!.creator_address, payer);
  assert.deepEqual(tokensOf(create, initialize('14', '00')), []);
});

/** Test vectors of the draft "The Base58 Encoding Scheme" (draft-msporny-base58). */
const vectors = [
  ['48656c6c6f20576f726c6421', '2NEpo7TZRRrLZSi2U'],
  [
    '54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e',
    'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
  ],
  ['0000287fb4cd', '11233QC4'],
] as const;
for (const [hexadecimal, text] of vectors)
  test(`base 58: ${text}`, () => {
    assert.equal(toBase58(Buffer.from(hexadecimal, 'hex')), text);
    assert.equal(Buffer.from(fromBase58(text)).toString('hex'), hexadecimal);
  });

test('base 58 of random bytes is that of a long division, both ways', () => {
  for (let n = 0; n < 300; n++) {
    const some = Buffer.from(
      Array.from({ length: n % 140 }, (_, i) => (i < n % 3 ? 0 : (n * 31 + i * 17 + ((n * i) % 251)) % 256)),
    );
    assert.equal(toBase58(some), base58(some));
    assert.deepEqual(Buffer.from(fromBase58(base58(some))), some);
  }
  assert.equal(fromBase58('0OIl').length, 0);
  assert.equal(u64(Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255), 0), 2n ** 64n - 1n);
});

test('the Metaplex account of USDC is the one that the chain has', () => {
  assert.equal(metaplexAccount(USDC), '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq');
});

test('the base point of edwards25519 is on the curve, an address of a program is not', () => {
  assert.equal(isOnCurve(Buffer.from(`58${'66'.repeat(31)}`, 'hex')), true);
  assert.equal(isOnCurve(fromBase58('5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq')), false);
});

const sized = (text: string, room = text.length): Buffer => {
  const made = Buffer.alloc(4 + room);
  made.writeUInt32LE(room);
  made.write(text, 4);
  return made;
};

test('names are read of the extension of a Token-2022 mint, else of the Metaplex account, a hundred accounts a call, each token once', async () => {
  const [first, second, third] = [key('one'), key('two'), key('three')];
  const value = Buffer.concat([Buffer.alloc(64), sized('First'), sized('FST'), sized('https://x')]);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(19);
  head.writeUInt16LE(value.length, 2);
  const accounts = new Map([
    [first, Buffer.concat([Buffer.alloc(166), Buffer.from([18, 0, 2, 0, 1, 1]), head, value])],
    [second, Buffer.alloc(82)],
    [metaplexAccount(second), Buffer.concat([Buffer.alloc(65), sized('Second', 32), sized('SND', 10)])],
  ]);
  const asked: number[] = [];
  const send = async (calls: readonly (readonly [string, readonly unknown[], unknown?])[]) =>
    calls.map(([, [addresses]]) => {
      asked.push((addresses as string[]).length);
      return {
        value: {
          value: (addresses as string[]).map((address) =>
            accounts.has(address) ? { data: [accounts.get(address)!.toString('base64'), 'base64'] } : null,
          ),
        },
      };
    });
  const notices = new Notices(() => undefined);
  const { signal } = new AbortController();
  const node = new Node(send, { batch: 8, signal, notices });
  const metadata = new Metadata(new NodeBlocks(node, { notices, commitment: 'confirmed', signal }));
  const row = (token_in: string, token_out: string) => ({ token_in, token_out }) as never;
  assert.deepEqual(await metadata.of([row(first, second), row(second, third)]), [
    { address: first, name: 'First', symbol: 'FST' },
    { address: second, name: 'Second', symbol: 'SND' },
  ]);
  assert.deepEqual(asked, [3, 2]);
  assert.deepEqual(await metadata.of([row(first, third)]), []);
  await metadata.of(Array.from({ length: 125 }, (_, i) => row(key(`in ${i}`), key(`out ${i}`))));
  assert.deepEqual(asked.slice(2), [100, 100, 100, 100, 50, 50]);
});

test('a pool exchanges one pair of tokens for ever, either way', () => {
  const pools = new Pools();
  assert.deepEqual(
    [
      pools.fits('pool', 'a', 'b'),
      pools.fits('pool', 'b', 'a'),
      pools.fits('pool', 'a', 'c'),
      pools.fits('pool', 'a', 'b'),
    ],
    [true, true, false, true],
  );
});
