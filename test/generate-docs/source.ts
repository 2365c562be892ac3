import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

export const projectRoot = resolve(import.meta.dirname, '../..');

const parsed = new Map<string, ts.SourceFile>();

/** A source of the project, by its path from the root. */
export function parse(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(projectRoot, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

/** The first paragraph of a declaration's docstring in one line; empty without one. */
export function docOf(node: ts.Node): string {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(docs.at(-1)?.comment) ?? '';
  const [paragraph] = text.split(/\n\s*\n|\n- /);
  return paragraph!.replaceAll(/\s+/g, ' ').trim();
}

/** The first sentence of a text. */
export const sentenceOf = (text: string): string => /^.*?[.](?=\s|$)|^.*$/s.exec(text)![0];
