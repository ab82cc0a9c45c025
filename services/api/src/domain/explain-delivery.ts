import { MAX_CLOCK_SKEW_MS } from '@postrider/shared/domain/clock-skew';
import type {
  AttemptFailureReason,
  DeliverySummary,
  ErrorDetail,
  LastAttempt,
} from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { isRedirect } from '@postrider/shared/domain/judge';
import { unsentReason } from '@postrider/shared/domain/recovery-probe';
import { MAX_ATTEMPTS } from '@postrider/shared/domain/retry-policy';
import type { HoldCause, SendingHold } from '@postrider/shared/domain/sending-hold';

export interface Explained<Outcome> {
  readonly outcome: Outcome;
  readonly detail: string | null;
}

/** A replay of a delivery. */
export type Replay = Pick<DeliverySummary, 'id' | 'status' | 'nextAttemptAt'>;

type Explainable = Pick<
  DeliverySummary,
  'status' | 'failureReason' | 'attempts' | 'nextAttemptAt' | 'lastAttempt' | 'probeOf'
>;

/** The known facts besides the delivery. */
interface Circumstances {
  readonly endpoint: Endpoint;
  /** The newest replay of the delivery, or of a replay of it; null if there is none. */
  readonly replay: Replay | null;
  /** None if no dispatcher holds sending. */
  readonly holds: readonly SendingHold[];
  readonly now: Date;
}

/** Explains a stored delivery: what happened last, and what follows. */
export function explainDelivery(
  delivery: Explainable,
  circumstances: Circumstances,
): Explained<DeliverySummary['status']> {
  const sentences = [...happened(delivery), ...follows(delivery, circumstances)];
  return { outcome: delivery.status, detail: sentences.length === 0 ? null : sentences.join(' ') };
}

export function sentenceOfReplay({ id, status }: Replay): string {
  return `Its newest replay, ${id}, is ${status}.`;
}

function happened(delivery: Explainable): readonly string[] {
  const { status, failureReason, lastAttempt } = delivery;
  if (status === 'pending') return ['No attempt has ended yet.'];
  if (failureReason === null) return [];
  const evidence = lastAttempt === null ? [] : [attempted(delivery, lastAttempt)];
  const again = lastAttempt === null ? '' : ' again';
  switch (failureReason) {
    case 'endpoint_disabled':
      return [...evidence, `It was not sent${again} because the endpoint was disabled.`];
    case 'endpoint_deleted':
      return [...evidence, `It was not sent${again} because the endpoint was deleted.`];
    default:
      return lastAttempt === null ? [`Its reason is ${failureReason}.`] : evidence;
  }
}

/** Describes the last attempt, and whether it was the last possible one. */
function attempted({ status, attempts, failureReason, probeOf }: Explainable, last: LastAttempt): string {
  const cause = causeOf(last);
  switch (status) {
    case 'failed_permanent':
      // Closed while it waited for a retry.
      if (failureReason === 'endpoint_disabled' || failureReason === 'endpoint_deleted') break;
      if (probeOf !== undefined) return `It is a recovery probe, and ${cause}. A probe is not retried.`;
      return attempts === 1
        ? `${capitalised(cause)}, which is final: it is not retried.`
        : `In attempt ${attempts} ${cause}, which is final: it is not retried.`;
    case 'dead_lettered':
      return `The last of ${attempts} attempts failed: ${cause}. The retries are exhausted.`;
    case 'failed':
      if (attempts >= MAX_ATTEMPTS) return `The last of ${attempts} attempts failed: ${cause}.`;
      break;
    case 'pending':
    case 'delivered':
      break;
  }
  return `Attempt ${attempts} of at most ${MAX_ATTEMPTS} failed: ${cause}.`;
}

function causeOf({ failureReason, httpStatus, durationMs, errorDetail }: LastAttempt): string {
  if (httpStatus !== null) {
    const answered = `the receiver answered ${httpStatus}`;
    return isRedirect(httpStatus) ? `${answered}, a redirect (redirects are not followed)` : answered;
  }
  if (errorDetail !== undefined) return `no TLS connection was established (${DETAILS[errorDetail]})`;
  return failureReason === null ? 'no response is known' : CAUSES[failureReason](durationMs);
}

/** Explains each reason for an attempt without a response, which took `durationMs`. */
const CAUSES: Readonly<Record<AttemptFailureReason, (durationMs: number | null) => string>> = {
  http_status: () => 'the receiver answered with a failure',
  timeout: (durationMs) =>
    durationMs === null ? 'no response came in time' : `no response came within ${durationMs} ms`,
  connection_refused: () => "the receiver's host refused the connection",
  connection_reset: () => 'the connection was closed before a response',
  dns: () => "the name of the receiver's host could not be resolved",
  tls: () => 'no TLS connection was established',
  network: () => 'the connection failed, or the response was not valid',
  invalid_url: () => 'the URL of the endpoint is not one that webhooks can be sent to',
  blocked_address: () => "webhooks are not sent to the address of the receiver's host",
};

