#!/usr/bin/env node
import { GenerateError, generate } from './generate.js';

try {
  process.stdout.write(`${await generate(process.argv.slice(2))}\n`);
} catch (error) {
  if (!(error instanceof GenerateError)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 1;
}
