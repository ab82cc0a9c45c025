import { registrableDomain } from '@postrider/shared/domain/registrable-domain';
import { LookupFailed, LookupNotSent } from './failure.js';
import type { LookupRequest, ResolvedName } from './name-cache.js';

/** Name servers count as unavailable once this many different names in a row got no usable response. */
const UNAVAILABLE_FROM = 5;

type WatchedLookup = Pick<LookupRequest, 'host' | 'hadServerFailure'>;

/** What was known of the name servers when a lookup began. */
interface Beginning {
  readonly isUnavailable: boolean;
  readonly mayRespond: boolean;
}

export interface NameServerHealth {
  /** Passes a lookup on. Its failure becomes LookupNotSent if the name servers are responsible. */
  watch(request: WatchedLookup, look: Promise<ResolvedName>): Promise<ResolvedName>;
}

/**
 * Distinguishes names that fail from name servers that fail. Name servers are unavailable if none can be contacted, if none
 * has responded since the start, or if many names in a row got no usable response. Then no lookup counts as an attempt.
 *
 * A server without access to others responds SERVFAIL for every name, and for all names of a domain that is broken itself. After
 * such a response, the names of one domain therefore count once. The first such response about a name does not count as an attempt:
 * those about the next names may show that the servers failed.
 *
 * A lookup that began while the servers were unavailable may fail after they have responded again. It shows nothing about its
 * name, and nothing about the servers from then on.
 */
export function createNameServerHealth(): NameServerHealth {
  /** Since the last usable response: the names without a response, outside the domains of failures. */
  const silentNames = new Set<string>();
  /** Since the last usable response: the domains for which a server reported a failure. */
  const failedDomains = new Set<string>();
  let hasResponded = false;
  const isUnavailable = () => silentNames.size + failedDomains.size >= UNAVAILABLE_FROM;
  const mayRespond = () => hasResponded && !isUnavailable();
  const add = (host: string, isServerFailure: boolean) => {
    const domain = domainOf(host);
    if (isServerFailure)
      for (const name of silentNames) if (domainOf(name) === domain) silentNames.delete(name);
    if (isUnavailable()) return;
    if (isServerFailure) failedDomains.add(domain);
    else if (!failedDomains.has(domain)) silentNames.add(host);
  };
  const isServersFault = (
    { host, hadServerFailure }: WatchedLookup,
    { isUncontacted, isServerFailure }: LookupFailed,
    began: Beginning,
  ): boolean => {
    if (isUncontacted) return true;
    const beganInOutage = isServerFailure ? began.isUnavailable : !began.mayRespond;
    if (beganInOutage && mayRespond()) return true;
    if (isServerFailure) hasResponded = true;
    add(host, isServerFailure);
    return !mayRespond() || (isServerFailure && !hadServerFailure);
  };
  const answered = () => {
    hasResponded = true;
    silentNames.clear();
    failedDomains.clear();
  };
  return {
    async watch(request, look) {
      const began = { isUnavailable: isUnavailable(), mayRespond: mayRespond() };
      try {
        const found = await look;
        answered();
        return found;
      } catch (error) {
        if (!(error instanceof LookupFailed)) throw error;
        if (error.isAnswered) answered();
        else if (isServersFault(request, error, began)) {
          const { isServerFailure } = error;
          throw new LookupNotSent(request.host, { isServerFailure });
        }
        throw error;
      }
    },
  };
}

const domainOf = (host: string) => registrableDomain(`https://${host}`);