const DETAILS: Readonly<Record<ErrorDetail, string>> = {
  self_signed: "the receiver's certificate, or its authority's, is self-signed",
  expired: "the receiver's certificate has expired",
  not_yet_valid: "the receiver's certificate is not valid yet",
  hostname_mismatch: "the receiver's certificate is for another host",
  unknown_issuer:
    "the issuer of the receiver's certificate is unknown, or an intermediate certificate is missing",
  invalid_certificate: "the receiver's certificate is not valid",
  not_tls: 'the port does not speak TLS; it may be a plain HTTP port',
  handshake: 'the receiver refused the handshake, closed the connection or did not answer',
};

function follows(delivery: Explainable, circumstances: Circumstances): readonly string[] {
  const { endpoint, replay, holds, now } = circumstances;
  if (replay === null) return followsWithoutReplay(delivery, circumstances);
  // A delivery that is being retried is sent beside its replay.
  const own = delivery.status === 'failed' ? followsWithoutReplay(delivery, circumstances) : [];
  const isWaiting = unsentReason({}, endpoint) === null && isDue(replay, now) && !isDue(delivery, now);
  return [...own, sentenceOfReplay(replay), ...(isWaiting ? holds.map(sentencesOfHold) : [])];
}

function followsWithoutReplay(
  delivery: Explainable,
  { endpoint, holds, now }: Circumstances,
): readonly string[] {
  const { status, nextAttemptAt, probeOf } = delivery;
  const whyWaiting = isDue(delivery, now) ? holds.map(sentencesOfHold) : [];
  switch (status) {
    case 'delivered':
      return [];
    case 'pending':
      return endsUnsent(delivery, endpoint) ?? [...whyWaiting, ...rateOf(endpoint)];
    case 'failed':
      if (nextAttemptAt === null) return ['It is about to be dead-lettered.'];
      return (
        endsUnsent(delivery, endpoint) ?? [
          `The next one is due at ${nextAttemptAt.toISOString()}.`,
          ...whyWaiting,
        ]
      );
    case 'failed_permanent':
    case 'dead_lettered':
      return probeOf === undefined ? [replayable(delivery, endpoint)] : [];
  }
}

/** @returns null if the delivery is sent when it is due */
function endsUnsent({ probeOf }: Explainable, endpoint: Endpoint): readonly string[] | null {
  const facts = probeOf === undefined ? {} : { probeOf };
  const reason = unsentReason(facts, endpoint);
  if (reason === null) return null;
  const state = reason === 'endpoint_deleted' ? 'deleted' : 'disabled';
  return [`The endpoint is ${state}, so the delivery will end without another attempt.`];
}

/** Whether an attempt may start now: a delivery without a planned time waits only for its turn. */
export function isDue({ status, nextAttemptAt }: Pick<Explainable, 'status' | 'nextAttemptAt'>, now: Date) {
  if (status === 'pending') return nextAttemptAt === null || nextAttemptAt <= now;
  return status === 'failed' && nextAttemptAt !== null && nextAttemptAt <= now;
}

/** Which dispatcher sends a delivery is not stored, and others may not hold: the hold is stated as a possible cause. */
function sentencesOfHold(hold: SendingHold): string {
  const since = hold.since === null ? '' : ` since ${hold.since.toISOString()}`;
  const { because, end } = HOLDS[hold.cause];
  return (
    `Sending has been held${since} because ${because}, and the delivery may be waiting for that. ` +
    `Sending resumes by itself when ${end}.`
  );
}

const HOLDS: Readonly<Record<HoldCause, { readonly because: string; readonly end: string }>> = {
  outage: {
    because: "Postrider's own network seems to have failed (receivers became unreachable at once)",
    end: 'receivers are reached again',
  },
  clock: {
    because:
      `the clocks of Postrider's database and of a dispatcher differ by more than ${MAX_CLOCK_SKEW_MS / 1_000} s ` +
      '(receivers would refuse the signatures)',
    end: 'the clocks agree again',
  },
};

/** The order in which deliveries are sent is not stored, so the wait for others is stated only as possible. */
function rateOf({ ratePerSecond }: Endpoint): readonly string[] {
  if (ratePerSecond == null) return [];
  const posts = ratePerSecond === 1 ? '1 POST' : `${ratePerSecond} POSTs`;
  return [
    `The endpoint is limited to ${posts} a second (ratePerSecond): it may be waiting for earlier deliveries.`,
  ];
}

function replayable(delivery: Explainable, endpoint: Endpoint): string {
  if (endpoint.deletedAt !== null) return 'It cannot be replayed: the endpoint has been deleted.';
  const conditions = [
    ...(delivery.failureReason === 'endpoint_disabled' ? [] : [repairOf(delivery)]),
    ...(endpoint.enabled ? [] : ['the endpoint is enabled']),
  ];
  return conditions.length === 0 ? 'It can be replayed.' : `Replay it once ${conditions.join(' and ')}.`;
}

function repairOf({ failureReason, lastAttempt }: Explainable): string {
  const httpStatus = lastAttempt?.httpStatus ?? null;
  if (httpStatus !== null && isRedirect(httpStatus))
    return 'the endpoint has the URL that the receiver redirects to';
  const isOfUrl = failureReason === 'invalid_url' || failureReason === 'blocked_address';
  return isOfUrl ? 'the endpoint has another URL' : 'the receiver is repaired';
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
