import { build } from 'vitepress';
import { findSiteFaults } from './check-site.js';
import { readSite } from './read-site.js';
import { SITE_PLACES } from './site-files.js';
import { writePages } from './write-pages.js';

/**
 * Builds the documentation as static pages.
 * @throws Error with each link that leads nowhere
 */
export async function buildSite(): Promise<void> {
  writePages();
  await build(SITE_PLACES.pages);
  const faults = findSiteFaults(readSite(SITE_PLACES.html));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
