import { createTerminal } from './context/terminal.js';
import { runProgram } from './run-program.js';

// A reader such as `head` closes the pipe once it has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  terminal: createTerminal(process),
  stdin: process.stdin,
});
