import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { guard } from './processes/guard.js';
import type { Exit } from './processes/start-process.js';
import { parseProvider, type Stack } from './stack/stack.js';
import { startStack } from './stack/start-stack.js';

const USAGE = 'usage: with-stack <command> [argument …]';
const BIN = resolve(import.meta.dirname, '../../node_modules/.bin');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a command with a stack in its environment; the exit code is the command's. */
async function runWithStack([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined) {
    console.error(USAGE);
    return 2;
  }
  const startedAt = performance.now();
  const stack = await startStack({
    provider: parseProvider(process.env.POSTRIDER_PROVIDER),
    report: (line) => console.error(line),
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.error(`Stack: ${stack.provider}, up in ${seconds} s`);
  try {
    return await runCommand(command, args, stack);
  } finally {
    await stack.stop();
  }
}

async function runCommand(command: string, args: readonly string[], stack: Stack): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: environmentFor(stack) });
  if (child.pid !== undefined) await guard().watchProcess(child.pid);
  const stopForwarding = forwardSignals((signal) => child.kill(signal));
  try {
    return exitCode(
      await new Promise<Exit>((resolveExit, reject) => {
        child.once('exit', (code, signal) => resolveExit({ code, signal }));
        child.once('error', reject);
      }),
    );
  } finally {
    stopForwarding();
    if (child.pid !== undefined) guard().forget(child.pid);
  }
}

function environmentFor(stack: Stack): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: [BIN, process.env.PATH].join(delimiter),
    KAFKA_BROKERS: stack.kafkaBrokers.join(','),
    MONGODB_URI: stack.mongodbUri,
    SCHEMA_REGISTRY_URL: stack.schemaRegistryUrl,
  };
}

/** A Ctrl-C in a terminal reaches the command directly. */
function forwardSignals(send: (signal: NodeJS.Signals) => void): () => void {
  const handlers = SIGNALS.map((signal) => {
    const handler = (): void => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) send(signal);
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}

/** The exit code of a shell: 128 + its number for a signal. */
function exitCode({ code, signal }: Exit): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

// An explicit exit, because an abandoned pull of images may still be running.
process.exit(
  await runWithStack(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message);
    return 1;
  }),
);
