import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { docs } from './sidebar.ts';

const root = resolve(import.meta.dirname, '..');
const repository = 'https://github.com/swapfold/swapfold/blob/main';

/** Copies docs/ to `folder` as pages of the site: links to files outside of docs/ lead to the repository. */
export function writePages(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(docs, folder, { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )) {
    const path = join(folder, name);
    writeFileSync(path, withSiteLinks(readFileSync(path, 'utf8'), dirname(join(docs, name))));
  }
  renameSync(join(folder, 'README.md'), join(folder, 'index.md'));
}

/** Names the modules of the signatures in `folder` by what programs import: `core/src` is `@swapfold/core`. */
export function nameModules(folder: string): void {
  const named = (module: string): string => {
    const [name, door] = module.split('/src') as [string, string];
    return name === 'cli' ? 'swapfold' : `@swapfold/${name}${door}`;
  };
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  for (const path of files.map((name) => join(folder, name))) {
    const text = readFileSync(path, 'utf8')
      .replace('## Modules', '## Packages')
      .replaceAll(/^# (\w+\/src(?:\/\w+)?)$/gm, (_, module: string) => `# ${named(module)}`)
      .replaceAll(/\[(\w+\/src(?:\/\w+)?)\]\(/g, (_, module: string) => `[${named(module)}](`);
    writeFileSync(path, text);
  }
}

function withSiteLinks(page: string, folder: string): string {
  return page.replaceAll(/\]\((?!https?:|#)([^)#\s]+)/g, (link, target: string) => {
    const path = resolve(folder, target);
    return path.startsWith(docs) ? link : `](${repository}/${relative(root, path)}`;
  });
}
