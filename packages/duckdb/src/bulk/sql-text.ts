/** A text as a literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
