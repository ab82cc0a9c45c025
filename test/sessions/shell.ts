import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program in a terminal of its own, with its output so far. */
export interface Running {
  readonly output: () => string;
  /** @throws Error with the output when the text does not appear in time */
  until(text: string, from?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Shell {
  /** Runs commands to their end. @returns what is printed meanwhile, and until this text where there is one */
  run(commands: string, until: string | null): Promise<string>;
  stop(): Promise<void>;
}

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

const PATIENCE_MS = 180_000;
const POLL_EVERY_MS = 50;
const CTRL_C = '\u0003';

/** Starts a command where it finds a terminal, so that it prints what people see. */
export function startInTerminal(
  command: string,
  { folder, env }: Place,
): Running & { send(text: string): void } {
  let output = '';
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    output: () => output,
    async until(text, from = 0) {
      const end = Date.now() + PATIENCE_MS;
      while (!output.includes(text, from)) {
        if (Date.now() > end || child.exitCode !== null)
          throw new Error(`${command} did not print "${text}":\n${output}`);
        await sleep(POLL_EVERY_MS);
      }
    },
    send: (text) => void (child.stdio[3] as NodeJS.WritableStream).write(text),
    async stop() {
      if (child.exitCode === null) child.stdin?.write(CTRL_C);
      await exited;
    },
  };
}

/** Starts a shell that keeps variables and functions from command to command. */
export function startShell(place: Place): Shell {
  const file = join(place.folder, '.commands');
  const terminal = startInTerminal(
    `bash -c 'while read -r -u 3 end; do . ${file}; echo "$end"; done'`,
    place,
  );
  let count = 0;
  return {
    async run(commands, until) {
      count += 1;
      const end = `(end of commands ${count})`;
      const before = terminal.output().length;
      writeFileSync(file, `${commands}\n`);
      terminal.send(`${end}\n`);
      await terminal.until(end, before);
      if (until !== null) await terminal.until(until, before);
      return terminal.output().slice(before).replace(`${end}\r\n`, '');
    },
    stop: terminal.stop,
  };
}
