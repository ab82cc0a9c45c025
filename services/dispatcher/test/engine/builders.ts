import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { createTurnLimits } from '@postrider/shared/runtime/turns';
import {
  aMessage,
  anAttemptObservation,
  anEndpoint,
  idFor,
  NOON,
  type Overrides,
} from '@postrider/shared/testing/builders';
import { type Job, jobKey } from '../../src/engine/jobs/job.js';
import type { PostEnd } from '../../src/engine/scheduler/standing.js';
import type { SendAttempt, SentAttempt } from '../../src/engine/sending/send-attempt.js';
import { LIMITS } from '../../src/limits.js';
import type { TrackedSource } from '../../src/offsets/open-offsets.js';
import type { HandedOver } from '../../src/ports/hand-over.js';

/** The messages of so many deliveries of one endpoint. */
export function messages(count: number, overrides: Overrides<QueueMessage> = {}): QueueMessage[] {
  return Array.from({ length: count }, (_, index) =>
    aMessage({ deliveryId: idFor('delivery', `${overrides.endpointId} ${index}`), ...overrides }),
  );
}

/** A job that is being read, by default without an offset. */
export function aJob(overrides: Overrides<QueueMessage> = {}, sources: TrackedSource[] = []): Job {
  const message = aMessage(overrides);
  return {
    key: jobKey(message),
    message,
    sources,
    isAcknowledged: false,
    hasMoved: false,
    handedOver: null,
    isUnproven: false,
    state: 'loading',
  };
}

/** A row whose attempt has not ended. */
export const aHandedOver = (): HandedOver => ({ hasEnded: false, onEnded: () => {}, onDropped: () => {} });

/** The result of an attempt that was made. */
export function attempted(result: Awaited<ReturnType<SendAttempt>>): SentAttempt {
  if (result.kind !== 'attempted') throw new Error(`not attempted: ${result.kind}`);
  return result;
}

/** The end of every POST. */
export const END: PostEnd = { durationMs: 40, timedOut: false };

/** An attempt whose POST reached nothing. */
export function aSentAttempt(observation = anAttemptObservation()): SentAttempt {
  const { workspaceId, url } = anEndpoint();
  const evidence = {
    workspaceId,
    endpointId: observation.endpointId,
    origin: new URL(url).origin,
    reach: 'unreached',
    durationMs: END.durationMs,
  } as const;
  return { kind: 'attempted', observation, posted: { end: END, evidence } };
}

/** A source in the first epoch, by default in partition 0 of the delivery topic. */
export function sourceAt(offset: number, topic = DELIVERIES_TOPIC, partition = 0): TrackedSource {
  return { topic, partition, offset, epoch: 0 };
}

/** A clock that moves only by `advance`, initially at noon. */
export function aClock(at: Date = NOON) {
  let milliseconds = at.getTime();
  return {
    now: () => new Date(milliseconds),
    advance(by: number) {
      milliseconds += by;
    },
  };
}

/** A log that records level and event of each line: `warn settle.failed`. */
export function aLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (level: string) => (facts: object) => {
    lines.push(`${level} ${'event' in facts ? facts.event : ''}`);
  };
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}

/** Runs pending callbacks, in several rounds. */
export async function settleDown(rounds = 10): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A promise with its resolvers. */
export function deferred<T = void>() {
  return Promise.withResolvers<T>();
}

/** The limits of a turn of the event loop as in production, by any clock. */
export const turnLimitsBy = (monotonicMs: () => number) =>
  createTurnLimits(LIMITS.turn, { used: monotonicMs, upperBound: monotonicMs });
