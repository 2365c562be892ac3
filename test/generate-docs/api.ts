import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { docsPath, table, writeWhenRun } from './page.ts';
import { docOf, parse, projectRoot, sentenceOf } from './source.ts';
import { renderMethods } from './swapfold-methods.ts';

/** The doors of the packages, for whom each is, and an example that shows it. */
const doors: readonly (readonly [name: string, door: string, purpose: string])[] = [
  ['@swapfold/core', 'core/src/index.ts', 'For programs that embed a store: open it, feed it, ask it.'],
  [
    '@swapfold/core/host',
    'core/src/host.ts',
    'For servers, command lines, sources and pages over a store: operations, topics, fields, parts of answers.',
  ],
  ['@swapfold/core/engine', 'core/src/engine.ts', 'For authors of engines: what a storage adapter is made of.'],
  ['@swapfold/sqlite', 'sqlite/src/index.ts', 'The engine SQLite.'],
  ['@swapfold/duckdb', 'duckdb/src/index.ts', 'The engine DuckDB.'],
  ['@swapfold/clickhouse', 'clickhouse/src/index.ts', 'The engine ClickHouse.'],
  ['@swapfold/server', 'server/src/index.ts', 'The HTTP server, for programs that embed it.'],
  ['@swapfold/client', 'client/src/index.ts', 'The typed client of that server, for Node.js and browsers.'],
  ['@swapfold/mcp', 'mcp/src/index.ts', 'Answers of a store for agents, over the Model Context Protocol.'],
  ['@swapfold/explorer', 'explorer/src/index.ts', 'The page that shows a store.'],
  ['@swapfold/files', 'files/src/index.ts', 'Swaps of files, by one SELECT that DuckDB runs.'],
  ['@swapfold/evm', 'evm/src/index.ts', 'A source of swaps from a node of an EVM chain.'],
  ['@swapfold/solana', 'solana/src/index.ts', 'A source of swaps from a node of Solana.'],
  ['swapfold', 'cli/src/index.ts', 'The command line; as a library it reads files.'],
  ['@swapfold/chain', 'chain/src/index.ts', 'For authors of sources: calls to a node, and the trail of blocks.'],
  ['@swapfold/sql', 'sql/src/index.ts', 'For authors of engines that speak SQL.'],
  [
    '@swapfold/testing',
    'testing/src/index.ts',
    'For authors of engines: the conformance suite and the generated market.',
  ],
];

export interface Exported {
  readonly name: string;
  readonly kind: string;
  /** The file of its declaration, from the root of the project. */
  readonly file: string;
  /** The first sentence of its docstring; empty without one. */
  readonly summary: string;
}

/** docs/reference/api.md: every export of every package, as its docstring introduces it. */
export function renderApi(): string {
  const parts = [
    '# TypeScript',
    '<!-- Generated from the doors of the packages and their docstrings by test/generate-docs/api.ts; not to be edited. -->',
    `Every export of every package with the first sentence of its docstring. A name leads to its declaration; editors show the whole docstring.
\`npm run docs:site\` makes pages with every signature, too. Most programs need [the methods of a store](#methods-of-a-swapfold) and nothing else.`,
    table(
      ['package', 'for'],
      doors.map(([name, , purpose]) => [`[\`${name}\`](#${name.replace(/[@/]/g, '')})`, purpose]),
    ),
    renderMethods(),
    ...doors.map(([name, door]) => sectionOf(name, exportsOf(join('packages', door)))),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Every export of every package, by the name of the package. */
export const allExports = (): ReadonlyMap<string, readonly Exported[]> =>
  new Map(doors.map(([name, door]) => [name, exportsOf(join('packages', door))]));

function sectionOf(name: string, exported: readonly Exported[]): string {
  const from = dirname(docsPath('reference/api.md'));
  const rows = exported.map(({ name: own, kind, file, summary }) => [
    `[\`${own}\`](${relative(from, join(projectRoot, file))})`,
    kind,
    summary.replaceAll('<', '\\<'),
  ]);
  return `## ${name}\n\n${table(['export', 'kind', 'is'], rows)}`;
}

/** What a door exports, values before types, each by name. */
function exportsOf(door: string): readonly Exported[] {
  const found = parse(door).statements.flatMap((statement): readonly Exported[] => {
    if (ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined) {
      const { text: from } = statement.moduleSpecifier as ts.StringLiteral;
      const { exportClause } = statement;
      const [, other] = /^@swapfold\/(\w+)$/.exec(from) ?? [];
      if (other !== undefined) {
        const names = (exportClause as ts.NamedExports).elements.map(({ name }) => name.text);
        return exportsOf(join(dirname(door), '../..', other, 'src/index.ts')).filter(({ name }) =>
          names.includes(name),
        );
      }
      const file = join(dirname(door), from);
      if (exportClause === undefined || !ts.isNamedExports(exportClause)) return declarationsOf(file);
      return exportClause.elements.map(({ name, propertyName }) => ({
        ...declarationOf(file, (propertyName ?? name).text),
        name: name.text,
      }));
    }
    return isExported(statement) ? described(statement, door) : [];
  });
  const isType = ({ kind }: Exported): number => (kind === 'interface' || kind === 'type' ? 1 : 0);
  return [...found].sort((a, b) => isType(a) - isType(b) || (a.name < b.name ? -1 : 1));
}

function declarationOf(file: string, name: string): Exported {
  const found = declarationsOf(file).find((one) => one.name === name);
  if (found !== undefined) return found;
  for (const statement of parse(file).statements) {
    const isPassedOn =
      ts.isImportDeclaration(statement) && statement.importClause?.namedBindings?.getText().includes(name);
    if (!isPassedOn) continue;
    return declarationOf(join(dirname(file), (statement.moduleSpecifier as ts.StringLiteral).text), name);
  }
  throw new Error(`${file} does not declare ${name}`);
}

const declarationsOf = (file: string): readonly Exported[] =>
  parse(file)
    .statements.filter(isExported)
    .flatMap((statement) => described(statement, file));

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const kinds = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.FunctionDeclaration, 'function'],
  [ts.SyntaxKind.ClassDeclaration, 'class'],
  [ts.SyntaxKind.InterfaceDeclaration, 'interface'],
  [ts.SyntaxKind.TypeAliasDeclaration, 'type'],
]);

function described(statement: ts.Statement, file: string): readonly Exported[] {
  const summary = sentenceOf(docOf(statement));
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name, initializer }) => ({
      name: name.getText(),
      kind: initializer !== undefined && ts.isArrowFunction(initializer) ? 'function' : 'constant',
      file,
      summary,
    }));
  const { name } = statement as ts.DeclarationStatement;
  return [{ name: name!.getText(), kind: kinds.get(statement.kind)!, file, summary }];
}

writeWhenRun(import.meta.filename, 'reference/api.md', renderApi);
