import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { DAY_MS } from '@postrider/shared/domain/durations';
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { mainModule, NOT_BUNDLED, PROGRAM_NAMES, PROGRAMS_DIRECTORY } from './programs.js';

/*
 * A build step: bundles the modules of each program, and of the packages that it uses, into a few files. Loading a thousand
 * modules is most of the CPU of a start.
 */

/** Files that modules read by their own address stay where they are. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  transform: {
    // The ids of the bundler's own modules begin with a NUL character.
    filter: { id: { exclude: [/[\\/]node_modules[\\/]/, /^\0/] }, code: 'import.meta.url' },
    handler(code, id) {
      const path = relative(PROGRAMS_DIRECTORY, id).split(sep).join('/');
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`);
    },
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(PROGRAM_NAMES.map((name) => [name, mainModule(name)])),
  platform: 'node',
  external: NOT_BUNDLED.map((name) => new RegExp(`^${name}(/|$)`)),
  plugins: [keepAddresses],
});
const { output } = await bundle.generate({ dir: PROGRAMS_DIRECTORY, format: 'esm' });
await bundle.close();
await mkdir(PROGRAMS_DIRECTORY, { recursive: true });
// A program comes after the files that it imports.
const isProgram = (file: OutputChunk | OutputAsset) => file.type === 'chunk' && file.isEntry;
for (const file of output.filter((file) => !isProgram(file))) await writeProgramFile(file);
for (const file of output.filter(isProgram)) await writeProgramFile(file);
await removeOldFiles();

/** Replaces a file at once, and only if it changes: processes may be reading it. */
async function writeProgramFile(file: OutputChunk | OutputAsset): Promise<void> {
  const path = join(PROGRAMS_DIRECTORY, file.fileName);
  const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
  const now = new Date();
  const present = await readFile(path).catch(() => null);
  if (present?.equals(content)) return utimes(path, now, now);
  const incomplete = `${path}.${process.pid}`;
  await writeFile(incomplete, content);
  await rename(incomplete, path);
}

/** Removes files that no build of the last day has written. Programs that run import some of their files later. */
async function removeOldFiles(): Promise<void> {
  for (const name of await readdir(PROGRAMS_DIRECTORY)) {
    const path = join(PROGRAMS_DIRECTORY, name);
    const status = await stat(path).catch(() => null);
    if (status !== null && status.mtimeMs < Date.now() - DAY_MS)
      await rm(path, { recursive: true, force: true });
  }
}
