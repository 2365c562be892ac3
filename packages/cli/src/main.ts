import { CommanderError } from 'commander';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';

/** Runs the command that `args` (without node and script) name, and gives the code to exit with. It throws nothing. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const program = createProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed its help, version or complaint by now.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return reportError(error, { showStack: program.opts().verbose === true || Boolean(process.env.DEBUG) });
  }
}
