import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../start/paths.js';
import { linkedFiles } from './links.js';
import { isSample } from './sample-page.js';
import { OTHER_PAGES } from './site-path.js';

export function readSource(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The sources of the site, as paths from the root of the repository. */
export interface SiteFiles {
  readonly pages: readonly string[];
  readonly images: readonly string[];
  readonly samples: readonly string[];
}

export function findSiteFiles(): SiteFiles {
  const pages = [...OTHER_PAGES, ...filesOf('docs', '.md')];
  const linked = pages.flatMap((file) => linkedFiles({ file, text: readSource(file) }));
  return { pages, images: filesOf('docs', '.webp'), samples: [...new Set(linked)].filter(isSample) };
}

/** Installed packages of a sample contain their own documentation. */
const SKIPPED = new Set(['node_modules', 'dist', 'target', 'vendor', 'obj', 'bin']);

function filesOf(folder: string, extension: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : filesOf(path, extension);
    return entry.name.endsWith(extension) ? [path] : [];
  });
}
