import { EXIT_CODES } from './context/exit-codes.js';
import { createTerminal } from './context/terminal.js';
import { runProgram } from './run-program.js';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader such as `head` closes the pipe once it has read enough.
  if (code === 'EPIPE') process.exit();
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
