// @ts-check
/** @import { KindName } from '../../types/page.ts' */

import { server } from '../api.js';
import { html } from '../lib.js';
import { Leaderboard } from './leaderboard.js';

/**
 * @param {string} name
 * @returns {name is KindName}
 */
const isKind = (name) => Object.hasOwn(server.model.kinds, name);

/**
 * Profiles by text and filters, with the request that finds them.
 * @param {{ parts: readonly string[], query: URLSearchParams }} props
 */
export function Search({ parts: [kindName = 'tokens'], query }) {
  const known = isKind(kindName) ? kindName : 'tokens';
  return html`<${Leaderboard} key=${known} kindName=${known} query=${query} isSearch=${true} />`;
}
