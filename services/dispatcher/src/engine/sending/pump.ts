import type { Delivery, DeliverySummary } from '@postrider/shared/domain/delivery';
import { eventIdOf } from '@postrider/shared/domain/delivery-outcome';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import { nextStep } from '@postrider/shared/domain/next-step';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';
import type { SendingGuard } from '../../ports/guard.js';
import type { PassOn } from '../forwarding/pass-on.js';
import type { Job } from '../jobs/job.js';
import type { Workload } from '../jobs/workload.js';
import type { RowFacts } from '../scheduler/endpoint-scheduler.js';
import type { PendingObservation } from '../settling/pending-observation.js';
import type { Settler } from '../settling/settler.js';
import type { TryLater } from '../settling/try-later.js';
import { knownOrigin } from './known-origin.js';
import { type Load, type Loaded, type Loader, sizeOf } from './loader.js';
import { rowToSend, type SendAttempt, type SentAttempt, type SentRow } from './send-attempt.js';

/** Starts jobs up to the limits: loads rows and endpoints in chunks, decides the next step, sends. */
export interface Pump {
  /** Starts jobs in the next turn of the event loop. Cheap, so it is called after every change. */
  kick(): void;
  /** Starts no jobs until `resume`. */
  pause(): void;
  resume(): void;
  /** Starts no more jobs. */
  stop(): void;
  /** False while it is paused, and once it is stopped. */
  mayStart(): boolean;
  /** Attempts in progress. */
  running(): number;
}

interface PumpParts {
  readonly workload: Pick<
    Workload,
    | 'next'
    | 'confirm'
    | 'putBack'
    | 'postBegins'
    | 'release'
    | 'releaseUnattempted'
    | 'postpone'
    | 'requeue'
    | 'isOwned'
  >;
  readonly loader: Pick<Loader, 'atHand' | 'load'>;
  readonly sendAttempt: SendAttempt;
  readonly settler: Settler;
  readonly passOn: PassOn;
  readonly tryLater: TryLater;
  readonly guard: SendingGuard;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  /** Whether other processes may own all partitions by now. */
  readonly isCutOff: () => boolean;
  /** Maximum number of jobs in one read. */
  readonly batchSize: number;
  /** No further attempt is sent while this many observations wait for their commit. */
  readonly maxUnsettled: number;
  readonly log: Log;
}

/**
 * Maximum number of jobs that start in one turn of the event loop if their rows are at hand. An event needs several turns until
 * its POST, so each turn that a burst of others makes longer delays it several times.
 */
const MAX_STARTS = 32;
/** Maximum number of concurrent reads; more would only make the chunks smaller. */
const MAX_READS = 4;
/** How long a job is postponed after its row could not be read or its observation was discarded, in milliseconds. */
const POSTPONE_MS = 1_000;
/** Endpoints whose log lines are limited separately. */
const MAX_LOGGED = 10_000;

