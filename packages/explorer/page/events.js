// @ts-check
/** @typedef {{ id?: string, event?: string, data?: string }} StreamEvent */

/**
 * The events of a stream. Ends if nothing came for `silence` milliseconds, because the connection is dead then.
 * @param {ReadableStream<Uint8Array>} body
 * @param {number} silence
 * @returns {AsyncGenerator<StreamEvent>}
 */
export async function* readEvents(body, silence) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  try {
    for (;;) {
      timer = setTimeout(() => reader.cancel().catch(() => {}), silence);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield readEvent(block);
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
}

/**
 * @param {string} block
 * @returns {StreamEvent}
 */
function readEvent(block) {
  /** @type {Record<string, string | undefined>} */
  const fields = {};
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (name !== undefined) fields[name] = name in fields ? `${fields[name]}\n${value}` : value;
  }
  return fields;
}
