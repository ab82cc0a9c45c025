import type { NextStep } from '@postrider/shared/domain/next-step';
import { DEAD_LETTER_DUE_MS } from '@postrider/shared/domain/retry-policy';
import type { Situation } from '@postrider/shared/domain/settle';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Queued } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC, retryTopic } from '@postrider/shared/ports/topics';
import type { Forwarder } from './forwarder.js';
import type { Job } from './job.js';
import type { Workload } from './workload.js';

/** A job, its next step and the stored state from which the step was decided. */
export interface Decided {
  readonly job: Job;
  readonly step: NextStep;
  readonly situation: Situation;
}

/** Performs the next steps of jobs, except sending. Resolves when the messages of these jobs are published; never rejects. */
export type PassOn = (decided: readonly Decided[]) => Promise<void>;

export interface PassOnParts {
  readonly workload: Pick<Workload, 'finish' | 'wait' | 'requeue'>;
  readonly forwarder: Forwarder;
  readonly clock: Clock;
}

export function createPassOn({ workload, forwarder, clock }: PassOnParts): PassOn {
  return async (decided) => {
    const leaving: { job: Job; queued: Queued; overdue: boolean }[] = [];
    const now = clock.now();
    for (const { job, step, situation } of decided) {
      switch (step.do) {
        case 'done':
          workload.finish(job);
          break;
        case 'wait':
          workload.wait(job, step.until.getTime());
          break;
        case 'deliver':
        case 'close':
          workload.requeue(job);
          break;
        case 'retry': {
          const message = { ...job.message, ordinal: step.ordinal };
          leaving.push({ job, queued: { topic: retryTopic(step.tier), message }, overdue: false });
          break;
        }
        case 'dead-letter': {
          const overdue = (situation.delivery?.dueAt ?? now) <= now;
          leaving.push({ job, queued: { topic: DEAD_LETTER_TOPIC, message: job.message }, overdue });
          break;
        }
      }
    }
    const again = leaving.filter(({ overdue }) => overdue).map(({ queued }) => queued);
    const first = leaving.filter(({ overdue }) => !overdue).map(({ queued }) => queued);
    await forwarder.forward(first);
    if (again.length > 0) await forwarder.forwardAgain(again, new Date(now.getTime() + DEAD_LETTER_DUE_MS));
    for (const { job } of leaving) workload.finish(job);
  };
}
