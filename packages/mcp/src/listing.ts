import type { RequestSchema } from '@swapfold/core/host';
import { type AskedStore, closedSchema, type JsonSchema } from '@swapfold/server';
import type { Tool } from './tool.ts';
import { tools } from './tools.ts';

/** A tool as the protocol lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema: JsonSchema & { readonly type: 'object' };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: true;
    readonly destructiveHint: false;
    readonly idempotentHint: true;
    readonly openWorldHint: false;
  };
}

/** A tool for one store. */
export interface ReadyTool {
  readonly tool: Tool;
  readonly request: RequestSchema<unknown>;
  readonly listed: ListedTool;
}

const ready = new WeakMap<object, Map<string, ReadyTool>>();

function madeFor({ config }: AskedStore): Map<string, ReadyTool> {
  const known = ready.get(config) ?? new Map<string, ReadyTool>();
  ready.set(config, known);
  return known;
}

/** The tools on the chain and with the metrics of a store, by name, made once. */
export function toolsFor(store: AskedStore): ReadonlyMap<string, ReadyTool> {
  const made = madeFor(store);
  for (const tool of tools) if (!made.has(tool.name)) made.set(tool.name, readyTool(tool, store));
  return made;
}

/** Makes the tools of `toolsFor`, those that are missing, each in a turn of its own: all at once took a fifth of a second. */
export async function prepareTools(store: AskedStore, turn: () => Promise<void>): Promise<void> {
  const made = madeFor(store);
  for (const tool of tools) {
    if (made.has(tool.name)) continue;
    await turn();
    if (!made.has(tool.name)) made.set(tool.name, readyTool(tool, store));
  }
}

const listings = new WeakMap<object, string>();

/** The JSON of what `tools/list` answers: the same for all callers of a store, so it is written once. */
export function listingOf(store: AskedStore): string {
  const known = listings.get(store.config);
  if (known !== undefined) return known;
  const text = JSON.stringify({ tools: [...toolsFor(store).values()].map(({ listed }) => listed) });
  listings.set(store.config, text);
  return text;
}

function readyTool(tool: Tool, store: AskedStore): ReadyTool {
  const { name, title, description } = tool;
  const request = tool.request(store);
  const listed: ListedTool = {
    name,
    title,
    description,
    inputSchema: asObject(closedSchema(request)),
    outputSchema: asObject(plain(closedSchema(tool.response(store)))),
    annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
  return { tool, request, listed };
}

/** The root of a schema of the protocol is an object, and no reference to one. */
function asObject(schema: JsonSchema): ListedTool['inputSchema'] {
  const { $ref, $defs = {}, ...own } = schema as { $ref?: string; $defs?: Record<string, JsonSchema> };
  const root = $ref === undefined ? own : $defs[$ref.slice('#/$defs/'.length)];
  return { ...root, type: 'object', ...(Object.keys($defs).length === 0 ? {} : { $defs }) };
}

/**
 * The schema of an answer without what it says of each field: that is ten times as long as the rest, in a list that a client sends to its
 * model. Metrics are those that the request names, so none is required.
 */
function plain(schema: JsonSchema): JsonSchema {
  return plainPart(schema, '') as JsonSchema;
}

function plainPart(part: unknown, key: string): unknown {
  if (Array.isArray(part)) return part.map((item) => plainPart(item, ''));
  if (typeof part !== 'object' || part === null) return part;
  // Below them the keys are names.
  const isNames = key === 'properties' || key === '$defs';
  const entries = Object.entries(part)
    .filter(([name, value]) => isNames || !isSaid(name, value))
    .filter(([name]) => isNames || !(name === 'required' && key.endsWith('Metrics')))
    .map(([name, value]) => [name, plainPart(value, isNames ? (key === '$defs' ? name : '') : name)]);
  return Object.fromEntries(entries);
}

const isSaid = (name: string, value: unknown): boolean =>
  (name === 'description' && typeof value === 'string') || name === 'examples';
