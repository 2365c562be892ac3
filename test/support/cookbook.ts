import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { runMany } from '../../packages/cli/test/run-cli.ts';
import { commandsOf, fencedBlocks } from './shell-lines.ts';

const root = resolve(import.meta.dirname, '../..');
const cookbook = join(root, 'docs/cookbook');

/** Recipes that start a server: test/docs-shell.test.ts runs their blocks. */
export const served: readonly string[] = ['back-up.md', 'watch-tokens.md'];

export const recipePages: readonly string[] = readdirSync(cookbook)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .sort();

export const recipePath = (name: string): string => join(cookbook, name);

const STORE = 'dex.db';

/**
 * The recipes as their commands print now, by name. Each page runs in a folder of its own, which has the store that the index makes: blocks
 * of `sh` run, blocks of `console` get what their commands print.
 */
export async function printedRecipes(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-cookbook-'));
  const folderOf = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    symlinkSync(join(root, 'examples'), join(path, 'examples'));
    return path;
  };
  try {
    const made = folderOf('store');
    for (const block of fencedBlocks(readFileSync(recipePath('README.md'), 'utf8'), ['sh'])) await prepare(block, made);
    const pages = new Map<string, string>();
    for (const name of recipePages.filter((page) => !served.includes(page))) {
      const own = folderOf(name.replace(/\.md$/, ''));
      copyFileSync(join(made, STORE), join(own, STORE));
      pages.set(name, await printed(readFileSync(recipePath(name), 'utf8'), own));
    }
    return pages;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function printed(page: string, folder: string): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: whole, 1: language, 2: block, index } of page.matchAll(/^```(sh|console)\n([\s\S]*?)^```$/gm)) {
    parts.push(page.slice(end, index));
    end = index + whole.length;
    if (language === 'sh') {
      await prepare(block!, folder);
      parts.push(whole);
      continue;
    }
    const answers: string[] = [];
    for (const [, command, answer] of block!.matchAll(/^(\$ .*)\n((?:(?!\$ ).*\n)*)/gm))
      answers.push(`${command}\n${await outputOf(command!, { folder, isRefused: answer!.startsWith('error: ') })}`);
    parts.push(`\`\`\`console\n${answers.join('')}\`\`\``);
  }
  return [...parts, page.slice(end)].join('');
}

/** Runs lines that print nothing to compare: those of swapfold, and those that write a file by `echo`. */
async function prepare(block: string, folder: string): Promise<void> {
  for (const line of block.trimEnd().split('\n')) {
    const [, text, file] = line.match(/^echo '([^']*)' > ([\w.]+)$/) ?? [];
    if (file === undefined) await outputOf(line, { folder });
    else writeFileSync(join(folder, file), `${text}\n`);
  }
}

interface Where {
  readonly folder: string;
  /** Whether the page shows that the command is refused: then its error is what it prints. */
  readonly isRefused?: boolean;
}

/** What a line prints. */
async function outputOf(line: string, { folder, isRefused = false }: Where): Promise<string> {
  const [[program, ...words] = [], ...more] = commandsOf(line);
  if (more.length > 0) throw new Error(`one command a line: ${line}`);
  switch (program) {
    case 'swapfold': {
      const [{ code, stdout, stderr }] = (await runMany([words], { cwd: folder })) as [Ended];
      if ((code !== 0) !== isRefused) throw new Error(`${line}\n${stderr}`);
      return isRefused ? stderr : stdout;
    }
    case 'tsx':
      return execFileSync(process.execPath, ['--import', 'tsx', ...words], { cwd: root, encoding: 'utf8' });
    case 'head':
      return execFileSync(program, words, { cwd: folder, encoding: 'utf8' });
    case 'duckdb':
      return csvOf(words.at(-1)!, folder);
    default:
      throw new Error(`no program of recipes: ${line}`);
  }
}

type Ended = Awaited<ReturnType<typeof runMany>>[number];

/** What `duckdb -csv -c` prints; the program need not be installed. */
async function csvOf(sql: string, folder: string): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`set file_search_path = '${folder}'`);
    const file = join(folder, 'answer.csv');
    await connection.run(`copy (${sql}) to '${file}' (format csv, header)`);
    return readFileSync(file, 'utf8');
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
