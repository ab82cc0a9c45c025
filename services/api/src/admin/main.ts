import { runAdmin } from './run-admin.js';

/** The exit code that shells report for a process ended by SIGPIPE, which Node ignores. */
const SIGPIPE_EXIT_CODE = 141;
const FAILED = 1;

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // Exits quietly when the reader closes the pipe, as in `admin verify | head`.
    if (code === 'EPIPE') process.exit(SIGPIPE_EXIT_CODE);
    // A command continues without its messages: its exit code is still read.
    if (stream === process.stderr) return;
    process.stderr.write(`error: standard output cannot be written: ${message}\n`);
    process.exit(FAILED);
  });
}
process.exitCode = await runAdmin(process.argv.slice(2), process.env);
