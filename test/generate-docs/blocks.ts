import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
export const blocksFolder = join(root, 'test/docs-code/blocks');

/** What blocks name without declaring it, because a sentence before them does. */
const given: Readonly<Record<string, string>> = {
  dex: "declare const dex: import('@swapfold/core').Swapfold;",
  wallet: 'declare const wallet: string;',
  swaps: "declare const swaps: readonly import('@swapfold/core').SwapInput[];",
  signal: 'declare const signal: AbortSignal;',
  swapsOf: "declare function swapsOf(block: number): Promise<readonly import('@swapfold/core').SwapInput[]>;",
  pino: "declare function pino(): import('@swapfold/server').Logger;",
  subscription: 'declare const subscription: { readonly cursor: string };',
};

/** Blocks of clients that are generated: test/openapi-clients runs them. */
const isElsewhere = (code: string): boolean => /from '(openapi-fetch|\.\/dex)/.test(code);

/** Every TypeScript block of the pages as a module that `npm run check` checks the types of, by its file name. */
export function codeBlocks(): ReadonlyMap<string, string> {
  const inFolder = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => join(folder, name));
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
  const files = new Map<string, string>();
  for (const page of ['README.md', ...packages, ...inFolder('docs')].sort()) {
    const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts[^\n]*\n([\s\S]*?)^```$/gm)];
    for (const [i, [, code]] of blocks.entries()) {
      if (isElsewhere(code!)) continue;
      const declared = Object.entries(given).filter(([name]) => isMissing(name, code!));
      const lines = [`// Generated from ${page} by test/generate-docs/blocks.ts.`, ...declared.map(([, line]) => line)];
      const name = `${page.replace(/\.md$/, '').replaceAll('/', '.')}-${i + 1}.ts`;
      files.set(name, `${lines.join('\n')}\n${code}export {};\n`);
    }
  }
  return files;
}

function isMissing(name: string, code: string): boolean {
  const isUsed = new RegExp(`(?<![.\\w'/])${name}(?![\\w:'])`).test(code);
  const isDeclared = new RegExp(`(const|let|function) (${name}\\b|\\{[^}]*\\b${name}\\b)`).test(code);
  return isUsed && !isDeclared;
}

if (resolve(process.argv[1] ?? '') === import.meta.filename) {
  rmSync(blocksFolder, { recursive: true, force: true });
  mkdirSync(blocksFolder, { recursive: true });
  for (const [name, code] of codeBlocks()) writeFileSync(join(blocksFolder, name), code);
}
