import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { memory, Swapfold } from '@swapfold/core';
import { toolsFor } from '@swapfold/mcp';
import { docsPath, table } from './page.ts';

export const mcpPage = docsPath('guides/mcp.md');

/** The page of agents with its table of tools made anew. */
export async function renderMcp(): Promise<string> {
  const dex = await Swapfold.open({ storage: memory() });
  const rows = [...toolsFor(dex).values()].map(({ tool, listed }) => {
    const { properties = {}, required = [] } = listed.inputSchema as {
      readonly properties?: Readonly<Record<string, unknown>>;
      readonly required?: readonly string[];
    };
    const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
    const [first] = tool.description.split(/(?<=[.:]) /);
    return [
      `\`${tool.name}\``,
      first!.replace(/:$/, '.'),
      names.map((name) => `\`${name}\``).join(', '),
      tool.operations.map((name) => `\`${name}\``).join(', ') || 'none',
    ];
  });
  await dex.close();
  const tools = table(['tool', 'answers', 'takes; `?` marks what may be absent', 'operations'], rows);
  return readFileSync(mcpPage, 'utf8').replace(
    /(<!-- generated: tools -->\n)[\s\S]*?(<!-- end of what is generated -->)/,
    (_, start: string, end: string) => `${start}\n${tools}\n\n${end}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(mcpPage, await renderMcp());
