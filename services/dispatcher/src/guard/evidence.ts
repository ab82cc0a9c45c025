import { LRUCache } from 'lru-cache';
import type { Evidence } from '../ports/guard.js';
import type { TriedDomain } from './judge-outage.js';
import { registrableDomain } from './registrable-domain.js';

interface OriginRecord {
  readonly domain: string;
  workspaceId: string;
  /** In milliseconds, as are the times below; -Infinity if it never answered. */
  answeredAt: number;
  triedAt: number;
  unreached: boolean;
}

export interface EvidenceStore {
  observe(evidence: Evidence, now: number): void;
  /** Whether the origin answered within the last hour. */
  hasAnswered(origin: string, now: number): boolean;
  /** The domains that answered within the last hour, at most so many as origins are kept. */
  knownDomains(): number;
  /** The domains of known origins that were tried within the window. */
  tried(now: number, windowMs: number): TriedDomain[];
  /** An origin that answered at any time, a different one each time; null if there is none. */
  nextAnsweredOrigin(): string | null;
  /** Forgets when origins were tried, and keeps when they answered. */
  forgetTries(): void;
}

/** How long an answer shows that an origin works as a rule. */
const ANSWER_COUNTS_MS = 3_600_000;
const MAX_ORIGINS = 20_000;

/** The last outcome of each origin, in bounded memory. */
export function createEvidenceStore(maxOrigins = MAX_ORIGINS): EvidenceStore {
  const origins = new LRUCache<string, OriginRecord>({ max: maxOrigins });
  const answeredDomains = new LRUCache<string, number>({ max: maxOrigins });
  let candidates: string[] = [];
  const isKnown = ({ answeredAt }: OriginRecord, now: number) => now - answeredAt <= ANSWER_COUNTS_MS;

  return {
    observe({ origin, workspaceId, reach }, now) {
      const unreached = reach === 'unreached';
      const record = origins.get(origin) ?? {
        domain: registrableDomain(origin),
        workspaceId,
        answeredAt: Number.NEGATIVE_INFINITY,
        triedAt: now,
        unreached,
      };
      Object.assign(record, { workspaceId, triedAt: now, unreached });
      if (reach === 'answered') {
        record.answeredAt = now;
        answeredDomains.set(record.domain, now);
      }
      origins.set(origin, record);
    },
    hasAnswered(origin, now) {
      const record = origins.peek(origin);
      return record !== undefined && isKnown(record, now);
    },
    knownDomains: () => answeredDomains.size,
    tried(now, windowMs) {
      const domains = new Map<string, TriedDomain>();
      for (const record of origins.values()) {
        if (now - record.triedAt > windowMs || !isKnown(record, now)) continue;
        const { domain, workspaceId } = record;
        const unreached = record.unreached && (domains.get(domain)?.unreached ?? true);
        domains.set(domain, { domain, workspaceId, unreached });
      }
      return [...domains.values()];
    },
    nextAnsweredOrigin() {
      if (candidates.length === 0) {
        const answered = [...origins.entries()].filter(([, { answeredAt }]) => Number.isFinite(answeredAt));
        // Neighbours of the list were tried at the same time and often belong to one workspace.
        candidates = spread(answered.map(([origin]) => origin));
      }
      return candidates.pop() ?? null;
    },
    forgetTries() {
      for (const record of origins.values()) record.triedAt = Number.NEGATIVE_INFINITY;
      candidates = [];
    },
  };
}

/** The same elements in an order in which neighbours are far from each other. */
function spread(origins: readonly string[]): string[] {
  const step = Math.ceil(Math.sqrt(origins.length));
  return Array.from({ length: step }, (_, first) =>
    origins.filter((_origin, index) => index % step === first),
  ).flat();
}
