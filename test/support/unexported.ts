import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Types that computations of types go through, and that nobody has to write: what they give has a name of its own. Each is beside what
 * gives it its name.
 */
export const intermediate: Readonly<Record<string, string>> = {
  OfKind: 'TokenMetricName',
  PathOf: 'TokenMetricName',
  CountOf: 'TokenMetrics',
  Numbers: 'TokenMetrics',
  StoredOfPositions: 'PositionMetrics',
  WithOwn: 'TokenProfile',
  TradeFacts: 'Bag',
  Fact: 'TermName',
  Deep: 'ConfigInput',
  GivenConfig: 'ConfigInput',
  RulesOf: 'ConfigInput',
  SectionOf: 'ProfileOptions',
  KeysByOption: 'ProfileOptions',
  ObjectSections: 'TokenProfile',
  PathsFrom: 'PositionPath',
  SectionAnswer: 'TokenMetadata',
  Answer: 'Candle',
  InputOnlyField: 'Swap',
  TokenFields: 'TokenFilter',
  WalletFields: 'WalletFilter',
  PositionFields: 'PositionFilter',
  SortableOf: 'TokenSortField',
  ConditionOf: 'ConditionByType',
  ListedOperation: 'Api',
  MethodsOf: 'Api',
  GroupOf: 'Methods',
  InputOf: 'RequestOf',
  MethodNamed: 'RequestOf',
  Named: 'TopicParams',
  ListedTopic: 'TopicName',
  Fields: 'SwapFieldName',
  NamesOf: 'Swap',
  TextType: 'Swap',
};

/** Types that declarations name which the doors of a package export, and that no door exports. `folder` holds the built package. */
export function unexportedTypes(folder: string, doors: readonly string[]): readonly string[] {
  const texts = new Map<string, string>();
  const read = (path: string): void => {
    if (texts.has(path)) return;
    const text = readFileSync(path, 'utf8');
    texts.set(path, text);
    for (const [, file] of text.matchAll(/from '(\.[^']+)\.js'/g)) read(join(dirname(path), `${file}.d.ts`));
  };
  for (const door of doors) read(join(folder, door));
  return unexportedIn(new Map([...texts].map(([path, text]) => [basename(path), text])), doors);
}

/** The same, of declaration files by name. Files that are no doors are parts that doors share: a door re-exports from them. */
export function unexportedIn(texts: ReadonlyMap<string, string>, doors: readonly string[]): readonly string[] {
  const sources = new Map(
    [...texts].map(([name, text]) => [name, ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)]),
  );
  const exported = new Map([...sources.keys()].map((name) => [name, new Set<string>()]));
  for (const door of doors) addExports(door);
  const found = [...sources].flatMap(([file, source]) => {
    const declared = new Map(source.statements.flatMap(declarationsOf));
    const isOpen = (name: string): boolean => !declared.has(name) || exported.get(file)!.has(name);
    return [...declared]
      .filter(([name]) => exported.get(file)!.has(name))
      .flatMap(([name, statement]) =>
        [...typesIn(statement)]
          // A bundle numbers the second type of a name.
          .filter((type) => !isOpen(type) && !Object.hasOwn(intermediate, type.replace(/\$\d+$/, '')))
          .map((type) => `${name} names ${type}`),
      );
  });
  return found.sort();

  function addExports(file: string): void {
    const source = sources.get(file)!;
    for (const statement of source.statements) {
      if (!ts.isExportDeclaration(statement) || !statement.exportClause || !ts.isNamedExports(statement.exportClause))
        continue;
      const from = statement.moduleSpecifier as ts.StringLiteral | undefined;
      for (const { name, propertyName } of statement.exportClause.elements)
        addExport(file, (propertyName ?? name).text, from);
    }
  }

  /** `name` is exported by a door through `file`: what declares it may be a part that is imported. */
  function addExport(file: string, name: string, from: ts.StringLiteral | undefined): void {
    const part = from ?? importOf(sources.get(file)!, name);
    if (part === undefined) exported.get(file)!.add(name);
    else if (part.text.startsWith('.')) {
      const target = part.text.replace(/^\.\//, '').replace(/\.js$/, '.d.ts');
      addExport(
        target,
        ownName(sources.get(target)!, from === undefined ? importedAs(sources.get(file)!, name) : name),
        undefined,
      );
    }
  }
}

const importsOf = (source: ts.SourceFile): readonly ts.ImportDeclaration[] =>
  source.statements.filter(ts.isImportDeclaration);

const specifiersOf = ({ importClause }: ts.ImportDeclaration): readonly ts.ImportSpecifier[] =>
  importClause?.namedBindings && ts.isNamedImports(importClause.namedBindings)
    ? [...importClause.namedBindings.elements]
    : [];

const importOf = (source: ts.SourceFile, name: string): ts.StringLiteral | undefined =>
  importsOf(source).find((one) => specifiersOf(one).some((item) => item.name.text === name))?.moduleSpecifier as
    | ts.StringLiteral
    | undefined;

const importedAs = (source: ts.SourceFile, name: string): string => {
  const item = importsOf(source)
    .flatMap(specifiersOf)
    .find((one) => one.name.text === name)!;
  return (item.propertyName ?? item.name).text;
};

/** The name that a part declares what it exports by under another one. */
function ownName(source: ts.SourceFile, name: string): string {
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause || !ts.isNamedExports(statement.exportClause))
      continue;
    const item = statement.exportClause.elements.find((one) => one.name.text === name);
    if (item !== undefined) return (item.propertyName ?? item.name).text;
  }
  return name;
}

function declarationsOf(statement: ts.Statement): readonly (readonly [string, ts.Node])[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((one) => [one.name.getText(), one]);
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [[name.text, statement]];
}

/** Names of types that a declaration refers to, but for its own type parameters and what is private of a class. */
function typesIn(declaration: ts.Node): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node, own: ReadonlySet<string>): void => {
    const isPrivate =
      ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
    if (isPrivate && node !== declaration) return;
    const inner = new Set([...own, ...parametersOf(node)]);
    const named = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
    if (named !== undefined && ts.isIdentifier(named) && !inner.has(named.text)) names.add(named.text);
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(declaration, new Set());
  return names;
}

function parametersOf(node: ts.Node): readonly string[] {
  if (ts.isMappedTypeNode(node)) return [node.typeParameter.name.text];
  if (ts.isConditionalTypeNode(node)) return inferredIn(node.extendsType);
  return ((node as ts.SignatureDeclaration).typeParameters ?? []).map(({ name }) => name.text);
}

function inferredIn(node: ts.Node): readonly string[] {
  const names: string[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isInferTypeNode(child)) names.push(child.typeParameter.name.text);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return names;
}
