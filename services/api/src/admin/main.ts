import { runAdmin } from './run-admin.js';

/** The exit code that shells report for a process ended by SIGPIPE, which Node ignores. */
const SIGPIPE_EXIT_CODE = 141;

// Exits quietly when the reader closes the pipe, as in `admin verify | head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(SIGPIPE_EXIT_CODE);
  });
}
process.exitCode = await runAdmin(process.argv.slice(2), process.env);
