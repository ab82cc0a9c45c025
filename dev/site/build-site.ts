import { build } from 'vitepress';
import { findSiteFaults } from './check-site.js';
import { KIND_VARIABLE } from './config.js';
import { readSite } from './read-site.js';
import { type SiteKind, sitePlaces } from './site-places.js';
import { writePages } from './write-pages.js';

/**
 * Builds the documentation as static pages.
 * @throws Error with each broken link
 */
export async function buildSite(kind: SiteKind): Promise<void> {
  const { pages, html } = sitePlaces(kind);
  writePages(pages);
  process.env[KIND_VARIABLE] = kind;
  await build(pages, { outDir: html });
  const faults = findSiteFaults(readSite(html));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
