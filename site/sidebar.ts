import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const docs = resolve(import.meta.dirname, '../docs');

export interface Group {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** The groups of the site's sidebar: the tables of docs/README.md. */
export function sidebar(): readonly Group[] {
  const [, ...sections] = readFileSync(join(docs, 'README.md'), 'utf8').split(/^## /m);
  return sections.map((section) => ({
    text: section.split('\n')[0]!,
    items: [...section.matchAll(/^\| \[([^\]]+)\]\((?!\.\.)([^)]+)\.md\)/gm)].map(([, text, page]) => ({
      text: text!,
      link: `/${page}`,
    })),
  }));
}
