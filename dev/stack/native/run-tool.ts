import { readFileSync } from 'node:fs';
import type { Guard } from '../../processes/guard.js';
import { describeExit, startProcess } from '../../processes/start-process.js';

export interface ToolRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Everything that the tool prints goes here; its end is shown on failure. */
  readonly logFile: string;
}

const SHOWN_LINES = 8;

/** Runs a tool to its end. @throws Error with the last lines that it printed when it fails */
export async function runTool({ command, args, env, logFile }: ToolRun, guard: Guard): Promise<void> {
  const running = await startProcess({ command, args, env, output: { file: logFile } }, guard);
  const exit = await running.exited;
  if (exit.code === 0) return;
  throw new Error(`${command} failed (${describeExit(exit)}):\n${tail(logFile)}`);
}

/** The last lines of a log, indented; empty when there is none. */
export function tail(file: string, lines = SHOWN_LINES): string {
  try {
    const text = readFileSync(file, 'utf8').trimEnd();
    return text
      .split('\n')
      .slice(-lines)
      .map((line) => `  ${line}`)
      .join('\n');
  } catch {
    return '';
  }
}
