import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROOT } from '../start/paths.js';

/** The programs of the image, each with its main module. The build bundles the modules of each into a few files. */
const PROGRAMS = {
  api: 'services/api/dist/src/main.js',
  dispatcher: 'services/dispatcher/dist/src/main.js',
  'dlq-consumer': 'services/dlq-consumer/dist/src/main.js',
  janitor: 'services/janitor/dist/src/main.js',
  all: 'services/all/dist/src/main.js',
  admin: 'services/api/dist/src/admin/main.js',
  cli: 'cli/dist/src/main.js',
} as const;
export type ProgramName = keyof typeof PROGRAMS;
export const PROGRAM_NAMES = Object.keys(PROGRAMS) as readonly ProgramName[];

/** Where the build writes the programs. */
export const PROGRAMS_DIRECTORY = resolve(ROOT, 'dist');

/** Packages that are imported from `node_modules` when a program runs. */
export const NOT_BUNDLED = [
  // Their internals are patched when they are loaded.
  ...['kafkajs', 'mongodb'],
  // They call a deprecated function. Node.js prints a warning if the caller is not in `node_modules`.
  ...['mappersmith', 'parseurl'],
  // They contain machine code.
  ...['lz4-napi', 'snappy'],
] as const;

/** The file that runs a program. @throws Error when it was not built */
export function programFile(name: ProgramName): string {
  const file = resolve(PROGRAMS_DIRECTORY, `${name}.js`);
  if (!existsSync(file)) throw new Error(`${file} does not exist: run "npm run build"`);
  return file;
}

/** The main module of a program, as it is compiled. */
export function mainModule(name: ProgramName): string {
  return resolve(ROOT, PROGRAMS[name]);
}
