import type { KeyObject } from 'node:crypto';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import type { PlainHeaders } from '@postrider/shared/domain/endpoint-options';
import type { Outcome } from '@postrider/shared/domain/judge';
import type { AttemptObservation } from '@postrider/shared/domain/settle';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Evidence } from '../../ports/guard.js';
import type { Posted, Poster, Postponed } from '../../ports/poster.js';
import type { Job } from '../jobs/job.js';
import type { PostEnd } from '../scheduler/standing.js';
import { buildRequest } from './build-request.js';
import type { Keyring } from './keyring.js';
import type { SentRow } from './loaded-row.js';

/** The observation of an attempt. */
export interface SentAttempt {
  readonly kind: 'attempted';
  readonly observation: AttemptObservation;
  /** Null if nothing was sent. */
  readonly posted: PostFacts | null;
}

/** The facts of a POST for the scheduler and the outage guard. */
interface PostFacts {
  readonly end: PostEnd;
  readonly evidence: Evidence;
}

/** Nothing was sent, because the secrets or headers of the endpoint cannot be decrypted. */
export interface Undecryptable {
  readonly kind: 'undecryptable';
  readonly error: unknown;
}

/** Signs and sends one delivery, or postpones it. */
export type SendAttempt = (
  job: Job,
  row: SentRow,
  endpoint: EndpointTarget,
) => Promise<SentAttempt | Postponed | Undecryptable>;

interface SendAttemptParts {
  readonly poster: Poster;
  readonly keys: Keyring;
  readonly clock: Clock;
  /** Measures the attempt, in milliseconds: the clock may be set meanwhile, and the retry would be due by the new time. */
  readonly monotonicMs: () => number;
  readonly userAgent: string;
}

/** The fields that an observation has whether or not a request was sent. */
type Attempt = Pick<
  AttemptObservation,
  'kind' | 'deliveryId' | 'endpointId' | 'ordinal' | 'attemptedAt' | 'endedAt'
>;

const NOTHING_REACHED = { connectMs: null, headersMs: null, bodyMs: null };
const NOTHING_SENT = {
  durationMs: null,
  requestHeaders: null,
  timings: NOTHING_REACHED,
  remoteAddress: null,
};

export function createSendAttempt({
  poster,
  keys,
  clock,
  monotonicMs,
  userAgent,
}: SendAttemptParts): SendAttempt {
  return async ({ message }, { delivery, payloadText: text }, endpoint) => {
    const attemptedAt = clock.now();
    const startedAt = monotonicMs();
    const decrypted = decrypt(keys, endpoint, attemptedAt);
    if (decrypted.kind === 'undecryptable') return decrypted;
    const { headers, recordedHeaders, body, bodyBytes } = buildRequest({
      delivery,
      payloadText: text,
      keys: decrypted.keys,
      ownHeaders: decrypted.ownHeaders,
      now: attemptedAt,
      userAgent,
    });
    const { id: endpointId, workspaceId, url } = endpoint;
    const result = await poster.post({ workspaceId, endpointId, url, headers, body });
    if (result.kind === 'postponed') return result;
    const attempt: Attempt = {
      kind: 'attempt',
      deliveryId: delivery.id,
      endpointId,
      ordinal: message.ordinal,
      attemptedAt,
      endedAt: new Date(attemptedAt.getTime() + Math.ceil(monotonicMs() - startedAt)),
    };
    switch (result.kind) {
      case 'unsendable': {
        const observation = { ...attempt, outcome: result, ...NOTHING_SENT };
        return { kind: 'attempted', observation, posted: null };
      }
      case 'posted': {
        const observation = observationOf(attempt, result, { headers: recordedHeaders, bodyBytes });
        return { kind: 'attempted', observation, posted: factsOf(endpoint, result) };
      }
    }
  };
}

interface Decrypted {
  readonly kind: 'decrypted';
  readonly keys: readonly KeyObject[];
  readonly ownHeaders: PlainHeaders | null;
}

function decrypt(keys: Keyring, endpoint: EndpointTarget, at: Date): Decrypted | Undecryptable {
  try {
    return { kind: 'decrypted', keys: keys.signing(endpoint, at), ownHeaders: keys.headers(endpoint) };
  } catch (error) {
    return { kind: 'undecryptable', error };
  }
}

interface Recorded {
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
}

function observationOf(
  attempt: Attempt,
  { outcome, origin, durationMs, phases, isWritten, remoteAddress, errorDetail }: Posted,
  { headers, bodyBytes }: Recorded,
): AttemptObservation {
  return {
    ...attempt,
    outcome,
    durationMs,
    // Readers of attempts with a host add `connection`, which is the same for every request.
    requestHeaders: isWritten
      ? { ...headers, host: hostOf(origin), 'content-length': String(bodyBytes) }
      : null,
    timings: phases,
    remoteAddress,
    ...(errorDetail !== undefined && { errorDetail }),
  };
}

/** @param origin of a URL */
function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('//') + 2);
}

function factsOf(
  { id: endpointId, workspaceId }: EndpointTarget,
  { outcome, origin, reach, durationMs }: Posted,
): PostFacts {
  return {
    end: { durationMs, timedOut: isTimeout(outcome) },
    evidence: { workspaceId, endpointId, origin, reach, durationMs },
  };
}

function isTimeout(outcome: Outcome): boolean {
  return outcome.kind === 'unreachable' && outcome.reason === 'timeout';
}
