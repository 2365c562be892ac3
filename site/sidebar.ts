import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const docs = resolve(import.meta.dirname, '../docs');

export interface Group {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** The groups of the site's sidebar: the tables of docs/README.md and, behind the guides, that of the cookbook. */
export function sidebar(): readonly Group[] {
  const [, ...sections] = readFileSync(join(docs, 'README.md'), 'utf8').split(/^## /m);
  const groups = sections.map((section) => ({ text: section.split('\n')[0]!, items: itemsOf(section, '/') }));
  const recipes = readFileSync(join(docs, 'cookbook/README.md'), 'utf8');
  return groups.flatMap((group) =>
    group.text === 'Guides' ? [group, { text: 'Cookbook', items: itemsOf(recipes, '/cookbook/') }] : [group],
  );
}

/** The pages in the first column of a table; `folder` is that of the page that has it. */
function itemsOf(text: string, folder: string): Group['items'] {
  return [...text.matchAll(/^\| \[([^\]]+)\]\((?!\.\.)([^)]+)\.md\)/gm)].map(([, title, page]) => ({
    text: title!,
    link: `${folder}${page}`,
  }));
}
