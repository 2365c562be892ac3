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

function withSiteLinks(page: string, folder: string): string {
  return page.replaceAll(/\]\((?!https?:|#)([^)#\s]+)/g, (link, target: string) => {
    const path = resolve(folder, target);
    return path.startsWith(docs) ? link : `](${repository}/${relative(root, path)}`;
  });
}
