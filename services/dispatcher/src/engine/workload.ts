import type { DueRow } from '@postrider/shared/ports/backlog';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import type { Source } from '../intake/open-offsets.js';
import type { DelayHeap } from './delay-heap.js';
import type { EndpointScheduler, PostEnd } from './endpoint-scheduler.js';
import { type Job, jobKey } from './job.js';
import type { ParkingLot } from './parking.js';

/** All jobs of this process and their states. */
export interface Workload {
  /** Adds the job of a message. It waits until `due`, in milliseconds, and is queued then. */
  addMessage(message: QueueMessage, source: Source, due: number): void;
  /** Adds the job of a due row. @returns false if it exists already */
  addFromRow(row: DueRow): boolean;
  /** Returns the next job that may start and takes a slot for it. */
  next(): Job | null;
  /** Frees the job's slot. */
  release(job: Job, end: PostEnd | null): void;
  /** Delays a job. Drops it if its endpoint is no longer assigned to this process. */
  wait(job: Job, until: number): void;
  /** Queues a job again. Drops it if its endpoint is no longer assigned to this process. */
  requeue(job: Job): void;
  /** Marks the offsets of a job as done. The job stays: its message and its row add no other one. */
  acknowledge(job: Job): void;
  /** Removes a job and marks its offsets as done. */
  finish(job: Job): void;
  /** Queues the waiting jobs that are due. */
  wake(now: number): void;
  park(endpointId: string): void;
  /** Parks the endpoint of a queued job and drops all its queued jobs: they will be fed from their rows. */
  parkQueueOf(key: string): void;
  isQueued(key: string): boolean;
  /** Drops the jobs of endpoints that are not assigned, now and later. Running jobs still finish and are recorded. */
  keepOnly(isAssigned: (endpointId: string) => boolean): void;
  /** Number of jobs of an endpoint: waiting, queued and running. */
  jobsOf(endpointId: string): number;
  size(): number;
}

export interface WorkloadParts {
  readonly scheduler: EndpointScheduler<Job>;
  readonly heap: DelayHeap<Job>;
  readonly parking: ParkingLot;
  /** Jobs queued or in flight for one endpoint at which it is parked. */
  readonly parkAt: number;
  readonly now: () => number;
  /** Called for each offset whose job is done. */
  readonly onDone: (source: Source) => void;
}

export function createWorkload({ scheduler, heap, parking, parkAt, now, onDone }: WorkloadParts): Workload {
  const jobs = new Map<string, Job>();
  const counts = new Map<string, number>();
  let isOwned = (_endpointId: string) => true;
  const count = (endpointId: string, change: 1 | -1) => {
    const jobsOfEndpoint = (counts.get(endpointId) ?? 0) + change;
    if (jobsOfEndpoint === 0) counts.delete(endpointId);
    else counts.set(endpointId, jobsOfEndpoint);
  };
  const remove = (job: Job) => {
    if (jobs.delete(job.key)) count(job.message.endpointId, -1);
  };
  const enqueue = (job: Job) => {
    job.state = 'queued';
    scheduler.enqueue(job.message.endpointId, job);
  };
  const finish = (job: Job) => {
    remove(job);
    for (const source of job.sources) onDone(source);
  };
  const skipToRow = (job: Job) => {
    parking.messageSkipped(job.message.endpointId);
    finish(job);
  };
  const enqueueOrPark = (job: Job) => {
    const { endpointId } = job.message;
    if (scheduler.load(endpointId) >= parkAt) parking.park(endpointId);
    if (parking.isParked(endpointId)) skipToRow(job);
    else enqueue(job);
  };
  const wait = (job: Job, until: number) => {
    job.state = 'waiting';
    heap.add(job, until);
  };
  const add = (message: QueueMessage, sources: Source[]): Job => {
    const job: Job = { key: jobKey(message), message, sources, state: 'queued' };
    jobs.set(job.key, job);
    count(message.endpointId, 1);
    return job;
  };
  /** A job that was running while its partition was revoked must not start again here. */
  const ifStillOwned = (job: Job, putBack: (job: Job) => void) => {
    if (isOwned(job.message.endpointId)) putBack(job);
    else remove(job);
  };

  return {
    addMessage(message, source, due) {
      const existing = jobs.get(jobKey(message));
      if (existing !== undefined) {
        existing.sources.push(source);
        return;
      }
      const job = add(message, [source]);
      if (due > now()) wait(job, due);
      else enqueueOrPark(job);
    },
    addFromRow({ attempts, ...ids }) {
      const message = { ...ids, ordinal: attempts + 1 };
      if (jobs.has(jobKey(message))) return false;
      enqueue(add(message, []));
      return true;
    },
    next() {
      const job = scheduler.next();
      if (job !== null) job.state = 'running';
      return job;
    },
    release: (job, end) => scheduler.release(job.message.endpointId, end),
    wait: (job, until) => ifStillOwned(job, () => wait(job, until)),
    requeue: (job) => ifStillOwned(job, enqueueOrPark),
    acknowledge(job) {
      for (const source of job.sources.splice(0)) onDone(source);
    },
    finish,
    wake(time) {
      for (let job = heap.pop(time); job !== null; job = heap.pop(time)) enqueueOrPark(job);
    },
    park: (endpointId) => parking.park(endpointId),
    isQueued: (key) => jobs.get(key)?.state === 'queued',
    parkQueueOf(key) {
      const endpointId = jobs.get(key)?.message.endpointId;
      if (endpointId === undefined) return;
      parking.park(endpointId);
      for (const queued of scheduler.clearQueue(endpointId)) skipToRow(queued);
    },
    keepOnly(isAssigned) {
      isOwned = isAssigned;
      for (const endpointId of scheduler.endpoints()) {
        if (isAssigned(endpointId)) continue;
        parking.unpark(endpointId);
        for (const job of scheduler.clearQueue(endpointId)) remove(job);
      }
      heap.removeWhere((job) => {
        if (isAssigned(job.message.endpointId)) return false;
        remove(job);
        return true;
      });
    },
    jobsOf: (endpointId) => counts.get(endpointId) ?? 0,
    size: () => jobs.size,
  };
}
