import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { confusions } from '../support/planted-launches.ts';
import { docsPath, table } from './page.ts';

export const launchesPage = docsPath('reference/launches.md');

/** The seeds begin here. No threshold was chosen by one of them. */
export const SEED = 9000;

const percent = (part: number, whole: number): string =>
  whole === 0 ? '' : `${Math.round((1000 * part) / whole) / 10} %`;
const of = (part: number, whole: number): string => (whole === 0 ? '' : `${part} of ${whole}`);

/** The page of launches with its table of planted ones made anew. */
export async function renderLaunches(): Promise<string> {
  const rows = await confusions(SEED, ({ plant }) => (plant === undefined ? 200 : 30));
  const kinds = [...new Set(rows.map(({ kind }) => kind.name))];
  const cells = kinds.map((name) => {
    const ofKind = rows.filter(({ kind }) => kind.name === name).map(({ found }) => found);
    const each = (text: (found: (typeof ofKind)[number]) => string): string => ofKind.map(text).join(' / ');
    const sum = (count: (found: (typeof ofKind)[number]) => number): number =>
      ofKind.reduce((all, found) => all + count(found), 0);
    return [
      name,
      each((found) => percent(found.bundled, found.launches)),
      each((found) => percent(found.fourInFive, found.launches)),
      of(
        sum((found) => found.bundlersFound),
        sum((found) => found.bundlers),
      ),
      each((found) => String(found.othersBundled)),
      of(
        sum((found) => found.insidersFound),
        sum((found) => found.insiders),
      ),
      each((found) => String(found.otherInsiders)),
    ];
  });
  const titles = [
    'planted',
    'launches with a bundle',
    'four buyers in 5 s',
    'bundlers found',
    'others bundled',
    'insiders found',
    'other insiders',
  ];
  return readFileSync(launchesPage, 'utf8').replace(
    /(<!-- generated: planted -->\n)[\s\S]*?(<!-- end of what is generated -->)/,
    (_, start: string, end: string) => `${start}\n${table(titles, cells)}\n\n${end}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(launchesPage, await renderLaunches());
