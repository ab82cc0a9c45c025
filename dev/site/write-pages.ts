import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../start/places.js';
import { rewriteLinks } from './links.js';
import { samplePage } from './sample-page.js';
import { findSiteFiles, readSource, SITE_PLACES } from './site-files.js';
import { sitePath } from './site-path.js';

const COMMENT = /^<!--.*?-->\n/gm;

/**
 * Writes the pages that the generator reads: the Markdown of the repository with the links and places of the site,
 * and the generator's own settings beside it.
 */
export function writePages(): void {
  rmSync(SITE_PLACES.pages, { recursive: true, force: true });
  cpSync(join(ROOT, 'dev/site/vitepress'), join(SITE_PLACES.pages, '.vitepress'), { recursive: true });
  const { repository } = JSON.parse(readSource('package.json')) as { repository?: { url: string } };
  const { pages, images, samples } = findSiteFiles();
  for (const file of pages) {
    const text = rewriteLinks({ file, text: readSource(file) }, webAddress(repository?.url));
    write(sitePath(file), text.replaceAll(COMMENT, ''));
  }
  for (const file of samples) write(sitePath(file), samplePage(file, readSource(file)));
  for (const file of images) copyFileSync(join(ROOT, file), placeOf(file.replace(/^docs\//, '')));
}

function write(path: string, text: string): void {
  writeFileSync(placeOf(path), text);
}

function placeOf(path: string): string {
  const place = join(SITE_PLACES.pages, path);
  mkdirSync(dirname(place), { recursive: true });
  return place;
}

/** The address of a repository for browsers, from the one of package.json. */
function webAddress(url?: string): string | undefined {
  return url?.replace(/^git\+/, '').replace(/\.git$/, '');
}
