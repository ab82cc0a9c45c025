import { readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { mainModule, PROGRAM_NAMES, PROGRAMS_DIRECTORY } from './programs.js';

/*
 * A build step: joins the modules of each program, and of the packages that it uses, to few files. Loading a thousand modules is
 * most of the CPU of a start.
 */

/**
 * Stay packages. Internals of the first two are patched when they are loaded. The next two call a deprecated function, of which
 * Node.js warns outside of packages. The others contain machine code.
 */
const EXTERNAL = /^(kafkajs|mongodb|mappersmith|parseurl|lz4-napi|snappy)(\/|$)/;

/** Files that modules read by their own address stay where they are. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  transform: {
    filter: { id: { exclude: /[\\/]node_modules[\\/]/ }, code: 'import.meta.url' },
    handler(code, id) {
      const path = relative(PROGRAMS_DIRECTORY, id).split(sep).join('/');
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`);
    },
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(PROGRAM_NAMES.map((name) => [name, mainModule(name)])),
  platform: 'node',
  external: EXTERNAL,
  plugins: [keepAddresses],
});
const { output } = await bundle.write({ dir: PROGRAMS_DIRECTORY, format: 'esm' });
await bundle.close();
// Only afterwards, so that a program can be started during a build.
const written = new Set(output.map(({ fileName }) => fileName));
const stale = (await readdir(PROGRAMS_DIRECTORY)).filter((name) => !written.has(name));
await Promise.all(stale.map((name) => rm(join(PROGRAMS_DIRECTORY, name), { recursive: true })));
