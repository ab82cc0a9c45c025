import { type ChildProcess, fork } from 'node:child_process';

/** What a child process can be asked to do, by name. One argument each, an answer that JSON can carry. */
export type Calls = Record<string, (input: never) => unknown>;

/** A child process that is asked through its channel. */
export interface Remote<C extends Calls, Notice> {
  readonly pid: number;
  /** Rejects with the child's own error, or when the child ends. */
  ask<Name extends keyof C & string>(
    name: Name,
    ...input: Parameters<C[Name]>
  ): Promise<Awaited<ReturnType<C[Name]>>>;
  onNotice(listener: (notice: Notice) => void): void;
  /** Resolves with how it ended, once it has. */
  readonly ended: Promise<string>;
  /** Ends the child at once: whatever it has to save was asked for before. */
  end(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}
type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly notice: unknown };

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** Starts a module of ours as a process. @param name what errors call it */
export function startRemote<C extends Calls, Notice = never>(name: string, module: URL): Remote<C, Notice> {
  const child = fork(module, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, Waiting>();
  const listeners: ((notice: Notice) => void)[] = [];
  let asked = 0;
  child.on('message', (reply: Reply) => {
    if ('notice' in reply) {
      for (const listener of listeners) listener(reply.notice as Notice);
      return;
    }
    const question = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) question?.reject(new Error(`${name}: ${reply.error}`));
    else question?.resolve(reply.answer as never);
  });
  const ended = endOf(child);
  void ended.then((how) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ${how}`));
    waiting.clear();
  });
  return {
    pid: child.pid ?? 0,
    ask: (call, ...[input]) =>
      new Promise((resolve, reject) => {
        if (!child.connected) return reject(new Error(`${name} has ended`));
        asked += 1;
        waiting.set(asked, { resolve, reject });
        child.send({ id: asked, name: call, input } satisfies Question);
      }),
    onNotice: (listener) => void listeners.push(listener),
    ended,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(`ended (${signal ?? `exit code ${code}`})`));
    child.once('error', (error) => resolve(`cannot run: ${error.message}`));
  });
}

/**
 * The child's side: answers what it is asked. The process ends with its parent, however that ends; a Ctrl-C is for the
 * parent to act upon.
 *
 * @returns how to tell the parent something unasked
 */
export function serve<Notice = never>(calls: Calls): (notice: Notice) => void {
  const send = (reply: Reply) => void (process.connected && process.send?.(reply));
  process.on('message', async ({ id, name, input }: Question) => {
    try {
      const answer = await calls[name]?.(input as never);
      send({ id, answer });
    } catch (error) {
      send({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => {});
  return (notice) => send({ notice });
}
