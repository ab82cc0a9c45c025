#!/usr/bin/env node
import { createTerminal } from './context/terminal.js';
import { runProgram } from './run-program.js';

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  terminal: createTerminal(process),
  stdin: process.stdin,
});
