/**
 * Compiles the contracts in test/chain/solidity anew: `npm install --no-save --ignore-scripts --prefix test/chain solc@0.8.30 && node --import tsx
 * test/chain/generate-artifacts.ts`. What it writes is kept, so that the tests need no compiler.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

interface Compiled {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Contract>>>>;
}

interface Contract {
  readonly abi: unknown;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

const folder = join(import.meta.dirname, 'solidity');
const target = join(import.meta.dirname, 'artifacts');
const { compile } = createRequire(import.meta.url)('solc') as { compile: (input: string) => string };

const names = readdirSync(folder).filter((name) => name.endsWith('.sol'));
const input = {
  language: 'Solidity',
  sources: Object.fromEntries(names.map((name) => [name, { content: readFileSync(join(folder, name), 'utf8') }])),
  settings: {
    evmVersion: 'cancun',
    optimizer: { enabled: true, runs: 1 },
    metadata: { appendCBOR: false, bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
};
const { errors = [], contracts } = JSON.parse(compile(JSON.stringify(input))) as Compiled;
const wrong = errors.filter(({ severity }) => severity === 'error');
if (wrong.length > 0) throw new Error(wrong.map(({ formattedMessage }) => formattedMessage).join('\n'));
mkdirSync(target, { recursive: true });
for (const name of names) {
  const contract = basename(name, '.sol');
  const { abi, evm } = contracts[name]![contract]!;
  writeFileSync(join(target, `${contract}.json`), `${JSON.stringify({ abi, bytecode: evm.bytecode.object })}\n`);
}
