/** The text of each page and style sheet of the built site, and '' for other files, by the path from its root. */
export type BuiltSite = ReadonlyMap<string, string>;

/** Links to pages and headings that do not exist, and resources that would be loaded from another host. */
export function findSiteFaults(site: BuiltSite): string[] {
  const headings = new Map([...site].map(([path, text]) => [path, idsOf(text)]));
  const faults = [...site].flatMap(([path, text]) => [
    ...loadedFrom(text).map((address) => `${path} loads ${address} from another host`),
    ...linksOf(path, text)
      .filter((target) => !exists(target, headings))
      .map((target) => `${path} links to ${target}, which does not exist`),
  ]);
  return [...new Set(faults)];
}

function exists(target: string, headings: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [page = '', heading = ''] = target.split('#');
  const ids = headings.get(page.endsWith('/') ? `${page}index.html` : page);
  return ids !== undefined && (heading === '' || ids.has(heading));
}

function idsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!));
}

/** Addresses of scripts, styles, images, frames and fonts. */
function loadedFrom(text: string): string[] {
  const elements = text.matchAll(/<(?:script|img|link|iframe)\b[^>]*?\s(?:src|href)="(https?:[^"]*)"/g);
  const styles = text.matchAll(/(?:url\(|@import )["']?(https?:[^)"']*)/g);
  return [...elements, ...styles].map(([, address]) => address!);
}

/** Links of a page within the site, from its root. */
function linksOf(path: string, text: string): string[] {
  return [...text.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)]
    .map(([, target]) => new URL(target!.replaceAll('&amp;', '&'), `http://site${path}`))
    .filter(({ host }) => host === 'site')
    .map(({ pathname, hash }) => pathname + decodeURIComponent(hash));
}
