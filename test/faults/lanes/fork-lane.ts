import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Fault } from '../fault.js';
import type { Result } from '../results.js';

const LANE = fileURLToPath(new URL('./lane.js', import.meta.url));

/**
 * Tries a fault in a process of its own, with servers of its own. Its lines are printed behind its number.
 *
 * @throws Error when it ends without a result
 */
export async function forkLane({ number }: Pick<Fault, 'number'>, seed: number): Promise<Result> {
  const child = fork(LANE, [String(number), String(seed)], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let result: Result | null = null;
  child.on('message', (message) => {
    result = message as Result;
  });
  const ended = new Promise<string>((resolve) =>
    child.on('exit', (code, signal) => resolve(`${signal ?? `exit code ${code}`}`)),
  );
  if (child.stdout !== null) {
    const prefix = `${String(number).padStart(2)} |`;
    for await (const line of createInterface({ input: child.stdout }))
      if (line !== '') console.log(prefix, line);
  }
  const how = await ended;
  if (result === null) throw new Error(`fault ${number} ended without a result (${how})`);
  return result;
}
