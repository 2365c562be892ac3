import { SwapfoldError } from '@swapfold/core';
import { errorCodes, parseRequest } from '@swapfold/core/host';
import type { AskedStore } from '@swapfold/server';
import { CHAIN_TEXT_NOTICE, shownAnswer, shownText } from './chain-text.ts';
import type { ReadyTool } from './listing.ts';

/** What a call of a tool answers, in the form of the protocol. */
export interface ToolAnswer {
  readonly [key: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

/**
 * What a tool answers: the object, and the same as JSON behind a sentence that says that names are data.
 *
 * A mistake of the caller is an answer, too, so that a model can correct it: the code, the fields with what would do, and the remedy.
 * What is no mistake of the caller is thrown.
 */
export async function answerOf({ tool, request }: ReadyTool, store: AskedStore, given: unknown): Promise<ToolAnswer> {
  try {
    const answer = shownAnswer(await tool.answer(store, parseRequest(request, given))) as Record<string, unknown>;
    const content = [CHAIN_TEXT_NOTICE, JSON.stringify(answer)].map((text) => ({ type: 'text' as const, text }));
    return { content, structuredContent: answer };
  } catch (error) {
    if (!(error instanceof SwapfoldError)) throw error;
    return { content: [{ type: 'text', text: JSON.stringify(faultOf(error)) }], isError: true };
  }
}

function faultOf({ code, message, details }: SwapfoldError): object {
  return {
    error: shownText(message),
    code,
    fields: details.map((detail) => ({ path: detail.path, message: shownText(detail.message) })),
    remedy: remedies[code] ?? errorCodes[code].remedy,
  };
}

/** What helps here, where the remedy of a code speaks of HTTP or of documentation. */
const remedies: Partial<Record<SwapfoldError['code'], string>> = {
  'invalid-request':
    'Correct the arguments that `fields` names. An address comes from find_wallets or find_tokens, never from memory.',
  'unknown-operator':
    'Of a number or a time: $eq, $ne, $in, $nin, $exists, $gt, $gte, $lt, $lte; of a text also $contains and $startsWith; of labels also $all; around conditions $and, $or, $nor, $not.',
  'unknown-field': 'Use the name that the message gives, or one that store_info with "fields_of" lists.',
  'not-found': 'Find the address with find_wallets or find_tokens.',
  'invalid-cursor': 'Send the cursor with the same arguments as the call that gave it, or start without one.',
  'invalid-range': 'Give `from` with `to`, or `count`; times are RFC 3339 such as 2024-01-05T00:00:00Z.',
};
