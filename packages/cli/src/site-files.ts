import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import type { StaticFile } from '@swapfold/server';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/**
 * The documentation as `npm run docs:site` made it, for a server to answer with below `/docs/`. Files are read once, and no request names a
 * path on the disk. A page answers with and without `.html`, the index of a folder at the folder, so that each address of the site can be loaded
 * again. A page may run its own scripts and load from its own server, and nothing else. Errors: `invalid-input`.
 */
export async function siteFiles(folder: string): Promise<readonly StaticFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile() && extname(entry.name) in types)
    .map(({ parentPath, name }) => join(parentPath, name));
  if (!paths.includes(join(folder, 'index.html')))
    throw new SwapfoldError(
      'invalid-input',
      `--docs: "${folder}" holds no index.html; "npm run docs:site" makes site/dist.`,
    );
  const files = await Promise.all(
    paths.sort().map(async (path): Promise<readonly StaticFile[]> => {
      const text = await readFile(path, 'utf8');
      const name = relative(folder, path).split(sep).join('/');
      const headers = { 'Content-Security-Policy': policyOf(text), 'Referrer-Policy': 'no-referrer' };
      return addressesOf(name).map((address) => ({ path: address, type: types[extname(path)]!, text, headers }));
    }),
  );
  return files.flat();
}

function addressesOf(name: string): readonly string[] {
  if (!name.endsWith('.html')) return [`/docs/${name}`];
  const page = name.slice(0, -'.html'.length);
  const [, folder] = /^(|.*\/)index$/.exec(page) ?? [];
  if (folder === undefined) return [`/docs/${name}`, `/docs/${page}`];
  // A page may have the name of a folder beside it: `/docs/reference/api` is the page.
  return folder === '' ? ['/docs/index.html', '/docs/', '/docs'] : [`/docs/${name}`, `/docs/${folder}`];
}

/** Scripts that stand in a document run by their hashes. Colours of code are styles of elements, and pictures are data of the page. */
function policyOf(text: string): string {
  const hashes = [...text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
