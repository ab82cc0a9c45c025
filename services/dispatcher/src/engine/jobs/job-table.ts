import type { QueueMessage } from '@postrider/shared/ports/queue';
import { LRUCache } from 'lru-cache';
import type { TrackedSource } from '../../offsets/open-offsets.js';
import { type Job, jobKey } from './job.js';
import type { JobBudget } from './job-budget.js';

type NewJob = Partial<Pick<Job, 'sources' | 'handedOver'>> & Pick<Job, 'isUnproven'>;

/** The jobs of a process by key, each with the offsets that are done when it is. */
export interface JobTable {
  add(message: QueueMessage, job: NewJob): Job;
  find(key: string): Job | undefined;
  /** Whether the job exists, or ended before its message arrived. */
  isKnown(key: string): boolean;
  /** Adds the offset of a message to its job, or marks it as done if that job needs none. @returns false if the key is not known */
  join(key: string, source: TrackedSource): boolean;
  /** Marks the offsets of a job as done, now and later. The job stays, so that its message and its row add no second one. */
  acknowledge(job: Job): void;
  /** Removes a job and marks its offsets as done. */
  finish(job: Job): void;
  /** Removes a job whose offsets are no longer those of this process, for the next owner of its endpoint. */
  drop(job: Job): void;
  all(): Iterable<Job>;
  size(): number;
}

/** Maximum number of jobs remembered that ended before their messages arrived; any other such message costs a read. */
const MAX_REMEMBERED = 10_000;

interface JobTableParts {
  readonly budget: Pick<JobBudget, 'add' | 'remove'>;
  /** Called for each offset whose job is done. */
  readonly onDone: (source: TrackedSource) => void;
}

export function createJobTable({ budget, onDone }: JobTableParts): JobTable {
  const jobs = new Map<string, Job>();
  const ended = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  const markDone = (job: Job) => {
    for (const source of job.sources) onDone(source);
    endHandOver(job);
  };
  const remove = (job: Job) => {
    if (jobs.delete(job.key)) budget.remove(job);
  };
  return {
    add(message, { sources = [], handedOver = null, isUnproven }) {
      const job: Job = {
        key: jobKey(message),
        message,
        sources,
        isAcknowledged: false,
        hasMoved: false,
        handedOver,
        isUnproven,
        state: 'queued',
      };
      jobs.set(job.key, job);
      budget.add(job);
      return job;
    },
    find: (key) => jobs.get(key),
    isKnown: (key) => jobs.has(key) || ended.has(key),
    join(key, source) {
      const job = jobs.get(key);
      if (job === undefined && !ended.delete(key)) return false;
      if (job === undefined || job.isAcknowledged) onDone(source);
      // Not a spread, which reserves room for 17 elements.
      else job.sources = job.sources.concat(source);
      return true;
    },
    acknowledge(job) {
      job.isAcknowledged = true;
      markDone(job);
      job.sources = [];
    },
    finish(job) {
      remove(job);
      if (job.sources.length === 0) ended.set(job.key, true);
      markDone(job);
    },
    drop(job) {
      remove(job);
      if (job.handedOver?.hasEnded === false) job.handedOver.onDropped();
    },
    all: () => jobs.values(),
    size: () => jobs.size,
  };
}

function endHandOver({ handedOver }: Job): void {
  if (handedOver === null || handedOver.hasEnded) return;
  handedOver.hasEnded = true;
  handedOver.onEnded();
}
