import { registerHooks } from 'node:module';
import '#dev/programs/run-unbundled';
import { BROKEN_BUILDS, type Edit } from './builds.js';
import { UNDEFENDED_BUILDS } from './undefended-builds.js';

/*
 * Loaded into a service before its own code (node --import). Inserts the bug of the build that BROKEN_BUILD names while
 * the files are read, so that no bug has to be part of the product.
 */

function apply(source: string, { file, find, replace }: Edit): string {
  if (!source.includes(find)) throw new Error(`${file} does not contain "${find}" any more`);
  return source.replace(find, () => replace);
}

const build = [...BROKEN_BUILDS, ...UNDEFENDED_BUILDS].find(({ name }) => name === process.env.BROKEN_BUILD);
if (build === undefined) throw new Error('BROKEN_BUILD names no broken build');

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const edits = build.edits.filter(({ file }) => url.endsWith(`/${file}`));
    if (edits.length === 0) return loaded;
    return { ...loaded, source: edits.reduce(apply, String(loaded.source)) };
  },
});
