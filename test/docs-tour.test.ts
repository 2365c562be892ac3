import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');
const core = join(root, 'packages/core/src');

/** The names that a module declares, wherever in it; members of a class with its name before them, too. */
function declaredNames(path: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as Partial<ts.NamedDeclaration>;
    if (name !== undefined && ts.isIdentifier(name) && !ts.isPropertyAccessExpression(node)) {
      names.add(name.text);
      if (ts.isClassDeclaration(node.parent)) names.add(`${node.parent.name!.text}.${name.text}`);
    }
    if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return names;
}

test('every name in a step of the tour is declared in a file of the step', () => {
  const [, tour] = /^## A tour of the code\n([\s\S]*?)^## /m.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))!;
  const missing: string[] = [];
  let found = 0;
  for (const [step] of tour!.matchAll(/^\d+\. .*$/gm)) {
    const words = [...step.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
    const files = words.filter((word) => word.endsWith('.ts'));
    const names = new Set(files.flatMap((file) => [...declaredNames(join(core, file))]));
    const named = words.filter((word) => !word.endsWith('.ts'));
    found += named.length;
    for (const name of named) if (!names.has(name)) missing.push(`${files.join(', ')}: ${name}`);
  }
  assert.deepEqual(missing, []);
  assert.ok(found >= 35, String(found));
});

const modules = readdirSync(join(root, 'packages')).flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' }).map(
    (file) => `/${name}/src/${file}`,
  ),
);

for (const name of ['questions', 'writes'])
  test(`every file that docs/internals/${name}.svg names is there`, () => {
    const picture = readFileSync(join(root, 'docs/internals', `${name}.svg`), 'utf8');
    const named = [...picture.matchAll(/[\w./-]+\.ts\b/g)].map(([file]) => file);
    assert.ok(named.length >= 10, String(named.length));
    assert.deepEqual(
      named.filter((file) => !modules.some((path) => path.endsWith(`/${file}`))),
      [],
    );
  });
