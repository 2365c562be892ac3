import type { Mutant } from './mutant.ts';

const chainText = 'packages/mcp/src/chain-text.ts';
const plugged = 'packages/server/src/plugged.ts';
const history = 'packages/server/src/udf/history.ts';

/** What agents and chart libraries are answered. */
export const mcp: readonly Mutant[] = [
  {
    breaks: 'a character that nobody sees stays in a name',
    file: chainText,
    find: '\\p{Zp}\\p{DI}]/gu',
    replace: '\\p{Zp}]/gu',
    noticedBy: 'hostile names',
  },
  {
    breaks: 'a name of any length goes to an agent',
    file: chainText,
    find: 'named.test(key) ? shorten(shownText(value)) : shownText(value)',
    replace: 'shownText(value)',
    noticedBy: 'hostile names',
  },
  {
    breaks: 'names stand before the notice that they are data',
    file: 'packages/mcp/src/answer.ts',
    find: '[CHAIN_TEXT_NOTICE, JSON.stringify(answer)]',
    replace: '[JSON.stringify(answer), CHAIN_TEXT_NOTICE]',
    noticedBy: 'hostile names',
  },
  {
    breaks: 'a key may call every operation by a tool',
    file: plugged,
    find: 'admission.callerOf(keyOf(request), request, name);',
    replace: '',
    noticedBy: 'charts',
  },
  {
    breaks: 'all operations of one body cost one request',
    file: plugged,
    find: 'if (!isPaid) admission.admitCall(keyOf(request), request, name);',
    replace: '',
    noticedBy: 'agents over HTTP',
  },
  {
    breaks: 'pages of any site may call a plugged route',
    file: plugged,
    find: "checkOrigin(request, cors, 'call');",
    replace: '',
    noticedBy: 'agents over HTTP',
  },
  {
    breaks: 'an agent learns the failures of the store',
    file: plugged,
    find: 'throw visible;',
    replace: 'throw err;',
    noticedBy: 'agents over HTTP',
  },
  {
    breaks: 'a fault of a filter is named where the filter has it, not where the words are',
    file: 'packages/mcp/src/search.ts',
    find: 'const place = places[Number(i)] ?? whole;',
    replace: 'const place = whole;',
    noticedBy: 'questions of agents',
  },
  {
    breaks: 'bars before `from` are answered',
    file: history,
    find: 'const least = countback === undefined ? from : 0;',
    replace: 'const least = 0;',
    noticedBy: 'charts',
  },
  {
    breaks: '`nextTime` is in seconds',
    file: history,
    find: 'before.timestamp * 1000',
    replace: 'before.timestamp',
    noticedBy: 'charts',
  },
  {
    breaks: 'a second batch of bars has the oldest bar of the first again',
    file: history,
    find: 'end = older[0]!.timestamp;',
    replace: 'end = older[0]!.timestamp + 1;',
    noticedBy: 'charts',
  },
];
