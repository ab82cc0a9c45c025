import { createTerminal } from './context/terminal.js';
import { runProgram } from './run-program.js';

// A reader that has read enough, such as `head`, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  terminal: createTerminal(process),
  stdin: process.stdin,
});
