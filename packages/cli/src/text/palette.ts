type Paint = (text: string) => string;

/** How text is set off; plain where colours would be noise. */
export interface Palette {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly green: Paint;
  readonly red: Paint;
}

/** The palette for standard output: colours on a terminal that has them, unless NO_COLOR is set. */
export function createPalette(): Palette {
  const isColoured = process.stdout.isTTY === true && process.stdout.hasColors() && !process.env.NO_COLOR;
  const paint = (begin: number, end: number): Paint =>
    isColoured ? (text) => `\u001b[${begin}m${text}\u001b[${end}m` : (text) => text;
  return { bold: paint(1, 22), dim: paint(2, 22), green: paint(32, 39), red: paint(31, 39) };
}
