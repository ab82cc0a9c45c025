import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Guard } from '../processes/guard.js';
import { describeExit, startProcess } from '../processes/start-process.js';
import { ADMIN } from './describe-services.js';
import { ROOT } from './places.js';

/** Runs one admin command to its end and gives what it printed. @throws Error with what it complained about */
export async function runAdmin(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  guard: Guard,
): Promise<string> {
  const streams: Readable[] = [];
  const output = { take: (stream: Readable) => void streams.push(stream) };
  const command = [join(ROOT, ADMIN), ...args];
  const running = await startProcess(
    { command: process.execPath, args: command, env, cwd: ROOT, output },
    guard,
  );
  const [printed = '', complained = ''] = await Promise.all(streams.map((stream) => text(stream)));
  const exit = await running.exited;
  if (exit.code === 0) return printed;
  throw new Error(`admin ${args[0]} failed (${describeExit(exit)}): ${complained.trim() || printed.trim()}`);
}
