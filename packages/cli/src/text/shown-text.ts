/** Controls, marks of direction and other characters that show nothing: in a terminal, some move the cursor or clear the screen. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text of a stranger, such as a token's symbol, for a terminal: a character that does not show is written out, as `\u{1B}`. */
export function shownText(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`);
}
