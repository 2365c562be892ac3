import { readdir, readFile } from 'node:fs/promises';
import { extname, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the page, as the option `files` of `serve` takes it. */
export interface PageFile {
  /** Where the server answers with it: `/` or below `/explorer/`. */
  readonly path: string;
  /** Its `Content-Type`. */
  readonly type: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Options of `explorerFiles`. */
export interface ExplorerOptions {
  /** Where the server answers with the documentation, seen from the page: `docs/`. The page then has a link to it. Default: nowhere. */
  readonly docs?: string | undefined;
  /**
   * Where a transaction is looked up, an address with `{hash}` in the place of its hash: `https://solscan.io/tx/{hash}`. Hashes then link to it.
   * Default: nowhere.
   */
  readonly transactions?: string | undefined;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** The page may load from its own server and from nowhere else, and runs no script that stands in a document. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** Minified beside the built module; in the repository the modules that it is written in. */
const folder = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../page/' : './page/', import.meta.url));

/**
 * The files of the explorer, for a server to answer with.
 *
 * ```ts
 * const server = await serve(dex, { files: await explorerFiles() });
 * ```
 *
 * Throws a `TypeError` for an address of transactions without `{hash}`, or of another protocol than HTTP.
 */
export async function explorerFiles({ docs, transactions }: ExplorerOptions = {}): Promise<readonly PageFile[]> {
  if (transactions !== undefined && !isTransactionAddress(transactions))
    throw new TypeError(
      `"transactions" takes an address with {hash} in it, such as "https://solscan.io/tx/{hash}", not "${transactions}".`,
    );
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // Beside modules of others lie their types, which no browser asks for.
  const paths = entries
    .filter((entry) => extname(entry.name) in types)
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  const files = await Promise.all(
    paths.sort().map(async (file): Promise<PageFile> => {
      const name = relative(folder, file).split(sep).join('/');
      const path = name === 'index.html' ? '/' : `/explorer/${name}`;
      return { path, type: types[extname(name)]!, text: await readFile(file, 'utf8'), headers };
    }),
  );
  const links = [
    ...importedFrom('/explorer/app.js', files).map((path) => `<link rel="modulepreload" href="${path.slice(1)}">`),
    ...(docs === undefined ? [] : [`<link rel="help" href="${encodeURI(docs)}">`]),
    ...(transactions === undefined ? [] : [`<meta name="transactions" content="${escaped(transactions)}">`]),
  ].map((link) => `    ${link}\n`);
  const linked = (text: string): string => text.replace('  </head>', `${links.join('')}  </head>`);
  return files.map((file) => (file.path === '/' ? { ...file, text: linked(file.text) } : file));
}

/** Whether a text is an address of a page for each transaction. */
export function isTransactionAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/.test(text) && text.includes('{hash}') && URL.canParse(text);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** In the repository the comments import types, from files that no browser asks for. */
const withoutTypes = (text: string): string => text.replaceAll(/\/\*\*.*?\*\//gs, '');

/** The modules that one imports, and those that they import: asked for one after the other they would come a tenth of a second later. */
function importedFrom(entry: string, files: readonly PageFile[]): readonly string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const found = new Set([entry]);
  for (const path of found)
    for (const [, name] of withoutTypes(texts.get(path)!).matchAll(/\b(?:from|import) ?['"](\.[^'"]+)['"]/g))
      found.add(posix.join(posix.dirname(path), name!));
  return [...found];
}
