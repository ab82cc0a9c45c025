#!/usr/bin/env node
// The image's entry point: runs the service or the command line that its first argument names.
const PROGRAMS = ['api', 'dispatcher', 'dlq-consumer', 'janitor', 'all', 'admin', 'cli'];
const USAGE = `usage: postrider <${PROGRAMS.join(' | ')}> [argument …]\n`;
const MISUSED = 2;
/** The exit codes of a process that a signal ended, as shells report them. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

const [name, ...rest] = process.argv.slice(2);
if (name === '--help') process.stdout.write(USAGE);
else if (!PROGRAMS.includes(name)) {
  process.stderr.write(name === undefined ? USAGE : `postrider: there is no "${name}"\n${USAGE}`);
  process.exitCode = MISUSED;
} else {
  // The first process of a container ignores signals without a handler. The services have handlers of their own.
  if (['admin', 'cli', 'janitor'].includes(name))
    for (const [signal, exitCode] of Object.entries(EXIT_CODES))
      process.once(signal, () => process.exit(exitCode));
  process.argv = [process.argv[0], process.argv[1], ...rest];
  await import(`../../dist/${name}.js`);
}
