import type { DueRow } from '@postrider/shared/ports/backlog';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import type { DelayHeap } from './delay-heap.js';
import type { EndpointScheduler, PostEnd } from './endpoint-scheduler.js';
import { type Job, jobKey, type Source } from './job.js';
import type { ParkingLot } from './parking.js';

/** Everything that is to be done here, and where each piece of it stands. */
export interface Workload {
  /** A message came: it waits until `due`, in milliseconds, then stands in line. */
  addMessage(message: QueueMessage, source: Source, due: number): void;
  /** A due row came. @returns false when its job is here already */
  addFromRow(row: DueRow): boolean;
  /** Takes the next job that may start, and a slot for it. */
  next(): Job | null;
  /** Gives the job's slot back. */
  release(job: Job, end: PostEnd | null): void;
  /** The job is not due yet, or has to be tried again later. Forgotten when its endpoint is not ours any more. */
  wait(job: Job, until: number): void;
  /** The job has to be looked at again. Forgotten when its endpoint is not ours any more. */
  requeue(job: Job): void;
  /** Nothing is left to do: its offsets are done. */
  finish(job: Job): void;
  /** Lines up what is due by now. */
  wake(now: number): void;
  park(endpointId: string): void;
  /** Parks the endpoint of a job that is queued; everything queued for it is left to its rows. */
  parkQueueOf(key: string): void;
  isQueued(key: string): boolean;
  /** Forgets what belongs to endpoints that are not ours any more, now and later. What runs is finished and recorded. */
  keepOnly(isOurs: (endpointId: string) => boolean): void;
  /** Jobs of an endpoint that are here: waiting, queued, running. */
  jobsOf(endpointId: string): number;
  size(): number;
}

export interface WorkloadParts {
  readonly scheduler: EndpointScheduler<Job>;
  readonly heap: DelayHeap<Job>;
  readonly parking: ParkingLot;
  /** Queued or in flight for one endpoint before its further backlog is left to its rows. */
  readonly parkAt: number;
  readonly now: () => number;
  /** Told of each offset whose work is done. */
  readonly onDone: (source: Source) => void;
}

export function createWorkload({
  scheduler,
  heap,
  parking,
  parkAt,
  now,
  onDone: done,
}: WorkloadParts): Workload {
  const jobs = new Map<string, Job>();
  const counts = new Map<string, number>();
  let isKept = (_endpointId: string) => true;
  const count = (endpointId: string, change: 1 | -1) => {
    const held = (counts.get(endpointId) ?? 0) + change;
    if (held === 0) counts.delete(endpointId);
    else counts.set(endpointId, held);
  };
  const forget = (job: Job) => {
    if (jobs.delete(job.key)) count(job.message.endpointId, -1);
  };
  const enqueue = (job: Job) => {
    job.state = 'queued';
    scheduler.enqueue(job.message.endpointId, job);
  };
  const finish = (job: Job) => {
    forget(job);
    for (const source of job.sources) done(source);
  };
  const leaveToRows = (job: Job) => {
    parking.messageSkipped(job.message.endpointId);
    finish(job);
  };
  const admit = (job: Job) => {
    const { endpointId } = job.message;
    if (scheduler.load(endpointId) >= parkAt) parking.park(endpointId);
    if (parking.isParked(endpointId)) leaveToRows(job);
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
  /** What ran while its partition was lost is not begun again here. */
  const ifStillOwned = (job: Job, putBack: (job: Job) => void) => {
    if (isKept(job.message.endpointId)) putBack(job);
    else forget(job);
  };

  return {
    addMessage(message, source, due) {
      const known = jobs.get(jobKey(message));
      if (known !== undefined) {
        known.sources.push(source);
        return;
      }
      const job = add(message, [source]);
      if (due > now()) wait(job, due);
      else admit(job);
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
    requeue: (job) => ifStillOwned(job, admit),
    finish,
    wake(time) {
      for (let job = heap.pop(time); job !== null; job = heap.pop(time)) admit(job);
    },
    park: (endpointId) => parking.park(endpointId),
    isQueued: (key) => jobs.get(key)?.state === 'queued',
    parkQueueOf(key) {
      const endpointId = jobs.get(key)?.message.endpointId;
      if (endpointId === undefined) return;
      parking.park(endpointId);
      for (const queued of scheduler.clearQueue(endpointId)) leaveToRows(queued);
    },
    keepOnly(isOurs) {
      isKept = isOurs;
      for (const endpointId of scheduler.endpoints()) {
        if (isOurs(endpointId)) continue;
        parking.unpark(endpointId);
        for (const job of scheduler.clearQueue(endpointId)) forget(job);
      }
      heap.removeWhere((job) => {
        if (isOurs(job.message.endpointId)) return false;
        forget(job);
        return true;
      });
    },
    jobsOf: (endpointId) => counts.get(endpointId) ?? 0,
    size: () => jobs.size,
  };
}
