import { resolve } from 'node:path';
import { ROOT } from '../start/paths.js';

/** The programs of the image, each with its main module. The build joins the modules of each to few files. */
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

/** The file that runs a program. */
export function programFile(name: ProgramName): string {
  return resolve(PROGRAMS_DIRECTORY, `${name}.js`);
}

/** The main module of a program, before the build joined it with the others. */
export function mainModule(name: ProgramName): string {
  return resolve(ROOT, PROGRAMS[name]);
}
