import { registerHooks } from 'node:module';
import { BROKEN_BUILDS, type Edit } from './builds.js';

/*
 * Loaded into a service before its own code (node --import): the build that BROKEN_BUILD names gets its mistake while its
 * files are read, so that no mistake has to be kept in the product.
 */

/** @throws Error when the text is not there: the code has changed and the mistake has to be written anew */
function edited(source: string, { file, find, replace }: Edit): string {
  if (!source.includes(find)) throw new Error(`${file} has no "${find}" any more`);
  return source.replace(find, () => replace);
}

const build = BROKEN_BUILDS.find(({ name }) => name === process.env.BROKEN_BUILD);
if (build === undefined) throw new Error(`BROKEN_BUILD names none of the broken builds`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const edits = build.edits.filter(({ file }) => url.endsWith(`/${file}`));
    if (edits.length === 0) return loaded;
    return { ...loaded, source: edits.reduce(edited, String(loaded.source)) };
  },
});
