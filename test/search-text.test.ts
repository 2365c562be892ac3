import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { profileRows, searchContext } from '../packages/core/test/search-fixtures.ts';
import { openStores, type Stores } from './search-stores.ts';

const require = createRequire(import.meta.url);
/** Solana's own list of tokens (Apache-2.0), of which the chain's main network is searched. */
const registry = require.resolve('@solana/spl-token-registry/dist/main/tokens/solana.tokenlist.json');
const MAINNET = 101;

interface Listed {
  readonly chainId: number;
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
}

/** `first`: symbols that lead the answer, in order; `count`: all that match; `has`: symbols anywhere in it; `lacks`: symbols that are not. */
interface Expected {
  readonly first?: readonly string[];
  readonly count?: number;
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
}

type Flags = { readonly autocomplete?: true; readonly fuzzy?: true; readonly fields?: readonly string[] };

const plain: Flags = {};
const autocomplete: Flags = { autocomplete: true };
const fuzzy: Flags = { fuzzy: true };
const symbol: Flags = { fields: ['metadata.symbol'] };
const name: Flags = { fields: ['metadata.name'] };

/** Judged by hand, with the help of a word count of the registry that shares no code with Swapfold. Ties are by address. */
const queries: readonly (readonly [why: string, text: string, flags: Flags, expected: Expected])[] = [
  ['an exact symbol alone', 'bonk', plain, { first: ['BONK'], count: 1 }],
  ['an exact symbol before pools of it', 'usdc', plain, { first: ['USDC', 'USDC/USDT', 'USDC-USDT-UST'], count: 261 }],
  ['an exact symbol before names that hold it', 'sol', plain, { first: ['SOL'], count: 170 }],
  [
    'both exact: symbol or name',
    'serum',
    plain,
    { first: ['SERUM', 'SRM', 'SURF', 'SSURF', 'SRMEI', 'SRMet'], count: 9 },
  ],
  ['tokens of one symbol', 'gmt', plain, { first: ['GMT', 'GMT', 'GMT', 'GMT', 'GMT'], count: 5 }],
  [
    'an exact symbol before a name that begins so',
    'dust',
    plain,
    { first: ['DUST', 'DUST', 'DUST', 'DUST', 'DUST', 'DTT'], count: 6 },
  ],
  ['an exact name before names that begin so', 'raydium', plain, { first: ['RAY', 'RAY-SOL'], count: 86 }],
  ['an exact name, its pools after it', 'orca', plain, { first: ['ORCA', 'COPE/SOL'], count: 110 }],
  [
    'an exact name, then the beginning of one, then within',
    'mango',
    plain,
    { first: ['MNGO', 'MCAPS', 'Pmtoken'], count: 3 },
  ],
  [
    'an exact symbol, then the beginning of one, then within',
    'mngo',
    plain,
    { first: ['MNGO', 'MNGO/USDC', 'fcMNGO', 'fpMNGO', 'kcMNGO'], count: 5 },
  ],
  ['exact: symbol and name agree', 'cope', plain, { first: ['COPE', 'COPE/SOL'], count: 7 }],
  ['lower case is fine', 'lido', plain, { first: ['LiDo', 'stSOL', 'bSOL-Lido', 'stETH', 'LDO', 'wstETH'], count: 7 }],
  ['upper case is fine', 'STSOL', plain, { first: ['stSOL'], count: 10 }],
  ['mixed case is fine', 'mSoL', plain, { first: ['MSOL', 'MSOL', 'mSOL'], count: 32 }],
  ['a name of two words', 'star atlas', plain, { first: ['ATLAS', 'SATM', 'POLIS', 'HOSA'], count: 4 }],
  [
    'a name of two words, exact before longer ones',
    'usd coin',
    plain,
    { first: ['USDC', 'USDCet', 'USDCpo', 'USDCbs', 'wUSDC_v1'], count: 7 },
  ],
  ['two words in the other order', 'coin usd', plain, { count: 7, has: ['USDC'] }],
  [
    'two words that stand apart',
    'usd tether',
    plain,
    { count: 5, has: ['USDTpo', 'USDTbs', 'wUSDT_v1', 'USDTet', 'USD'], lacks: ['USDT'] },
  ],
  ['two words in two fields', 'usdc wormhole', plain, { count: 3, has: ['wUniUSDCETH_v1', 'waUSDC_v1'] }],
  ['three words', 'marinade staked sol', plain, { first: ['mSOL'], count: 1 }],
  ['three words, the exact name first', 'lido staked sol', plain, { first: ['stSOL', 'pstSOL'], count: 2 }],
  ['three words in any order', 'raydium token lp', plain, { count: 83 }],
  ['two words that stand next to each other in another field', 'saber lp', plain, { count: 107 }],
  ['two words, one of which nothing has', 'step finance', plain, { count: 0 }],
  ['two words that no token has both', 'magic eden', plain, { count: 0 }],
  ['words of which only the family is there', 'elon musk', plain, { count: 0 }],
  [
    'a name that begins so before one that has it within',
    'wrapped bitcoin',
    plain,
    { first: ['BTC', 'sBTC-9', 'sBTC-8'], count: 3 },
  ],
  ['a name alone', 'degenerate ape', plain, { count: 4, has: ['svtDAPE', 'DAPES', 'DEGN', 'DAPE'] }],
  ['a word within names only', 'parrot', plain, { count: 8, has: ['PAI', 'PRT', 'pSOL'] }],
  ['a bridge named in brackets', 'portal', plain, { count: 115, has: ['AKRO', 'HGET'] }],
  ['the singular is not the plural', 'ape', plain, { first: ['APE', 'APE', 'APE'], count: 39, lacks: ['AF'] }],
  ['the plural is not the singular', 'apes', plain, { first: ['APES', 'AF'], count: 31, lacks: ['ASSS'] }],
  ['a part of a word is no word', 'moonshot', plain, { count: 0 }],
  ['the beginning of a word is no word without autocomplete', 'rayd', plain, { count: 0 }],
  ['the end of a word is no word', 'coin', symbol, { lacks: ['BITCOIN'] }],
  ['a name with a number in it', 'only1', plain, { first: ['LIKE'], count: 1 }],
  ['a number', '420', plain, { first: ['420'], count: 3, lacks: ['420TOKE'] }],
  ['a year', '2022', plain, { count: 7, has: ['ZEM', 'EKG'] }],
  ['one character', '1', plain, { first: ['FIRST', '1'], count: 29 }],
  ['a sign before a symbol is left out', '$WIF', plain, { first: ['WIF'], count: 1 }],
  [
    'a symbol with a sign is found without it',
    'love',
    plain,
    { first: ['$LOVE', 'LOVE', 'DIAMOND', 'LUV'], count: 12 },
  ],
  ['a symbol that is nothing but a sign', '$', plain, { first: ['$', '$', '$', '$'], count: 4 }],
  [
    'a pair with a hyphen finds the pair with a slash',
    'sol-usdc',
    plain,
    { first: ['SOL-USDC', 'SOL/USDC', 'SOL/USDC', 'SOL-USDC', 'SOL/USDC', 'kpSOL'], count: 6 },
  ],
  ['a pair with a dash', 'sol–usdc', plain, { first: ['SOL-USDC'], count: 6 }],
  ['brackets and slashes are spaces', 'USDC/USDT[stable]', plain, { first: ['USDC/USDT[stable]'], count: 1 }],
  ['a straight apostrophe', "don't", plain, { first: ['MASK'], count: 1 }],
  ['a curly apostrophe for a straight one', 'don’t', plain, { first: ['MASK'], count: 1 }],
  ['accents left out', 'existencia', plain, { first: ['PROEXIS'], count: 1 }],
  ['accents given', 'Existência', plain, { first: ['PROEXIS'], count: 1 }],
  ['accents given that the name lacks', 'café', plain, { count: 3, has: ['TSCT', 'SLCFE', 'OKCT'] }],
  ['an accent on another letter', 'canopée', plain, { count: 2, has: ['CCCT', 'CEST'] }],
  ['a circumflex left out', 'facebook', plain, { first: ['FB', 'Meta', 'FBNFTD3I'], count: 3 }],
  ['a diaeresis left out', 'pinguino', plain, { first: ['PAC'], count: 1 }],
  ['a grave accent left out, exact', 'endriucoin', plain, { first: ['NDR'], count: 1 }],
  ['two accented tokens of one symbol', 'betyar', plain, { first: ['BETYAR', 'BETYAR'], count: 2 }],
  ['accents given in upper case', 'MÖTHLIST', plain, { first: ['MLT'], count: 1 }],
  ['accents as separate marks', 'Soule\u0301 Token', plain, { first: ['SLT'], count: 1 }],
  ['full-width letters', 'ｏｒｃａ', plain, { first: ['ORCA'], count: 110 }],
  ['a pictograph', '❤', plain, { first: ['LOVE'], count: 1 }],
  ['a pictograph in its colourful form', '❤️', plain, { first: ['LOVE'], count: 1 }],
  ['a pictograph between letters', 'b❤p', plain, { first: ['LOVE'], count: 1 }],
  ['a pictograph that no token has', '🚀', plain, { count: 0 }],
  ['letters around a pictograph', 'b p', plain, { count: 2, has: ['LOVE', 'VXX'] }],
  ['an address', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', plain, { first: ['USDC'], count: 1 }],
  ['part of an address is nothing', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1', plain, { count: 0 }],
  ['the beginning of an address, as typed', 'EPj', autocomplete, { first: ['USDC', 'BHMT'], count: 2 }],
  ['the beginning of a symbol', 'bop', autocomplete, { first: ['BOP'], count: 5, has: ['BPZ'] }],
  ['the beginning of a name', 'rayd', autocomplete, { count: 86, has: ['RAY'] }],
  ['an exact symbol before what begins so', 'sol', autocomplete, { first: ['SOL'], has: ['SOL'] }],
  ['beginnings of two words', 'wrap bitc', autocomplete, { first: ['BTC'], count: 3 }],
  ['beginnings of two words in the other order', 'bitc wrap', autocomplete, { count: 3, has: ['sBTC-9'] }],
  ['the middle of a word is no beginning', 'ydium', autocomplete, { count: 0 }],
  ['a beginning with accents left out', 'exist', autocomplete, { has: ['PROEXIS'] }],
  ['names only', 'usdt', name, { lacks: ['USDTpo'], has: ['USDT'] }],
  ['symbols only', 'orca', symbol, { first: ['ORCA', 'ORCA/mSOL'], lacks: ['COPE/SOL'] }],
  ['a letter left out', 'raydum', fuzzy, { first: ['RAY', 'RAY-SOL'], count: 86 }],
  ['a letter left out of a longer word', 'marinde', fuzzy, { first: ['MNDE', 'mSOL-SOL-LP', 'mSOL'], count: 3 }],
  ['a letter too many', 'facebbook', fuzzy, { first: ['FB', 'Meta', 'FBNFTD3I'], count: 3 }],
  ['two letters swapped', 'tehter', fuzzy, { has: ['USDTpo', 'USDTbs', 'wUSDT_v1', 'USDTet', 'USD'] }],
  ['two letters swapped in a short word', 'bnok', fuzzy, { has: ['BONK'] }],
  ['a typo in one word of two', 'samoyd coin', fuzzy, { first: ['SAMO', 'SAPO'], count: 2 }],
  ['typos in both words', 'wraped bitcion', fuzzy, { first: ['BTC', 'sBTC-9', 'sBTC-8'], count: 3 }],
  ['two typos in a long word', 'etherium name servise', fuzzy, { first: ['ENS'], count: 1 }],
  ['a typo beside an accent', 'existenca', fuzzy, { has: ['PROEXIS'] }],
  ['what is spelled right comes first', 'orca', fuzzy, { first: ['ORCA', 'COPE/SOL'] }],
  ['a typo without fuzzy finds nothing', 'raydum', plain, { count: 0 }],
  ['three typos are too many', 'rxydxxm', fuzzy, { count: 0 }],
  ['two letters allow no typo', 'sl', fuzzy, { lacks: ['SOL'] }],
  [
    'a typo in the beginning of a word',
    'solan pupy',
    { fuzzy: true, autocomplete: true },
    { first: ['TREATS'], count: 1 },
  ],
];

let opened: Stores | undefined;

before(async () => {
  const { tokens } = JSON.parse(readFileSync(registry, 'utf8')) as { tokens: readonly Listed[] };
  const listed = tokens.filter(({ chainId }) => chainId === MAINNET);
  assert.equal(
    listed.length,
    13_053,
    'another release of the registry has other tokens: the counts below are of this one',
  );
  const profiles = listed.map((token) => ({
    token_address: token.address,
    'metadata.symbol': token.symbol,
    'metadata.name': token.name,
  }));
  opened = await openStores('tokens', profileRows('tokens', profiles));
});

after(() => opened?.close());

for (const [why, text, flags, expected] of queries) {
  test(`"${text}" finds what people mean: ${why}`, async () => {
    const answers = await Promise.all(
      opened!.places.map(async (place) => {
        const context = { ...searchContext('tokens'), columns: ['token_address', 'metadata.symbol'] };
        const page = await place.search({ query: { text, ...flags }, limit: 100 }, context);
        return {
          count: page.count,
          addresses: page.rows.columns.token_address,
          symbols: page.rows.columns['metadata.symbol'] as string[],
        };
      }),
    );
    const [{ count, symbols }] = answers as [(typeof answers)[number]];
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    if (expected.count !== undefined) assert.equal(count, expected.count);
    assert.deepEqual(symbols.slice(0, expected.first?.length ?? 0), expected.first ?? []);
    for (const one of expected.has ?? []) assert.ok(symbols.includes(one), `${one} is missing`);
    for (const one of expected.lacks ?? []) assert.ok(!symbols.includes(one), `${one} is there`);
  });
}
