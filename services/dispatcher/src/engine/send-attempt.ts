import type { Delivery } from '@postrider/shared/domain/delivery';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import type { Outcome } from '@postrider/shared/domain/judge';
import type { AttemptObservation } from '@postrider/shared/domain/settle';
import type { Clock } from '@postrider/shared/ports/clock';
import type { PostEnd } from './endpoint-scheduler.js';
import type { Job } from './job.js';
import type { Keyring } from './keyring.js';
import { prepare } from './prepare.js';

/** What the engine needs of the poster. It never rejects. */
export interface HttpPoster {
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }): Promise<{
    readonly outcome: Outcome;
    readonly durationMs: number | null;
    readonly phases: Phases;
  }>;
}

/** Where the time of a POST went, in milliseconds; null for what it never came to. */
export interface Phases {
  readonly connectMs: number | null;
  readonly headersMs: number | null;
  readonly bodyMs: number | null;
}

export interface AttemptResult {
  readonly observation: AttemptObservation;
  /** Null when nothing was sent. */
  readonly end: PostEnd | null;
}

/** What there is to tell of an attempt besides what the engine needs. */
export interface DetailedAttemptResult extends AttemptResult {
  readonly phases: Phases;
}

/** Signs and sends one delivery. Rejects only when the endpoint's secret cannot be opened. */
export type SendAttempt = (job: Job, delivery: Delivery, endpoint: EndpointTarget) => Promise<AttemptResult>;

export interface SendAttemptParts {
  readonly poster: HttpPoster;
  readonly keys: Keyring;
  readonly clock: Clock;
  readonly userAgent: string;
}

export function createSendAttempt({ poster, keys, clock, userAgent }: SendAttemptParts) {
  return async (
    { message }: Job,
    delivery: Delivery,
    endpoint: EndpointTarget,
  ): Promise<DetailedAttemptResult> => {
    const attemptedAt = clock.now();
    const { headers, body } = prepare({
      delivery,
      keys: keys(endpoint, attemptedAt),
      now: attemptedAt,
      userAgent,
    });
    const { outcome, durationMs, phases } = await poster.post({ url: endpoint.url, headers, body });
    const sent = outcome.kind !== 'unsendable';
    return {
      observation: {
        kind: 'attempt',
        deliveryId: delivery.id,
        endpointId: endpoint.id,
        ordinal: message.ordinal,
        outcome,
        attemptedAt,
        endedAt: clock.now(),
        durationMs: sent ? durationMs : null,
        requestHeaders: sent ? headers : null,
      },
      end: durationMs === null ? null : { durationMs, timedOut: isTimeout(outcome) },
      phases,
    };
  };
}

function isTimeout(outcome: Outcome): boolean {
  return outcome.kind === 'unreachable' && outcome.reason === 'timeout';
}
