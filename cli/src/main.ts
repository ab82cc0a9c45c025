import { EXIT_CODES } from './context/exit-codes.js';
import { createTerminal } from './context/terminal.js';
import { runProgram } from './run-program.js';

/** The exit code that shells report for a process ended by SIGPIPE, which Node ignores. */
const SIGPIPE_EXIT_CODE = 141;

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // Exits quietly when the reader closes the pipe, as in `postrider deliveries | head`. The command may be incomplete.
  if (code === 'EPIPE') process.exit(SIGPIPE_EXIT_CODE);
  process.stderr.write(`OutputFailed: standard output cannot be written: ${message}\n`);
  process.exit(EXIT_CODES.refused);
});
// A command continues without its messages: its exit code is still read.
process.stderr.on('error', () => {});

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  terminal: createTerminal(process),
  stdin: process.stdin,
});
