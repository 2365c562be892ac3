/** The commands of shell lines, each as its words: of pipes and lists each part, without what sets variables, and without `npx`; the program of a clone by its name. */
export function commandsOf(block: string): readonly (readonly string[])[] {
  return block
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap(partsOf)
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .map((words) => (words[0] === 'npx' ? words.slice(1) : words))
    .map((words) => (words[1] === 'packages/cli/bin/swapfold.js' ? ['swapfold', ...words.slice(2)] : words))
    .filter((words) => words.length > 0);
}

/** The parts of a line as their words. Quotes hold words together; what follows ` #` is a comment. */
function partsOf(line: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  const tokens = line.replace(/^\$ /, '').matchAll(/\s#.*$|(\|\||&&|[|;&<>])|((?:'[^']*'|"[^"]*"|[^\s'"|;&<>])+)/g);
  for (const [, sign, word] of tokens) {
    if (sign !== undefined) parts.push([]);
    else if (word !== undefined) parts.at(-1)!.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  return parts;
}

/** The blocks of a page in these languages. */
export function fencedBlocks(page: string, languages: readonly string[]): readonly string[] {
  return [...page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
    .filter(([, language]) => languages.includes(language!))
    .map(([, , block]) => block!);
}
