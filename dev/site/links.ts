import { basename, dirname, join, relative } from 'node:path/posix';
import { isSample } from './sample-page.js';
import { sitePath } from './site-path.js';

/** A block of code, or a link or an image: its mark, label and target. */
const LINK = /^```[\s\S]*?^```|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/gm;

export interface LinkedPage {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
}

/** The files that a page links to, from the root of the repository; without links to other hosts and to the page itself. */
export function linkedFiles({ file, text }: LinkedPage): string[] {
  return [...text.matchAll(LINK)]
    .map(([, , , target]) => target)
    .filter((target): target is string => target !== undefined && !isElsewhere(target))
    .map((target) => join(dirname(file), target.replace(/#.*/, '')));
}

/**
 * A page with its links as the site needs them: to other pages by their place in the site, to images by their path, and to
 * all other files at the repository's address. Without an address, such a link becomes the path as text.
 */
export function rewriteLinks({ file, text }: LinkedPage, repository?: string): string {
  return text.replaceAll(LINK, (whole, mark?: string, label = '', target?: string) => {
    if (target === undefined || isElsewhere(target)) return whole;
    const [path = '', hash] = target.split('#');
    const linked = join(dirname(file), path);
    if (mark === '!') return `![${label}](${imagePath(file, linked)})`;
    if (linked.endsWith('.md') || isSample(linked))
      return `[${label}](/${sitePath(linked)}${hash === undefined ? '' : `#${hash}`})`;
    if (repository !== undefined) return `[${label}](${repository}/blob/HEAD/${linked})`;
    return label.replaceAll('`', '') === basename(linked) ? `\`${linked}\`` : `${label} (\`${linked}\`)`;
  });
}

/** A link to another host, or within the page itself. */
function isElsewhere(target: string): boolean {
  return /^([a-z]+:|#)/.test(target);
}

/** Images keep their place below docs/ in the site. */
function imagePath(file: string, image: string): string {
  return `./${relative(dirname(sitePath(file)), image.replace(/^docs\//, ''))}`;
}
