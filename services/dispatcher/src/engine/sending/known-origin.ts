import { validOrigin } from '@postrider/shared/domain/endpoint';
import { LRUCache } from 'lru-cache';

const origins = new LRUCache<string, { readonly origin: string | null }>({
  max: 2_000,
  memoMethod: (url) => ({ origin: validOrigin(url) }),
});

/** The origin of a URL; null if the URL is invalid. The URL of a busy endpoint is parsed once. */
export function knownOrigin(url: string): string | null {
  return origins.memo(url).origin;
}
