/** One event of a stream; `id` and `data` are absent where it has none. */
export interface ServerEvent {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data?: string | undefined;
}

/** The events of a response, as the standard of server-sent events reads them. Ends after `silence` milliseconds in which nothing came. */
export async function* readEvents(body: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<ServerEvent> {
  // Not every browser can iterate over a stream.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      timer = setTimeout(() => void reader.cancel().catch(() => undefined), silence);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) yield readEvent(block);
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => undefined);
  }
}

function readEvent(block: string): ServerEvent {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    // A name of a token may have line ends that only JavaScript takes for such (U+2028), which `.` would stop at.
    const [, name, value] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (name !== undefined) fields[name] = fields[name] === undefined ? value! : `${fields[name]}\n${value}`;
  }
  return fields;
}
