/** The sentences of prose: table cells, items of lists and paragraphs are texts of their own; code is one word. */
export function sentencesOf(markdown: string): readonly string[] {
  const prose = markdown
    .replaceAll(/```[\s\S]*?```/g, '\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '\n')
    .replaceAll(/`[^`]*`/g, '`code`')
    .replaceAll(/\]\([^)]*\)/g, ']');
  const texts: string[] = [''];
  for (const line of prose.split('\n').map((text) => text.trim())) {
    if (line.startsWith('|')) texts.push(...line.split(/(?<!\\)\|/), '');
    else if (line === '' || line.startsWith('#')) texts.push('');
    else if (/^([-*]|\d+\.) /.test(line)) texts.push(line.replace(/^([-*]|\d+\.) /, ''));
    else texts.push(`${texts.pop()} ${line}`);
  }
  return texts
    .flatMap((text) => text.split(/(?<=[.!?][*_)"]{0,3}|:)\s+(?=["'(*[_`]?\p{L})/u))
    .map((text) => text.trim());
}

export const wordsIn = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
