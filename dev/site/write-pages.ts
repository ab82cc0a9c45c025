import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../start/paths.js';
import { rewriteLinks } from './links.js';
import { samplePage } from './sample-page.js';
import { findSiteFiles, readSource } from './site-files.js';
import { sitePath } from './site-path.js';

const COMMENT = /^<!--.*?-->\n/gm;

/**
 * Replaces a folder with the generator's input: the Markdown of the repository with the links and places of the site, and
 * the generator's own settings.
 */
export function writePages(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(ROOT, 'dev/site/vitepress'), join(folder, '.vitepress'), { recursive: true });
  const placeOf = (path: string) => {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  };
  const { repository } = JSON.parse(readSource('package.json')) as { repository?: { url: string } };
  const { pages, images, samples } = findSiteFiles();
  for (const file of pages) {
    const text = rewriteLinks({ file, text: readSource(file) }, webAddress(repository?.url));
    writeFileSync(placeOf(sitePath(file)), text.replaceAll(COMMENT, ''));
  }
  for (const file of samples) writeFileSync(placeOf(sitePath(file)), samplePage(file, readSource(file)));
  for (const file of images) copyFileSync(join(ROOT, file), placeOf(file.replace(/^docs\//, '')));
}

/** The address of a repository for browsers, from the address in package.json. */
function webAddress(url?: string): string | undefined {
  return url?.replace(/^git\+/, '').replace(/\.git$/, '');
}
