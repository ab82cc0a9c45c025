import type { NextStep } from '@postrider/shared/domain/next-step';
import { dueAgain } from '@postrider/shared/domain/retry-policy';
import type { Situation } from '@postrider/shared/domain/settle';
import type { Clock } from '@postrider/shared/ports/clock';
import { nextMessage, type Queued } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC, retryTopic } from '@postrider/shared/ports/topics';
import type { Job } from '../jobs/job.js';
import type { Workload } from '../jobs/workload.js';
import type { Forwarder, RepublishedDeadLetter } from './forwarder.js';

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

interface RepeatedJob extends RepublishedDeadLetter {
  readonly job: Job;
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
  const repeat = async (again: readonly RepeatedJob[]) => {
    const rejected = new Set(await forwarder.forwardAgain(again));
    for (const one of again) {
      if (rejected.has(one)) workload.setAside(one.job, one.pauseMs);
      else workload.finish(one.job);
    }
  };
  const passOn: PassOn = async (decided) => {
    const leaving: Job[] = [];
    const first: Queued[] = [];
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
          first.push(retryOf(job, situation, step));
          leaving.push(job);
          break;
        case 'dead-letter':
          if (mayHaveBeenPublished(situation, now)) {
            again.push(repeatedJobOf(job, situation, now));
          } else {
            first.push(deadLetterOf(job));
            leaving.push(job);
          }
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
    const count = leaving.length + again.length;
    passing += count;
    await forwarder.forward(first);
    for (const job of leaving) workload.finish(job);
    if (again.length > 0) await repeat(again);
    passing -= count;
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
