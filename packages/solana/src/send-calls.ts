import { type Call, httpSender, type Outcome, type SendCalls } from '@swapfold/chain';
import { failureOf } from './node-errors.ts';
import type { SolanaSourceOptions, SolanaTransport } from './options.ts';

/** How the calls of a source reach its node. Repetition is the source's own. */
export function senderOf({ url, transport }: Pick<SolanaSourceOptions, 'url' | 'transport'>): SendCalls {
  return transport === undefined ? httpSender(url!, failureOf) : sendBy(transport);
}

function sendBy(transport: SolanaTransport): SendCalls {
  return (calls, signal) => Promise.all(calls.map((call) => send(transport, call, signal)));
}

async function send(
  transport: SolanaTransport,
  [method, params]: Call,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  try {
    return { value: await transport(method, params, { signal }) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
