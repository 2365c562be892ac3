import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Swapfold } from '@swapfold/core';
import { createMcpServer } from '../src/index.ts';

/** What a tool answered: the object, the texts, and whether it is an error. */
export interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field.
  readonly answer: any;
  readonly texts: readonly string[];
  readonly isError: boolean;
}

/** The client of the SDK, which holds every answer to the schema that the tool lists. */
export interface Agent {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Told>;
  /** As `call`, of an answer that is no error. */
  ask(name: string, args?: Record<string, unknown>): Promise<Told['answer']>;
  /** As `call`, of one that is: what it says. */
  refused(name: string, args?: Record<string, unknown>): Promise<Refusal>;
}

export interface Refusal {
  readonly error: string;
  readonly code: string;
  readonly fields: readonly { readonly path: string; readonly message: string }[];
  readonly remedy: string;
}

/** An agent over a client that is connected. It lists the tools first, as agents do: then the client knows their schemas. */
export async function agentOf(client: Client): Promise<Agent> {
  await client.listTools();
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Told> => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args });
    const texts = (content as { type: string; text: string }[]).map(({ text }) => text);
    return { answer: structuredContent, texts, isError: isError === true };
  };
  return {
    client,
    call,
    async ask(name, args) {
      const { answer, texts, isError } = await call(name, args);
      if (isError) throw new Error(`${name}: ${texts.join('\n')}`);
      return answer;
    },
    async refused(name, args) {
      const { texts, isError } = await call(name, args);
      if (!isError) throw new Error(`${name} was answered: ${texts.join('\n')}`);
      return JSON.parse(texts[0]!);
    },
  };
}

/** An agent that asks a store in this process. */
export async function agentIn(dex: Swapfold, onFailure?: (error: unknown) => void): Promise<Agent> {
  const server = createMcpServer({ store: () => dex, ...(onFailure === undefined ? {} : { onFailure }) });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await server.connect(ours);
  await client.connect(theirs);
  return agentOf(client);
}
