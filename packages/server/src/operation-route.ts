import { type Swapfold, SwapfoldError } from '@swapfold/core';
import type { Operation } from '@swapfold/core/host';
import type { Admission } from './admission.ts';
import { answerText } from './answer-text.ts';
import { checkContentType, mostOf, readBody } from './body.ts';
import { type Body, pack } from './compress.ts';
import type { Exchange } from './exchange.ts';
import { checkRowsType, readRows } from './ingest/read-rows.ts';
import { parseInTurn, worked } from './parse-in-turn.ts';

interface Serving {
  readonly dex: Swapfold;
  readonly admission: Admission;
  /** Seconds that a swap may be ahead of the clock. */
  readonly maxAhead: number | undefined;
}

/** Answers a request for an operation: it is admitted, read, and waits for a place in work. */
export async function answerOperation(
  exchange: Exchange,
  { name, cost, write }: Operation,
  { dex, admission, maxAhead }: Serving,
): Promise<Body> {
  const { request } = exchange;
  admission.admit(exchange, name);
  const { share } = exchange;
  const takesRows = write?.takesRows === true;
  if (takesRows) checkRowsType(request.headers);
  else checkContentType(request.headers);
  const gate = admission.gates[cost];
  // Before anything is read.
  gate.check(share);
  const budget = takesRows ? admission.pushes : admission.bodies;
  const most = mostOf(cost);
  const sent = takesRows ? await readRows(request, budget, share) : await readBody(request, { budget, share, most });
  try {
    const turn = gate.enter(exchange);
    if (turn !== undefined) await turn;
    try {
      const options = { signal: exchange.hungUp(), share };
      // Read when its turn has come: a value may take many times the memory of its text.
      const given = 'rows' in sent ? sent.rows : await parseInTurn(sent, share);
      const answer = await worked(share, () =>
        write === undefined
          ? dex.call(name, given, options)
          : write.run(dex, given, { signal: options.signal, maxAhead }),
      );
      const packed = pack(exchange, await answerText(answer, share));
      // The place in work is held until then, so that no more is compressed at once than is worked on.
      return packed instanceof Promise ? await packed : packed;
    } catch (error) {
      throw error instanceof SwapfoldError && error.code === 'read-only' ? notWritable(error) : error;
    } finally {
      gate.leave(exchange);
    }
  } finally {
    budget.add(share, -('rows' in sent ? sent.bytes : sent.length));
  }
}

function notWritable(cause: SwapfoldError): SwapfoldError {
  return new SwapfoldError('internal', 'The store of this server is open for reading only.', { cause });
}
