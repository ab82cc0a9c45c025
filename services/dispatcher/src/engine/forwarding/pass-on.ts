import type { NextStep } from '@postrider/shared/domain/next-step';
import { dueAgain } from '@postrider/shared/domain/retry-policy';
import type { Situation } from '@postrider/shared/domain/settle';
import type { Clock } from '@postrider/shared/ports/clock';
import { nextMessage, type Queued } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC, retryTopic } from '@postrider/shared/ports/topics';
import type { Job } from '../jobs/job.js';
import type { Workload } from '../jobs/workload.js';
import type { Forwarded, Forwarder, RepublishedDeadLetter } from './forwarder.js';

/** A job, its next step and the stored state from which the step was decided. */
export interface Decided {
  readonly job: Job;
  readonly step: NextStep;
  readonly situation: Situation;
}

/**
 * Performs the next steps of jobs, except sending, and puts off those whose rows cannot be used. Resolves when the messages of these
 * jobs are published; never rejects.
 */
export type PassOn = (decided: readonly Decided[]) => Promise<void>;

interface Passing {
  readonly passOn: PassOn;
  /** Jobs whose messages are being published. */
  passing(): number;
}

/** A job that is finished once its message is published. */
interface LeavingJob extends Forwarded {
  readonly job: Job;
}

interface RepeatedJob extends LeavingJob, RepublishedDeadLetter {
  /** The time until `dueAgain`, in milliseconds. */
  readonly pauseMs: number;
}

interface PassOnParts {
  readonly workload: Pick<Workload, 'finish' | 'wait' | 'setAside' | 'requeue'>;
  readonly forwarder: Forwarder;
  /** Called for a job whose row cannot be used. */
  readonly putOff: (job: Job, row: Situation['delivery'], error: unknown) => void;
  readonly clock: Clock;
}

export function createPassOn({ workload, forwarder, putOff, clock }: PassOnParts): Passing {
  let passing = 0;
  const finish = (some: readonly LeavingJob[]) => {
    passing -= some.length;
    for (const { job } of some) workload.finish(job);
  };
  const repeat = async (again: readonly RepeatedJob[]) => {
    if (again.length === 0) return;
    const rejected = await forwarder.forwardAgain(again, finish);
    passing -= rejected.length;
    for (const { job, pauseMs } of rejected) workload.setAside(job, pauseMs);
  };
  const passOn: PassOn = async (decided) => {
    const first: LeavingJob[] = [];
    const again: RepeatedJob[] = [];
    const now = clock.now();
    const begin = ({ job, step, situation }: Decided) => {
      switch (step.do) {
        case 'done':
          workload.finish(job);
          break;
        case 'wait':
          workload.wait(job, step.until.getTime());
          break;
        case 'deliver':
        case 'cancel':
          workload.requeue(job);
          break;
        case 'retry':
          first.push({ job, queued: retryOf(job, situation, step) });
          break;
        case 'dead-letter':
          if (mayHaveBeenPublished(situation, now)) again.push(repeatedJobOf(job, situation, now));
          else first.push({ job, queued: deadLetterOf(job) });
          break;
      }
    };
    for (const one of decided) {
      try {
        begin(one);
      } catch (error) {
        putOff(one.job, one.situation.delivery, error);
      }
    }
    passing += first.length + again.length;
    await Promise.all([forwarder.forward(first, finish), repeat(again)]);
  };
  return { passOn, passing: () => passing };
}

function retryOf(
  { message }: Job,
  { delivery }: Situation,
  { ordinal, tier }: Extract<NextStep, { do: 'retry' }>,
): Queued {
  return {
    topic: retryTopic(tier),
    message: nextMessage(message, { ordinal, dueAt: delivery?.dueAt ?? null }),
  };
}

function deadLetterOf({ message }: Job): Queued {
  const { ordinal } = message;
  return { topic: DEAD_LETTER_TOPIC, message: nextMessage(message, { ordinal, dueAt: null }) };
}

/** Whether a dead letter may have been published before: its row is due, or has no due time. */
function mayHaveBeenPublished({ delivery }: Situation, now: Date): boolean {
  const { dueAt = null } = delivery ?? {};
  return dueAt === null || dueAt <= now;
}

function repeatedJobOf(job: Job, { delivery }: Situation, now: Date): RepeatedJob {
  const until = dueAgain(delivery?.lastAttempt?.attemptedAt ?? null, now);
  return { job, queued: deadLetterOf(job), dueAgain: until, pauseMs: until.getTime() - now.getTime() };
}
