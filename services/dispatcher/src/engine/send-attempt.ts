import type { Delivery } from '@postrider/shared/domain/delivery';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import type { Outcome } from '@postrider/shared/domain/judge';
import type { AttemptObservation } from '@postrider/shared/domain/settle';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Evidence } from '../ports/guard.js';
import { isPostponed, type Poster, type PostPhases, type Postponed } from '../ports/poster.js';
import type { Job } from './job.js';
import type { Keyring } from './keyring.js';
import { knownOrigin } from './known-origin.js';
import { prepare } from './prepare.js';
import type { PostEnd } from './scheduler/standing.js';

/** What was observed of an attempt. */
export interface SentAttempt {
  readonly observation: AttemptObservation;
  /** Null if nothing was sent. */
  readonly end: PostEnd | null;
  /** What it shows about our own network; absent if nothing was sent. */
  readonly evidence?: Evidence;
}

/** A sent attempt with the details that only logs and metrics use. */
export interface DetailedSentAttempt extends SentAttempt {
  readonly phases: PostPhases;
}

/** Signs and sends one delivery, or postpones it. Rejects only if the endpoint's secret or headers cannot be opened. */
export type SendAttempt<Result = SentAttempt> = (
  job: Job,
  delivery: Delivery,
  endpoint: EndpointTarget,
) => Promise<Result | Postponed>;

interface SendAttemptParts {
  readonly poster: Poster;
  readonly keys: Keyring;
  readonly clock: Clock;
  /** In milliseconds. It measures the attempt: the clock may be set meanwhile, and its retry would be due by the new time. */
  readonly monotonicMs: () => number;
  readonly userAgent: string;
}

export function createSendAttempt({
  poster,
  keys,
  clock,
  monotonicMs,
  userAgent,
}: SendAttemptParts): SendAttempt<DetailedSentAttempt> {
  return async ({ message }, delivery, endpoint) => {
    const attemptedAt = clock.now();
    const startedAt = monotonicMs();
    const { headers, recordedHeaders, body } = prepare({
      delivery,
      keys: keys.signing(endpoint, attemptedAt),
      ownHeaders: keys.headers(endpoint),
      now: attemptedAt,
      userAgent,
    });
    const { id: endpointId, workspaceId, url } = endpoint;
    const posted = await poster.post({ workspaceId, endpointId, url, headers, body });
    if (isPostponed(posted)) return posted;
    const { outcome, durationMs, phases, reach, remoteAddress, errorDetail } = posted;
    const sent = outcome.kind !== 'unsendable';
    const origin = knownOrigin(url);
    return {
      observation: {
        kind: 'attempt',
        deliveryId: delivery.id,
        endpointId: endpoint.id,
        ordinal: message.ordinal,
        outcome,
        attemptedAt,
        endedAt: new Date(attemptedAt.getTime() + Math.ceil(monotonicMs() - startedAt)),
        durationMs: sent ? durationMs : null,
        requestHeaders: sent ? recordedHeaders : null,
        timings: sent ? phases : null,
        remoteAddress,
        ...(errorDetail !== undefined && { errorDetail }),
      },
      end: durationMs === null ? null : { durationMs, timedOut: isTimeout(outcome) },
      ...(reach !== null &&
        durationMs !== null &&
        origin !== null && { evidence: { workspaceId, endpointId, origin, reach, durationMs } }),
      phases,
    };
  };
}

function isTimeout(outcome: Outcome): boolean {
  return outcome.kind === 'unreachable' && outcome.reason === 'timeout';
}
