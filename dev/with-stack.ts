import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { guard } from './processes/guard.js';
import { parseProvider, type Stack } from './stack/stack.js';
import { startStack } from './stack/start-stack.js';

const BIN = resolve(import.meta.dirname, '../../node_modules/.bin');
const IN_MEMORY = '--in-memory';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a command with a stack in its environment; the exit code is the command's. */
async function runWithStack(given: readonly string[]): Promise<number> {
  const inMemory = given[0] === IN_MEMORY;
  const [command, ...args] = inMemory ? given.slice(1) : given;
  if (command === undefined) {
    console.error('usage: with-stack [--in-memory] <command> [argument …]');
    return 2;
  }
  const stack = await startStack({
    provider: parseProvider(process.env.POSTRIDER_PROVIDER),
    inMemory,
    report: (line) => console.error(line),
  });
  console.error(`Stack: ${stack.provider}, up in ${(performance.now() / 1000).toFixed(1)} s`);
  try {
    return await runCommand(command, args, stack);
  } finally {
    await stack.stop();
  }
}

async function runCommand(command: string, args: readonly string[], stack: Stack): Promise<number> {
  const env = {
    ...process.env,
    PATH: [BIN, process.env.PATH].join(delimiter),
    KAFKA_BROKERS: stack.kafkaBrokers.join(','),
    MONGODB_URI: stack.mongodbUri,
    SCHEMA_REGISTRY_URL: stack.schemaRegistryUrl,
    STACK_PIDS: JSON.stringify(stack.pids),
  };
  const child = spawn(command, args, { stdio: 'inherit', env });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals]>;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      // A Ctrl-C in a terminal reaches the command directly.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  try {
    if (child.pid !== undefined) await guard().watch(child.pid);
    const [code, signal] = await exited;
    // A shell's exit code for a signal is 128 + its number.
    return code ?? 128 + constants.signals[signal];
  } finally {
    for (const signal of SIGNALS) process.removeAllListeners(signal);
    if (child.pid !== undefined) await guard().forget(child.pid);
  }
}

// An explicit exit, because an abandoned pull of images may still be running.
process.exit(
  await runWithStack(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message);
    return 1;
  }),
);
