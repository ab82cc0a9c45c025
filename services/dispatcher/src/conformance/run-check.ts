import {
  addResult,
  atMoment,
  type ConformanceCheck,
  endEarly,
  nextProbe,
  type Probe,
} from '@postrider/shared/domain/conformance-check';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { DeliveryId, Id, IdKind } from '@postrider/shared/domain/id';
import type { Clock } from '@postrider/shared/ports/clock';
import type { ConformanceCheckStore } from '@postrider/shared/ports/conformance-checks';
import type { Keyring } from '../engine/sending/keyring.js';
import type { SendingGuard } from '../ports/guard.js';
import type { Poster, PostResult } from '../ports/poster.js';
import { grade, isExpected } from './grade.js';
import { probeRequests } from './probe-requests.js';

export interface RunCheckParts {
  readonly store: Pick<ConformanceCheckStore, 'endpointOf' | 'save'>;
  readonly poster: Poster;
  readonly keys: Keyring;
  readonly guard: Pick<SendingGuard, 'allowance'>;
  readonly clock: Clock;
  readonly newId: <Kind extends IdKind>(kind: Kind, at: Date) => Id<Kind>;
  readonly userAgent: string;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const CLOSED = 'Not sent: the endpoint was disabled or deleted meanwhile.';
const UNREACHED = 'Not sent: the receiver did not respond to the first request.';
/** How long to wait while sending is held, in milliseconds. */
const HELD_PAUSE_MS = 1_000;

/**
 * Sends the remaining probes of a check one after the other, and stores each result. Whatever stops it, another process
 * continues after the last stored result: a probe may be sent twice.
 *
 * @returns the check as it ended; null if another process has the lease
 */
export function createRunCheck(parts: RunCheckParts) {
  const { store, clock, sleep, guard } = parts;
  const send = createSendProbe(parts);

  /** One probe, or a wait. */
  const step = async (check: ConformanceCheck): Promise<ConformanceCheck> => {
    const current = atMoment(check, clock.now());
    const probe = nextProbe(current);
    if (current.status !== 'running' || probe === null) return current;
    const endpoint = await store.endpointOf(check);
    if (endpoint === null || !endpoint.enabled || endpoint.deletedAt !== null) {
      return endEarly(check, CLOSED, clock.now());
    }
    if (guard.allowance() === 0) {
      await sleep(HELD_PAUSE_MS);
      return check;
    }
    const answer = await send(check, probe, endpoint);
    if (answer.kind === 'postponed') {
      await sleep(answer.forMs);
      return check;
    }
    const result = grade(probe, answer);
    const graded = addResult(check, result, clock.now());
    const isUnreached = probe === 'valid' && result.got === null;
    return isUnreached ? endEarly(graded, UNREACHED, clock.now()) : graded;
  };

  return async (claimed: ConformanceCheck, isStopped: () => boolean): Promise<ConformanceCheck | null> => {
    let check = claimed;
    do {
      check = await step(check);
      if (isStopped() || !(await store.save(check))) return null;
    } while (check.status === 'running');
    return check;
  };
}

/** Sends the requests of a probe until one is answered unexpectedly. Resolves with the last answer. */
function createSendProbe({ poster, keys, clock, newId, userAgent }: RunCheckParts) {
  return async (check: ConformanceCheck, probe: Probe, endpoint: Endpoint): Promise<PostResult> => {
    const now = clock.now();
    const deliveryId: DeliveryId = newId('delivery', now);
    const requests = probeRequests(probe, {
      check,
      deliveryId,
      eventId: newId('event', now),
      keys: keys.signing(endpoint, now),
      now,
      userAgent,
      ownHeaders: keys.headers(endpoint),
    });
    const { id: endpointId, workspaceId, url } = endpoint;
    let last: PostResult | null = null;
    for (const request of requests) {
      last = await poster.post({ workspaceId, endpointId, url, ...request });
      if (last.kind !== 'posted' || !isExpected(probe, last.outcome)) break;
    }
    if (last === null) throw new Error(`probe ${probe} has no requests`);
    return last;
  };
}
