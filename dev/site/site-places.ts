import { join } from 'node:path';
import { ROOT } from '../start/places.js';

/** The site for readers, or one that is built faster to be checked. Each has folders of its own. */
export type SiteKind = 'complete' | 'check';

export interface SitePlaces {
  /** What the generator reads. */
  readonly pages: string;
  /** What it writes. */
  readonly html: string;
}

export function sitePlaces(kind: SiteKind): SitePlaces {
  const home = join(ROOT, '.postrider', kind === 'check' ? 'docs-check' : 'docs');
  return { pages: join(home, 'pages'), html: join(home, 'html') };
}
