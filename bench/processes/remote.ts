import { fork } from 'node:child_process';
import { type BirpcReturn, createBirpc } from 'birpc';

/** No time limit: a call may take as long as a measurement. */
const OPTIONS = { timeout: -1 };

/**
 * Starts a module that calls `serveParent` as a child process.
 *
 * @param name the process in errors
 * @param events functions that the child may call
 * @returns functions of the child as `calls`, which reject when it ends; `ended` resolves with how it ended
 */
export function startRemote<F extends object>(name: string, module: URL, events: object = {}) {
  const child = fork(module, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
  const calls = createBirpc<F>(events as Record<string, unknown>, {
    ...OPTIONS,
    post: (message) => void (child.connected && child.send(message)),
    on: (receive) => void child.on('message', receive),
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`ended (${signal ?? `exit code ${code}`})`));
    child.once('error', (error) => resolve(`failed to start: ${error.message}`));
  });
  void ended.then((how) => calls.$close(new Error(`${name} ${how}`)));
  /** Kills the child. Its records must have been requested before. */
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return { pid: child.pid ?? 0, calls, ended, kill };
}

/**
 * Serves functions to the parent process. The process ends when its parent ends; a Ctrl-C is handled by the parent.
 *
 * @returns the functions of the parent
 */
export function serveParent<E extends object>(functions: object): BirpcReturn<E> {
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => {});
  return createBirpc<E>(functions as Record<string, unknown>, {
    ...OPTIONS,
    post: (message) => void (process.connected && process.send?.(message)),
    on: (receive) => void process.on('message', receive),
  });
}
