import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** Words of the house that gave way to the field's, each beside the word to use. */
const retired: Readonly<Record<string, string>> = {
  Kept: 'QueryCache',
  KeptPart: 'Region',
  keep: 'put',
  KeptProfiles: 'ProfileCache',
  KeptKind: 'ProfileCache',
  KeptRows: 'ColumnTable',
  KeptNumbers: 'a typed array',
  KeptTexts: 'TextColumn',
  KeptWords: 'DictionaryColumn',
  KeptEntities: 'RefreshCache',
  stamp: 'version',
  moved: 'StaleSnapshot',
  cleared: 'epoch',
  TokenShelf: 'TokenRegion',
  Generations: 'TwoGenerationCache',
  pauses: 'yielder',
  takeDue: 'yieldIfDue',
  Folded: 'FoldMessage',
  noticeOthers: 'reloadIfChanged',
  foreignVersion: 'externalVersion',
  holdSnapshot: 'pinSnapshot',
  giveBack: 'release',
  makeWay: 'bufferOpenCursors',
  ChainPlaces: 'ChainKeys',
  placeRows: 'rankRows',
  candidates: 'validSwaps',
  Checked: 'BatchValidator',
  Faults: 'RowErrors',
  identify: 'deduplicate',
  stretch: 'partialSums',
  rings: 'ageBuckets',
  head: 'baseColumns',
  partner: 'counterparty',
  companions: 'searchColumns',
  nearParts: 'fuzzyPieces',
  beginnings: 'prefixKeys',
  Questions: 'Api',
  AskOptions: 'QueryOptions',
  madeOf: 'profileFingerprint',
  foldedWith: 'configFingerprint',
  machine: 'memory-limit',
  refusal: 'requestError',
};

/** Files that had such names. */
const retiredFiles = /^(kept|fold-apart|work-set|near-parts|read-ahead|machine|repeated|generations)(-|\.)/;

const packages = ['core', 'sql', 'sqlite', 'duckdb', 'clickhouse', 'server', 'client', 'evm', 'testing'];
const files = packages.flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('packages', name, 'src', file)),
);

/** Names that a module declares, and those of methods of its classes and objects. */
const declaration =
  /^(?:export )?(?:abstract |async )*(?:function\*?|class|interface|type|const|let) (\w+)|^ {2,4}(?:async |static |\*)*(\w+)(?:<[^>]*>)?\([^()]*\)(?:: [^;=]+)? \{$/gm;

test('no file declares a word that gave way to one of the field, nor is named so', () => {
  const found = files.flatMap((file) => {
    const names = [...readFileSync(join(root, file), 'utf8').matchAll(declaration)].map(
      (match) => match[1] ?? match[2]!,
    );
    const declared = names.filter((name) => Object.hasOwn(retired, name)).map((name) => `${file}: ${name}`);
    return retiredFiles.test(basename(file)) ? [...declared, file] : declared;
  });
  assert.deepEqual(found, []);
});

test('the look at declarations sees functions, classes, types, constants and methods', () => {
  const text =
    'export function one() {}\nclass Two {\n  three(): void {\n  }\n}\nconst four = 1;\nexport type Five = 1;\n';
  assert.deepEqual(
    [...text.matchAll(declaration)].map((match) => match[1] ?? match[2]),
    ['one', 'Two', 'three', 'four', 'Five'],
  );
});
