import { dirname, join } from 'node:path';
import ts from 'typescript';
import { table } from './page.ts';
import { docOf, parse, sentenceOf } from './source.ts';

const home = 'packages/core/src/swapfold.ts';

interface Method {
  readonly name: string;
  readonly takes: string;
  readonly does: string;
  /** Names of the interfaces of its last parameters. */
  readonly options: readonly string[];
}

/** The section of docs/reference/api.md on the methods of a store, and on what they take. */
export function renderMethods(): string {
  const methods = methodsOf();
  return `## Methods of a \`Swapfold\`

\`const dex = await Swapfold.open({ storage })\` gives one. The questions \`dex.tokens\`, \`dex.wallets\`, \`dex.positions\`, \`dex.swaps\`, \`dex.trades\`,
\`dex.transfers\`, \`dex.prices\` and \`dex.portfolios\` are beside their routes in [HTTP](http.md#routes); their requests and answers are the same. The docstring of each method names
[what it throws](errors.md).

${table(
  ['method', 'does'],
  methods.map(({ name, takes, does }) => [`\`${name}(${takes})\``, does.replaceAll('<', '\\<')]),
)}

Each call also takes \`signal\`, an AbortSignal. An option of a name that nobody reads is refused.

${table(['option', 'of', 'meaning'], optionRows(methods))}`;
}

function methodsOf(): readonly Method[] {
  const found = parse(home).statements.find(ts.isClassDeclaration)!;
  const isMethod = (member: ts.ClassElement): number => (ts.isMethodDeclaration(member) ? 0 : 1);
  const members = [...found.members].sort((a, b) => isMethod(a) - isMethod(b));
  return members.flatMap((member): readonly Method[] => {
    const isHidden = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;
    if (isHidden || member.name === undefined || !ts.isIdentifier(member.name)) return [];
    const name = member.name.getText();
    if (ts.isMethodDeclaration(member)) {
      const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
      return [described(`${isStatic ? 'Swapfold' : 'dex'}.${name}`, member)];
    }
    if (!ts.isPropertyDeclaration(member) || member.type === undefined) return [];
    const { type } = member;
    if (ts.isIntersectionTypeNode(type))
      return type.types
        .filter(ts.isTypeLiteralNode)
        .flatMap(({ members }) => members.filter(ts.isPropertySignature))
        .map((added) =>
          described(`dex.${name}.${added.name.getText()}`, added, (added.type as ts.FunctionTypeNode).parameters),
        );
    if (!ts.isIndexedAccessTypeNode(type)) return [];
    const owner = (type.objectType as ts.TypeReferenceNode).typeName.getText();
    const own = owner === 'Api' ? [] : membersOf(owner).filter((one) => one.name?.getText() === name);
    return own.slice(0, 1).map((one) => described(`dex.${name}`, one as ts.MethodSignature));
  });
}

function described(
  name: string,
  node: ts.MethodDeclaration | ts.MethodSignature | ts.PropertySignature,
  parameters: readonly ts.ParameterDeclaration[] = 'parameters' in node ? node.parameters : [],
): Method {
  const takes = parameters.map(({ name: own, questionToken, initializer }) => {
    const text = ts.isIdentifier(own) ? own.text : 'options';
    return questionToken !== undefined || initializer !== undefined ? `${text}?` : text;
  });
  const types = parameters.flatMap(({ type }) =>
    type && ts.isTypeReferenceNode(type) ? [type.typeName.getText()] : [],
  );
  const options = types.filter((type) => /(Options|Request)$/.test(type) && type !== 'CallOptions');
  return { name, takes: takes.join(', '), does: sentenceOf(docOf(node)), options };
}

/** Each option once, with the methods that take it. */
function optionRows(methods: readonly Method[]): readonly (readonly string[])[] {
  const takenBy = new Map<ts.TypeElement, string[]>();
  for (const { name, options } of methods)
    for (const field of options.flatMap(fieldsOf))
      takenBy.set(field, [...(takenBy.get(field) ?? []), `\`${name.split('.').at(-1)}\``]);
  return Array.from(takenBy, ([field, names]) => [
    `\`${field.name!.getText()}${field.questionToken === undefined ? '' : '?'}\``,
    names.join(', '),
    docOf(field).replaceAll('<', '\\<'),
  ]);
}

/** The fields of an interface and of what it extends, but for the signal that every call takes. */
function fieldsOf(type: string): readonly ts.TypeElement[] {
  const { members, heritageClauses = [] } = interfaceOf(type);
  const inherited = heritageClauses
    .flatMap(({ types }) => types)
    .flatMap(({ expression, typeArguments = [] }) => {
      const name = expression.getText();
      if (name === 'CallOptions') return [];
      if (name !== 'Omit' && name !== 'Pick') return fieldsOf(name);
      const [from, named] = typeArguments.map((argument) => argument.getText());
      const isNamed = (field: ts.TypeElement): boolean => named!.includes(`'${field.name!.getText()}'`);
      return fieldsOf(from!).filter((field) => isNamed(field) === (name === 'Pick'));
    });
  return [...members.filter((member) => member.name?.getText() !== 'signal'), ...inherited];
}

const membersOf = (type: string): readonly ts.TypeElement[] => interfaceOf(type).members;

/** The interface that the home of the class, or what that imports, declares under this name. */
function interfaceOf(type: string): ts.InterfaceDeclaration {
  const files = parse(home)
    .statements.filter(ts.isImportDeclaration)
    .map((statement) => join(dirname(home), (statement.moduleSpecifier as ts.StringLiteral).text));
  const within = files.flatMap((file) => [file, ...importsOf(file)]);
  for (const file of within)
    for (const statement of parse(file).statements)
      if (ts.isInterfaceDeclaration(statement) && statement.name.text === type) return statement;
  throw new Error(`${home} imports no interface ${type}`);
}

const importsOf = (file: string): readonly string[] =>
  parse(file)
    .statements.filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text)
    .filter((path) => path.startsWith('.'))
    .map((path) => join(dirname(file), path));
