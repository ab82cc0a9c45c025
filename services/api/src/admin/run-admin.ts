import { Refusal } from '@postrider/shared/domain/refusal';
import { ConfigurationError } from '@postrider/shared/runtime/config';
import { NotReachable } from '@postrider/shared/runtime/retry-until';
import { CommanderError } from 'commander';
import { adminProgram } from './admin-program.js';
import { ProblemsFound } from './problems-found.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

/** Exit codes: all is well, it did not work, it was asked for in the wrong way. */
const OK = 0;
const FAILED = 1;
const MISUSED = 2;

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
    await adminProgram(env, terminal).parseAsync([...args], { from: 'user' });
    return OK;
  } catch (error) {
    return explain(error, terminal);
  }
}

function explain(error: unknown, { printError }: Terminal): number {
  // The parser has said already what is wrong; help that was asked for is no error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? OK : MISUSED;
  if (error instanceof UsageError) {
    printError(`error: ${error.message}`);
    return MISUSED;
  }
  const isExpected = [ConfigurationError, NotReachable, Refusal, ProblemsFound].some(
    (kind) => error instanceof kind,
  );
  printError(isExpected || !(error instanceof Error) ? `error: ${messageOf(error)}` : String(error.stack));
  return FAILED;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
