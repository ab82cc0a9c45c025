#!/usr/bin/env node
// The image's door: runs the service, or the operator's command, that its first argument names.
const ENTRIES = {
  api: '../../services/api/dist/src/main.js',
  dispatcher: '../../services/dispatcher/dist/src/main.js',
  'dlq-consumer': '../../services/dlq-consumer/dist/src/main.js',
  janitor: '../../services/janitor/dist/src/main.js',
  admin: '../../services/api/dist/src/admin/main.js',
};
const USAGE = `usage: postrider <${Object.keys(ENTRIES).join(' | ')}> [argument …]\n`;
const MISUSED = 2;
/** What a shell says of a process that was ended by SIGTERM. */
const TERMINATED = 143;

const [name, ...rest] = process.argv.slice(2);
if (name === '--help') process.stdout.write(USAGE);
else if (!Object.hasOwn(ENTRIES, name ?? '')) {
  process.stderr.write(name === undefined ? USAGE : `postrider: there is no "${name}"\n${USAGE}`);
  process.exitCode = MISUSED;
} else {
  // As the first process of a container it would be spared by a signal that nobody handles. The services handle it.
  if (name === 'admin' || name === 'janitor') process.once('SIGTERM', () => process.exit(TERMINATED));
  process.argv = [process.argv[0], process.argv[1], ...rest];
  await import(ENTRIES[name]);
}
