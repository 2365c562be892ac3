import type { Message } from '@swapfold/core';

/** The JSON of items: subscriptions share the items of a commit, so each is written once. */
const texts = new WeakMap<object, string>();

/** The latest message with a list of items: all who subscribed to the same, such as everything, are sent the same bytes. */
const latest = new WeakMap<object, { readonly head: string; readonly bytes: Buffer }>();

function itemText(item: object): string {
  const known = texts.get(item);
  if (known !== undefined) return known;
  const text = JSON.stringify(item);
  texts.set(item, text);
  return text;
}

/** The JSON of a message. It is not to be changed. */
export function messageBytes({ data, ...others }: Message): Buffer {
  const head = `${JSON.stringify(others).slice(0, -1)},"data":[`;
  const known = latest.get(data);
  if (known?.head === head) return known.bytes;
  const bytes = Buffer.from(`${head}${(data as readonly object[]).map(itemText).join(',')}]}`);
  latest.set(data, { head, bytes });
  return bytes;
}
