import { withoutSecrets } from '@postrider/shared/runtime/without-secrets';
import { CommanderError } from 'commander';
import { createAdminProgram } from './admin-program.js';
import { describeFailure } from './describe-failure.js';
import { UsageError } from './errors.js';
import type { Terminal } from './terminal.js';

const OK = 0;
const FAILED = 1;
const INVALID_USAGE = 2;

const STANDARD: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  ...(process.stderr.isTTY && { bar: process.stderr }),
};

/** Runs one admin command. Secrets are printed as its result only. @returns the exit code */
export async function runAdmin(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { printError, ...output }: Terminal = STANDARD,
): Promise<number> {
  const terminal = { ...output, printError: (line: string) => printError(withoutSecrets(line)) };
  try {
    await createAdminProgram({ env, terminal }).parseAsync([...args], { from: 'user' });
    return OK;
  } catch (error) {
    return report(error, terminal);
  }
}

function report(error: unknown, { printError }: Terminal): number {
  // The parser has already printed the error. Requested help is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? OK : INVALID_USAGE;
  if (error instanceof UsageError) {
    printError(`error: ${error.message}`);
    return INVALID_USAGE;
  }
  printError(describeFailure(error));
  return FAILED;
}
