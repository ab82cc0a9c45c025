import { LookupFailed, LookupNotSent } from './failure.js';
import type { ResolvedName } from './name-cache.js';

/** Name servers count as unresponsive once this many different names in a row got no response. */
const UNRESPONSIVE_FROM = 5;

export interface NameServerHealth {
  /** Passes a look-up on. Its failure becomes LookupNotSent if the name servers are responsible. */
  watch(host: string, look: Promise<ResolvedName>): Promise<ResolvedName>;
}

/**
 * Distinguishes names that fail from name servers that fail. Name servers are unavailable if none can be contacted, if none
 * has responded since the start, or if many names in a row got no response. Then no look-up counts as an attempt.
 */
export function createNameServerHealth(): NameServerHealth {
  const silent = new Set<string>();
  let hasResponded = false;
  const responded = () => {
    hasResponded = true;
    silent.clear();
  };
  const isServersFault = (host: string, error: LookupFailed): boolean => {
    if (error.isUncontacted) return true;
    if (silent.size < UNRESPONSIVE_FROM) silent.add(host);
    return !hasResponded || silent.size >= UNRESPONSIVE_FROM;
  };
  return {
    async watch(host, look) {
      try {
        const found = await look;
        responded();
        return found;
      } catch (error) {
        if (!(error instanceof LookupFailed)) throw error;
        if (error.isAnswered) responded();
        else if (isServersFault(host, error)) throw new LookupNotSent(host);
        throw error;
      }
    },
  };
}
