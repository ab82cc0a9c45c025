import { validOrigin } from '@postrider/shared/domain/endpoint';
import { LRUCache } from 'lru-cache';

const origins = new LRUCache<string, { readonly origin: string | null }>({ max: 2_000 });

/** The origin of a URL; null if the URL is invalid. The URL of a busy endpoint is parsed once. */
export function knownOrigin(url: string): string | null {
  const known = origins.get(url);
  if (known !== undefined) return known.origin;
  const origin = validOrigin(url);
  origins.set(url, { origin });
  return origin;
}

/** Whether a URL has an origin, as far as its text shows: that takes less time than parsing it. It may have the origin even if not. */
export function isPlainlyAt(origin: string, url: string): boolean {
  return url[origin.length] === '/' && url.startsWith(origin);
}
