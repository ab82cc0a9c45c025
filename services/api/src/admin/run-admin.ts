import { CatalogueChanged } from '@postrider/shared/mongo/catalogue-store';
import { ConfigurationError } from '@postrider/shared/runtime/config';
import { NotReachable } from '@postrider/shared/runtime/retry-until';
import { CommanderError } from 'commander';
import { Refusal } from '../domain/refusal.js';
import { createAdminProgram } from './admin-program.js';
import { ProblemsFound, UsageError } from './errors.js';
import type { Terminal } from './terminal.js';

const OK = 0;
const FAILED = 1;
const INVALID_USAGE = 2;

const STANDARD: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  ...(process.stderr.isTTY && { bar: process.stderr }),
};

/** Runs one admin command. @returns the exit code */
export async function runAdmin(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  terminal: Terminal = STANDARD,
): Promise<number> {
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
  const isExpected = [ConfigurationError, NotReachable, Refusal, ProblemsFound, CatalogueChanged].some(
    (errorClass) => error instanceof errorClass,
  );
  printError(isExpected || !(error instanceof Error) ? `error: ${messageOf(error)}` : String(error.stack));
  return FAILED;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
