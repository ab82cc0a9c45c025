import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { programFile } from './programs/programs.js';
import { PATHS } from './start/paths.js';
import type { Facts } from './start/processes.js';

// `npm run admin -- …`: an admin command for the system that `npm start` runs.

if (existsSync(PATHS.devFile)) {
  const facts: Facts = JSON.parse(readFileSync(PATHS.devFile, 'utf8'));
  const env = {
    ...process.env,
    KAFKA_BROKERS: facts.kafkaBrokers.join(','),
    MONGODB_URI: facts.mongodbUri,
    SCHEMA_REGISTRY_URL: facts.schemaRegistryUrl,
  };
  // npm changes to the checkout first, but file arguments are relative to the caller's directory.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const command = spawn(process.execPath, [programFile('admin'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    cwd,
    env,
  });
  command.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.error('Nothing runs here: "npm start" first, in another terminal.');
  process.exitCode = 1;
}
