import { server } from '../api.js';
import { html } from '../lib.js';
import { Leaderboard } from './leaderboard.js';

/** Profiles by text and filters, with the request that finds them. */
export function Search({ parts: [kindName = 'tokens'], query }) {
  const known = Object.hasOwn(server.model.kinds, kindName) ? kindName : 'tokens';
  return html`<${Leaderboard} key=${known} kindName=${known} query=${query} isSearch=${true} />`;
}
