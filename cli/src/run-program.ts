import { CommanderError } from 'commander';
import type { Surroundings } from './context/cli.js';
import { EXIT_CODES, type ExitCode } from './context/exit-codes.js';
import { explainError, printExplanation } from './context/explain-error.js';
import { createProgram } from './program.js';

/** Runs one command line. Never rejects. */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT_CODES.succeeded;
  const program = createProgram(surroundings, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? EXIT_CODES.succeeded : EXIT_CODES.misused;
    }
    const explanation = explainError(error);
    printExplanation(surroundings.terminal, explanation);
    return explanation.exitCode;
  }
}
