/** The answer of a command: standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What accompanies it, such as progress: standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A reader that has seen enough (`swapfold query ... | head`) is no failure of the command, which goes on without it. */
export function outliveBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
