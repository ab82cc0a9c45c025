import { join } from 'node:path';
import { ROOT } from '../start/paths.js';

/** The site for readers, or one that is built faster to be checked. Each has separate folders. */
export type SiteKind = 'complete' | 'check';

export interface SitePlaces {
  /** The generator's input folder. */
  readonly pages: string;
  /** Its output folder. */
  readonly html: string;
}

export function sitePlaces(kind: SiteKind): SitePlaces {
  const home = join(ROOT, '.postrider', kind === 'check' ? 'docs-check' : 'docs');
  return { pages: join(home, 'pages'), html: join(home, 'html') };
}
