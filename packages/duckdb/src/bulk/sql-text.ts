/** The path of one file as a literal: its name is no pattern. */
export function sqlPath(path: string): string {
  return `'${path.replace(/[*?[\]]/g, '[$&]').replaceAll("'", "''")}'`;
}
