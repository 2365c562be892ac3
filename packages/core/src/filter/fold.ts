/**
 * A text as case-insensitive comparison sees it: compatibility forms unified, case folded, accents kept.
 *
 * - `fold('ＢＯＮＫ') === fold('bonk')`, `fold('STRASSE') === fold('straße')`, `fold('ΟΔΟΣ') === fold('οδος')`; `fold('é') !== fold('e')`.
 * - Folding twice changes nothing.
 */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}

/** The column that holds the folded text of the field `path`. */
export function foldedColumn(path: string): string {
  return `folded.${path}`;
}
