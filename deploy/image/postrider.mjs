#!/usr/bin/env node
// The image's entry point: runs the service or the command line that its first argument names.
const ENTRIES = {
  api: '../../services/api/dist/src/main.js',
  dispatcher: '../../services/dispatcher/dist/src/main.js',
  'dlq-consumer': '../../services/dlq-consumer/dist/src/main.js',
  janitor: '../../services/janitor/dist/src/main.js',
  all: '../../services/all/dist/src/main.js',
  admin: '../../services/api/dist/src/admin/main.js',
  cli: '../../cli/dist/src/main.js',
};
const USAGE = `usage: postrider <${Object.keys(ENTRIES).join(' | ')}> [argument …]\n`;
const MISUSED = 2;
/** The exit codes of a process that a signal ended, as shells report them. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

const [name, ...rest] = process.argv.slice(2);
if (name === '--help') process.stdout.write(USAGE);
else if (!Object.hasOwn(ENTRIES, name ?? '')) {
  process.stderr.write(name === undefined ? USAGE : `postrider: there is no "${name}"\n${USAGE}`);
  process.exitCode = MISUSED;
} else {
  // The first process of a container ignores signals without a handler. The services have handlers of their own.
  if (['admin', 'cli', 'janitor'].includes(name))
    for (const [signal, exitCode] of Object.entries(EXIT_CODES))
      process.once(signal, () => process.exit(exitCode));
  process.argv = [process.argv[0], process.argv[1], ...rest];
  await import(ENTRIES[name]);
}
