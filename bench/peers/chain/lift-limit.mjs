/** Lets Ponder send as many requests a second as it likes: `node --import ./lift-limit.mjs`. It has no option for it. */
import { register } from 'node:module';

const hooks = `
const limit = 'const INITIAL_MAX_RPS = 20;';
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/ponder/dist/esm/rpc/index.js')) return loaded;
  const source = String(loaded.source);
  if (!source.includes(limit)) throw new Error('Ponder has another limit of requests: look for it in its rpc/index.js.');
  return { ...loaded, source: source.replace(limit, 'const INITIAL_MAX_RPS = 1000000;') };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