export function createPump(parts: PumpParts): Pump {
  const { workload, loader, sendAttempt, settler, passOn, guard, clock, batchSize, maxUnsettled, log } =
    parts;
  let reads = 0;
  let running = 0;
  let isKicked = false;
  let isPaused = false;
  let isStopped = false;
  /** Attempts that cannot be made are logged once a minute for each endpoint, because they are tried again and again. */
  const createThrottle = () => createLogThrottle({ monotonicMs: parts.monotonicMs, maxKeys: MAX_LOGGED });
  const [mayLogUndecryptable, mayLogUnexpected] = [createThrottle(), createThrottle()];

  const postpone = (job: Job, forMs = POSTPONE_MS) => {
    workload.release(job, null);
    workload.postpone(job, forMs);
  };
  /** The partitions may belong to another process by now: no job whose row was being read is sent. */
  const requeue = (job: Job) => {
    workload.release(job, null);
    workload.requeue(job);
  };
  const logUndecryptable = ({ id: deliveryId, endpointId, traceId }: DeliverySummary, err: unknown) => {
    if (!mayLogUndecryptable(endpointId)) return;
    log.error(
      { event: 'attempt.undecryptable', endpointId, deliveryId, traceId, err },
      'the secrets or headers of an endpoint cannot be decrypted: add their key to ENCRYPTION_KEYS; its deliveries wait until then',
    );
  };
  const logUnexpected = ({ message: { deliveryId, endpointId, traceId } }: Job, err: unknown) => {
    if (!mayLogUnexpected(endpointId)) return;
    log.error(
      { event: 'attempt.internal_error', endpointId, deliveryId, traceId, err },
      'an attempt failed unexpectedly; it will be tried again',
    );
  };
  /** Records an observation, or leaves it to the guard, which may withhold and discard it. */
  const recordOrWithhold = (
    job: Job,
    { observation, posted }: SentAttempt,
    before: Omit<PendingObservation, 'job' | 'observation'>,
  ) => {
    const record = () => settler.add({ job, observation, ...before });
    const discard = () => workload.postpone(job, POSTPONE_MS);
    if (posted === null) record();
    else guard.recordOrDiscard(posted.evidence, { record, discard });
  };
  const deliver = async (job: Job, row: SentRow, endpoint: EndpointTarget) => {
    const { delivery, eventId } = row;
    running += 1;
    workload.postBegins(job);
    try {
      const result = await sendAttempt(job, row, endpoint);
      if (result.kind === 'postponed') return postpone(job, result.forMs);
      if (result.kind === 'undecryptable') {
        logUndecryptable(delivery, result.error);
        return workload.releaseUnattempted(job);
      }
      workload.release(job, result.posted?.end ?? null);
      recordOrWithhold(job, result, { known: { delivery, endpoint }, eventId });
    } catch (error) {
      // Its row stays due: if the error ended the process, it would end the next one as well.
      logUnexpected(job, error);
      workload.releaseUnattempted(job);
    } finally {
      running -= 1;
      kick();
    }
  };
  /** Leaves a row that cannot be used for later. Its job has no slot. */
  const putOff = (job: Job, { delivery }: Loaded, error: unknown) => {
    logUnexpected(job, error);
    void parts.tryLater(job, delivery);
  };
  const start = (job: Job, situation: Loaded) => {
    const now = clock.now();
    const step = nextStep(situation, job.message.ordinal, now);
    switch (step.do) {
      case 'deliver': {
        const [facts, row] = [factsOf(step), rowToSend(step.delivery)];
        if (guard.allowance() <= 0) postpone(job);
        else if (workload.confirm(job, facts)) void deliver(job, row, step.endpoint);
        break;
      }
      case 'cancel': {
        const eventId = situation.delivery && eventIdOf(situation.delivery);
        workload.release(job, null);
        settler.add({ job, observation: cancellationOf(job, now), known: situation, eventId });
        break;
      }
      case 'done':
      case 'wait':
      case 'retry':
      case 'dead-letter':
        workload.release(job, null);
        void passOn([{ job, step, situation }]).catch((error) => putOff(job, situation, error));
        break;
    }
  };
  /** Neither the jobs that were read with a row that cannot be used nor others of its endpoint wait for it. */
  const startOrPutOff = (job: Job, situation: Loaded) => {
    try {
      start(job, situation);
    } catch (error) {
      workload.release(job, null);
      putOff(job, situation, error);
    }
  };
  /**
   * Starts a job unless its partition may belong to another process by now: after a freeze, the result of a read arrives
   * before any timer pauses the pump.
   */
  const startIfOwned = (job: Job, loaded: Loaded | null) => {
    if (isPaused || parts.isCutOff() || !workload.isOwned(job)) requeue(job);
    else if (loaded === null) workload.putBack(job);
    else startOrPutOff(job, loaded);
  };
  /** @returns null if the rows could not be read */
  const load = async (chunk: readonly Job[]): Promise<Load | null> => {
    try {
      return await loader.load(chunk);
    } catch (error) {
      log.warn(
        { event: 'read.failed', size: chunk.length, err: error },
        'rows could not be read; trying again',
      );
      for (const job of chunk) postpone(job);
      return null;
    }
  };
  const startLoaded = (chunk: readonly Job[], loaded: Load) => {
    const unread: Job[] = [];
    for (const job of chunk) {
      const found = loaded(job);
      if (found === null) unread.push(job);
      else startIfOwned(job, found);
    }
    // Each is queued before the ones behind it. The sizes of the rows that were read are known by now.
    for (const job of unread.reverse()) startIfOwned(job, null);
  };
  const loadAndStart = async (chunk: readonly Job[]) => {
    reads += 1;
    const loaded = await load(chunk);
    reads -= 1;
    // Once it is stopped, the offsets of these jobs are not done, so the next owner of their partition reads them again.
    if (loaded !== null && !isStopped) startLoaded(chunk, loaded);
    kick();
  };
  /** Takes the next jobs and starts those whose rows are at hand. @returns the number taken, and the jobs to load */
  const takeChunk = () => {
    const chunk: Job[] = [];
    let taken = 0;
    const room = Math.min(MAX_STARTS, guard.allowance() - running);
    for (; taken < room && chunk.length < batchSize; taken += 1) {
      const job = workload.next();
      if (job === null) break;
      const waitMs = guard.waitMs(job.message.endpointId);
      if (waitMs > 0) {
        postpone(job, waitMs);
        continue;
      }
      const loaded = loader.atHand(job);
      if (loaded === null) chunk.push(job);
      else startIfOwned(job, loaded);
    }
    return { taken, chunk };
  };
  const run = () => {
    isKicked = false;
    while (mayStart() && reads < MAX_READS && settler.unsettled() < maxUnsettled) {
      const { taken, chunk } = takeChunk();
      if (taken === 0) return;
      if (chunk.length > 0) void loadAndStart(chunk);
      // Preparing requests blocks the event loop, so the next jobs start in a later turn.
      if (chunk.length < taken) return kick();
    }
  };
  const mayStart = () => !isPaused && !isStopped;
  const kick = () => {
    if (isKicked || isStopped) return;
    isKicked = true;
    setImmediate(run);
  };
  return {
    kick,
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      kick();
    },
    stop: () => {
      isStopped = true;
    },
    mayStart,
    running: () => running,
  };
}

function factsOf({
  delivery,
  endpoint,
}: {
  readonly delivery: Delivery;
  readonly endpoint: EndpointTarget;
}): RowFacts {
  const { url, consecutiveFailures, ratePerSecond = null } = endpoint;
  return {
    origin: knownOrigin(url),
    failing: consecutiveFailures > 0,
    bytes: sizeOf(delivery),
    ratePerSecond,
  };
}

function cancellationOf({ message }: Job, endedAt: Date) {
  const { deliveryId, endpointId, ordinal } = message;
  return { kind: 'cancellation', deliveryId, endpointId, ordinal, endedAt } as const;
}
