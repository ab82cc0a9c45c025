import type { DeliverySummary } from '@postrider/shared/domain/delivery';
import { type EndpointTarget, settledOf } from '@postrider/shared/domain/endpoint';
import { nextStep } from '@postrider/shared/domain/next-step';
import type { Situation } from '@postrider/shared/domain/settle';
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
import { MAX_LOGGED_ENDPOINTS, type UnexpectedFailures } from '../settling/unexpected-failures.js';
import { knownOrigin } from './known-origin.js';
import { type LoadedRow, type SentRow, sizeOf } from './loaded-row.js';
import type { Loaded } from './loader.js';
import type { SendAttempt, SentAttempt } from './send-attempt.js';

/** Performs the next steps of jobs whose rows are read. */
export interface JobStarter {
  /** Decides the next step of a job and begins it: sends the attempt, cancels the delivery, or passes the job on. */
  start(job: Job, loaded: Loaded): void;
  /** Frees the slot of a job that starts nothing, and tries it again a second later. */
  postpone(job: Job): void;
  /** Attempts in progress. */
  running(): number;
  /** The number of attempts that were started. */
  started(): number;
}

export interface JobStarterParts {
  readonly workload: Pick<
    Workload,
    'confirm' | 'rest' | 'postBegins' | 'release' | 'releaseUnattempted' | 'postpone'
  >;
  readonly sendAttempt: SendAttempt;
  readonly settler: Pick<Settler, 'add'>;
  readonly passOn: PassOn;
  readonly failures: UnexpectedFailures;
  readonly guard: Pick<SendingGuard, 'allowance' | 'recordOrDiscard'>;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** How long a job is postponed after its row could not be read or its observation was discarded, in milliseconds. */
const POSTPONE_MS = 1_000;

/** @param onAttemptEnded called when an attempt has ended, so that another job may start */
export function createJobStarter(parts: JobStarterParts, onAttemptEnded: () => void): JobStarter {
  const { workload, sendAttempt, settler, passOn, failures, guard, clock, monotonicMs, log } = parts;
  let running = 0;
  let started = 0;
  /** Attempts that cannot be made are logged once a minute for each endpoint, because they are tried again and again. */
  const mayLogUndecryptable = createLogThrottle({ monotonicMs, maxKeys: MAX_LOGGED_ENDPOINTS });

  const postpone = (job: Job) => {
    workload.release(job, null);
    workload.postpone(job, POSTPONE_MS);
  };
  const logUndecryptable = ({ id: deliveryId, endpointId, traceId }: DeliverySummary, err: unknown) => {
    if (!mayLogUndecryptable(endpointId)) return;
    log.error(
      { event: 'attempt.undecryptable', endpointId, deliveryId, traceId, err },
      'the secrets or headers of an endpoint cannot be decrypted: add their key to ENCRYPTION_KEYS; its deliveries wait until then',
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
    started += 1;
    workload.postBegins(job);
    try {
      const result = await sendAttempt(job, row, endpoint);
      if (result.kind === 'postponed') return workload.rest(job, result.forMs);
      if (result.kind === 'undecryptable') {
        logUndecryptable(delivery, result.error);
        return workload.releaseUnattempted(job);
      }
      workload.release(job, result.posted?.end ?? null);
      recordOrWithhold(job, result, { known: { delivery, endpoint: settledOf(endpoint) }, eventId });
    } catch (error) {
      // Its row stays due: if the error ended the process, it would end the next one as well.
      failures.report(job, error);
      workload.releaseUnattempted(job);
    } finally {
      running -= 1;
      onAttemptEnded();
    }
  };
  const begin = (job: Job, loaded: Loaded) => {
    const now = clock.now();
    const { row, endpoint } = loaded;
    const step = nextStep({ delivery: stateOf(row), endpoint }, job.message.ordinal, now);
    switch (step.do) {
      case 'deliver': {
        const sent = sendable(row);
        const facts = factsOf(sent, step.endpoint);
        if (guard.allowance() <= 0) postpone(job);
        else if (workload.confirm(job, facts)) void deliver(job, sent, step.endpoint);
        break;
      }
      case 'cancel': {
        const { eventId } = sendable(row);
        workload.release(job, null);
        settler.add({ job, observation: cancellationOf(job, now), known: situationOf(loaded), eventId });
        break;
      }
      case 'done':
      case 'wait':
      case 'retry':
      case 'dead-letter':
        workload.release(job, null);
        void passOn([{ job, step, situation: situationOf(loaded) }]);
        break;
    }
  };

  return {
    start(job, loaded) {
      try {
        begin(job, loaded);
      } catch (error) {
        // Neither the jobs that were read with a row that cannot be used nor others of its endpoint wait for it.
        workload.release(job, null);
        failures.putOff(job, stateOf(loaded.row), error);
      }
    },
    postpone,
    running: () => running,
    started: () => started,
  };
}

function factsOf(row: SentRow, endpoint: EndpointTarget): RowFacts {
  const { url, consecutiveFailures, ratePerSecond = null } = endpoint;
  return {
    origin: knownOrigin(url),
    failing: consecutiveFailures > 0,
    bytes: sizeOf(row),
    ratePerSecond,
  };
}

/** What is kept until a step is stored or published: nothing limits the bytes of rows without a POST. */
function situationOf({ row, endpoint }: Loaded): Situation {
  return { delivery: stateOf(row), endpoint: endpoint && settledOf(endpoint) };
}

function stateOf(row: LoadedRow | null): DeliverySummary | null {
  return row?.delivery ?? null;
}

/** @throws for a damaged row. A missing one is neither sent nor cancelled. */
function sendable(row: LoadedRow | null): SentRow {
  if (row === null) throw new TypeError('there is no row');
  if (row.kind === 'damaged') throw row.error;
  return row;
}

function cancellationOf({ message }: Job, endedAt: Date) {
  const { deliveryId, endpointId, ordinal } = message;
  return { kind: 'cancellation', deliveryId, endpointId, ordinal, endedAt } as const;
}
