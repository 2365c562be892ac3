import { createProgram } from '../../packages/cli/src/program.ts';
import { table, writeWhenRun } from './page.ts';

type Command = ReturnType<typeof createProgram>;
type Argument = Command['registeredArguments'][number];
type Option = Command['options'][number];

/** docs/reference/cli.md: each command as its own declaration and help text have it. */
export function renderCli(): string {
  const program = createProgram(() => undefined);
  const commands = program.commands.flatMap(withSubcommands);
  const { examples, text } = textAfterHelp(program);
  const known = commands.map((command) => nameOf(command).slice('swapfold '.length));
  for (const name of Object.keys(guides)) if (!known.includes(name)) throw new Error(`There is no command "${name}".`);
  return `# Command line

<!-- Generated from the commands of packages/cli/src/commands by test/generate-docs/cli.ts; not to be edited. -->

${program.description()} \`swapfold COMMAND --help\` prints the same. In a clone, write [\`npx swapfold\`](../guides/command-line.md#the-command)
in place of \`swapfold\`. For commands that answer questions in tables, see [questions on the command line](../guides/command-line.md).

${table(
  ['command', 'does'],
  commands.map((command) => [`[\`${nameOf(command)}\`](#${nameOf(command).replaceAll(' ', '-')})`, summaryOf(command)]),
)}

${fence(examples)}

## Every command

${optionsTable([...program.options])}

\`-h, --help\` prints the help of a command. A store is named as \`sqlite:PATH\`, \`duckdb:PATH\`, \`clickhouse:http://HOST:8123/DATABASE\`, or a path whose
ending says the engine. Answers go to standard output, progress and errors to standard error.

| variable | does |
|---|---|
| \`SWAPFOLD_API_KEYS\` | keys of \`serve\`, separated by commas, beside those of its files |
| \`SWAPFOLD_API_KEY\` | the key that \`backup --url\` and \`stop\` send to a server |
| \`NO_COLOR\` | leaves colours out |
| \`DEBUG\` | adds the place of a failure, as \`--verbose\` does |
| \`CI\` | \`demo\` sends its requests once, and ends |

## Exit codes

${exitCodesTable(text)}

${commands.map(sectionOf).join('\n\n')}
`;
}

/** The exit codes that the help lists, as a table. */
function exitCodesTable(text: string): string {
  const rows = [...text.matchAll(/^ +(\d+) +(.+)$/gm)].map(([, code, meaning]) => [code!, meaning!]);
  if (!text.startsWith('Exit codes:') || rows.length + 1 !== text.split('\n').length)
    throw new Error(`The help lists exit codes otherwise: ${text}`);
  return table(['code', 'means'], rows);
}

const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

function summaryOf(command: Command): string {
  const text = plain(command.summary() || command.description());
  return `${text[0]!.toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

/** The guide that goes with a command. */
const guides: Readonly<Record<string, string>> = {
  'import swaps': '[Import](../guides/import.md)',
  'import evm': '[Follow an EVM chain](../guides/chain.md)',
  'import solana': '[Follow Solana](../guides/solana.md)',
  copy: '[Size](../guides/sizing.md#from-an-empty-server-to-served-answers)',
  backup: '[Back up](../guides/deploy.md#back-up)',
  refresh: '[What a store remembers](configuration.md#what-a-store-remembers)',
  rebuild: '[What a store remembers](configuration.md#what-a-store-remembers)',
  rollback: '[Reorganisations](../concepts/time.md#reorganisations)',
  verify: '[What is promised](../guides/engines.md#what-is-promised)',
  ...Object.fromEntries(
    ['info', 'top', 'wallet', 'token', 'trades', 'candles'].map((name) => [
      name,
      '[Questions on the command line](../guides/command-line.md)',
    ]),
  ),
  query: '[HTTP](http.md#routes) has the requests and answers, [search](../guides/search.md) the filters',
  mcp: '[Agents](../guides/mcp.md)',
  export: '[Export](../guides/export.md)',
  follow: '[Live](../guides/live.md#follow)',
  prune: '[Forget](../guides/forget.md)',
  stop: '[Back up, and stop](../guides/deploy.md#back-up)',
  serve: '[Deploy](../guides/deploy.md), [live](../guides/live.md), [HTTP](http.md), [limits](limits.md)',
  key: '[Keys](http.md#keys)',
};

function sectionOf(command: Command): string {
  const { examples, text } = textAfterHelp(command);
  const options = command.options.filter((option) => !option.hidden);
  const parts = [
    `## ${nameOf(command)}`,
    plain(command.description()),
    fence(`${nameOf(command)} ${command.usage()}`, 'sh'),
    guideOf(nameOf(command)),
    command.registeredArguments.length > 0 && argumentsTable(command.registeredArguments),
    options.length > 0 && optionsTable(options),
    text !== '' && fence(text),
    examples !== '' && fence(examples, 'sh'),
  ];
  return parts.filter((part) => part !== false).join('\n\n');
}

function guideOf(name: string): string | false {
  const guide = guides[name.slice('swapfold '.length)];
  return guide !== undefined && `More: ${guide}.`;
}

/** What a help page has below its options: its text, and its examples without prompts. */
function textAfterHelp(command: Command): { readonly text: string; readonly examples: string } {
  let help = '';
  command.configureOutput({ writeOut: (part) => (help += part) });
  command.outputHelp();
  const after = help.slice(command.helpInformation().length);
  const [before, rest = ''] = after.split(/^Examples:\n/m);
  const lines = rest.split('\n');
  const isExample = (line: string): boolean => line.startsWith('  $ ');
  return {
    text: [before, ...lines.filter((line) => !isExample(line))].join('\n').trim(),
    examples: lines
      .filter(isExample)
      .map((line) => line.slice(4))
      .join('\n'),
  };
}

const argumentsTable = (list: readonly Argument[]): string =>
  table(
    ['argument', '', 'meaning'],
    list.map((one) => [
      `\`${one.name()}${one.variadic ? '...' : ''}\``,
      one.required ? 'required' : 'optional',
      `${plain(one.description)}${choicesOf(one.argChoices, one.description)}`,
    ]),
  );

const optionsTable = (list: readonly Option[]): string =>
  table(
    ['option', 'default', 'meaning'],
    list.map((one) => [
      `\`${one.flags}\``,
      one.defaultValue === undefined || one.defaultValue === false ? '' : `\`${String(one.defaultValue)}\``,
      `${plain(one.description)}${choicesOf(one.argChoices, one.description)}`,
    ]),
  );

function choicesOf(choices: readonly string[] | undefined, description: string): string {
  if (choices === undefined || choices.every((choice) => description.includes(choice))) return '';
  return `${description === '' ? '' : ': '}${choices.map((choice) => `\`${choice}\``).join(', ')}`;
}

/** Text of a terminal as Markdown: placeholders in angle brackets are no tags. */
const plain = (text: string): string => text.replaceAll('<', '\\<').replaceAll('*', '\\*');

const fence = (text: string, language = 'text'): string => `\`\`\`${language}\n${text}\n\`\`\``;

writeWhenRun(import.meta.filename, 'reference/cli.md', renderCli);
