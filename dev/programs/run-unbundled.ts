import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { mainModule, PROGRAM_NAMES, programFile } from './programs.js';

/*
 * Loaded before a program (node --import): runs its modules as they are compiled, each from a file of its own. A profile names
 * these files, breakpoints in their sources work, and hooks can change them.
 */

const mains = new Map(
  PROGRAM_NAMES.map((name) => [pathToFileURL(programFile(name)).href, pathToFileURL(mainModule(name)).href]),
);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    return { ...resolved, url: mains.get(resolved.url) ?? resolved.url };
  },
});
