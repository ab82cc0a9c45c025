import { registrableDomain } from '@postrider/shared/domain/registrable-domain';
import type { KnownOrigin } from '@postrider/shared/ports/outage-guard';
import { LRUCache } from 'lru-cache';
import type { Evidence } from '../ports/guard.js';
import { type CanaryOrder, createCanaryOrder } from './canary-order.js';
import type { OwnDomain } from './judge-outage.js';

interface OriginRecord {
  readonly domain: string;
  workspaceId: string;
  /** When it answered last, in milliseconds, as are the times below; -Infinity if it never did. */
  answeredAt: number;
  /** When the last POST that reached a server began; -Infinity if there was none, as below. */
  reachedAt: number;
  triedAt: number;
  unreached: boolean;
  /** When the answer of its domain was noted last. */
  notedAt: number;
}

export interface EvidenceStore {
  observe(evidence: Omit<Evidence, 'endpointId'>, now: number): void;
  /** Treats an origin of which nothing is known here as one that has just answered. */
  assume(origin: KnownOrigin, now: number): void;
  /** The number of domains that answered recently, at most the number of origins that are kept. */
  knownDomains(now: number): number;
  /** The domains of known origins that were tried within the window. */
  tried(now: number, windowMs: number): OwnDomain[];
  /** Some origins of different domains that answered at any time, those tried last first. */
  answeredOrigins(): KnownOrigin[];
  /** The next origin to try of those that answered at any time; null if there is none. */
  nextAnsweredOrigin(now: number): string | null;
  /** Forgets when origins were tried, and keeps when they answered. */
  forgetTries(): void;
}

const MAX_ORIGINS = 20_000;
/** A domain that answers all the time is noted again after so long, in milliseconds. */
const NOTED_EVERY_MS = 1_000;
/** Maximum number of origins given to other processes: enough for a verdict, and for canaries. */
const SHARED_ORIGINS = 100;

/**
 * The last outcome of each origin, in bounded memory.
 *
 * @param answerAgeMs how long an answer shows that an origin normally works
 */
export function createEvidenceStore(answerAgeMs: number): EvidenceStore {
  /** Iterated from the one that was tried last. */
  const origins = new LRUCache<string, OriginRecord>({ max: MAX_ORIGINS });
  /** When domains answered last. Iterated in reverse, from the oldest. */
  const answeredDomains = new LRUCache<string, number>({ max: MAX_ORIGINS });
  /** Null until it is needed, and after a new origin has answered. */
  let canaryOrder: CanaryOrder | null = null;
  const isRecent = (answeredAt: number, now: number) => now - answeredAt <= answerAgeMs;
  const noteAnswer = (record: OriginRecord, now: number) => {
    if (!Number.isFinite(record.answeredAt)) canaryOrder = null;
    record.answeredAt = now;
    if (now - record.notedAt < NOTED_EVERY_MS) return;
    record.notedAt = now;
    answeredDomains.set(record.domain, now);
  };
  const add = (origin: string, workspaceId: string): OriginRecord => {
    const record = newRecord(origin, workspaceId);
    origins.set(origin, record);
    return record;
  };

  return {
    observe({ origin, workspaceId, reach, durationMs }, now) {
      if (reach === 'unclear') return;
      const record = origins.get(origin) ?? add(origin, workspaceId);
      const unreached = reach === 'unreached';
      record.workspaceId = workspaceId;
      record.triedAt = now;
      record.unreached = unreached;
      if (!unreached) record.reachedAt = Math.max(record.reachedAt, now - durationMs);
      if (reach === 'answered') noteAnswer(record, now);
    },
    assume({ origin, workspaceId }, now) {
      if (origins.has(origin)) return;
      noteAnswer(add(origin, workspaceId), now);
    },
    knownDomains(now) {
      for (const domain of answeredDomains.rkeys()) {
        if (isRecent(answeredDomains.peek(domain) ?? Number.NEGATIVE_INFINITY, now)) break;
        answeredDomains.delete(domain);
      }
      return answeredDomains.size;
    },
    tried(now, windowMs) {
      const domains = new Map<string, OwnDomain>();
      for (const record of origins.values()) {
        if (!Number.isFinite(record.triedAt)) continue;
        if (now - record.triedAt > windowMs) break;
        if (isRecent(record.answeredAt, now))
          domains.set(record.domain, withOrigin(domains.get(record.domain), record));
      }
      return [...domains.values()];
    },
    answeredOrigins() {
      const byDomain = new Map<string, KnownOrigin>();
      for (const [origin, { domain, workspaceId, answeredAt }] of origins.entries()) {
        if (byDomain.size >= SHARED_ORIGINS) break;
        if (Number.isFinite(answeredAt) && !byDomain.has(domain))
          byDomain.set(domain, { origin, workspaceId });
      }
      return [...byDomain.values()];
    },
    nextAnsweredOrigin(now) {
      canaryOrder ??= createCanaryOrder(
        [...origins.entries()]
          .filter(([, { answeredAt }]) => Number.isFinite(answeredAt))
          .map(([origin, { domain, workspaceId, answeredAt }]) => {
            return { origin, domain, workspaceId, isRecent: isRecent(answeredAt, now) };
          }),
      );
      return canaryOrder();
    },
    forgetTries() {
      for (const record of origins.values()) record.triedAt = Number.NEGATIVE_INFINITY;
      canaryOrder = null;
    },
  };
}

function newRecord(origin: string, workspaceId: string): OriginRecord {
  const never = Number.NEGATIVE_INFINITY;
  const domain = registrableDomain(origin);
  return {
    domain,
    workspaceId,
    answeredAt: never,
    reachedAt: never,
    triedAt: never,
    unreached: false,
    notedAt: never,
  };
}

/** A domain with one more origin. */
function withOrigin(
  before: OwnDomain | undefined,
  { domain, workspaceId, ...origin }: OriginRecord,
): OwnDomain {
  return {
    domain,
    workspaceId,
    unreached: origin.unreached && (before?.unreached ?? true),
    reachedAt: Math.max(origin.reachedAt, before?.reachedAt ?? Number.NEGATIVE_INFINITY),
  };
}
