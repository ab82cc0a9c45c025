import type { DueRow } from '@postrider/shared/ports/backlog';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import type { TurnLimit } from '@postrider/shared/runtime/turns';
import type { TrackedSource } from '../../offsets/open-offsets.js';
import type { HandedOver } from '../../ports/hand-over.js';
import type { EndpointScheduler, RowFacts } from '../scheduler/endpoint-scheduler.js';
import type { PostEnd, Standing } from '../scheduler/standing.js';
import type { DelayedJobs } from './delayed-jobs.js';
import { isUnprovenOnArrival, isUnprovenWhenFed, type Job, jobKey } from './job.js';
import { type JobBudget, SILENT_JOBS } from './job-budget.js';
import { createJobTable } from './job-table.js';
import type { ParkingLot } from './parking.js';

/** All jobs of this process and their states. */
export interface Workload {
  /** Adds the job of a message. It waits until `due`, in milliseconds, and is queued then. */
  addMessage(message: QueueMessage, source: TrackedSource, due: number): void;
  /** Adds the job of a due row, unless it exists already or there is no room for it in the share of its workspace. */
  addFromRow(row: DueRow): 'added' | 'exists' | 'no room';
  /** How many more jobs of a workspace may be added from rows. */
  roomToFeed(workspaceId: string): number;
  /** Leaves a row that was just stored to the next query for the rows of its endpoint. @returns false unless the endpoint is behind */
  leaveStored(message: QueueMessage): boolean;
  /**
   * Adds the job of a row that was just stored and is handed over, for an endpoint that is not behind. @returns null if its message
   * must add it
   */
  addStored(message: QueueMessage, handedOver: HandedOver): Job | null;
  /** Returns the next job that may start and takes a slot for it. */
  next(): Job | null;
  /** The next jobs of the same endpoint, in order; none unless the endpoint is proven. */
  upcoming(job: Job, count: number): readonly Job[];
  /** Records the facts of the endpoint's row. @returns false if the job must not start now; it is then queued again */
  confirm(job: Job, facts: RowFacts): boolean;
  /** Frees the slot of a job whose row was not read, and queues it again in its place. */
  putBack(job: Job): void;
  /**
   * The same for a job that was not sent, whose endpoint cannot be sent to for some milliseconds: the jobs behind it would only
   * find that out as well. Drops it if its endpoint is no longer assigned to this process.
   */
  rest(job: Job, forMs: number): void;
  /** Its POST begins now. */
  postBegins(job: Job): void;
  /** The jobs of some endpoints whose attempts have begun and are not settled. */
  attempted(ofEndpoint: (endpointId: string) => boolean): readonly Job[];
  /** Frees the job's slot. If its POST timed out and its endpoint is silent now, that endpoint's queue is cut as in `age`. */
  release(job: Job, end: PostEnd | null): void;
  /** Frees the slot of a job whose attempt cannot be made. Drops it and those queued behind it: they are fed from their rows. */
  releaseUnattempted(job: Job): void;
  /** Delays a job until a due time, in milliseconds. Drops it if its endpoint is no longer assigned to this process. */
  wait(job: Job, until: number): void;
  /** Delays a job for some milliseconds, even if the clock is corrected meanwhile. Drops it as `wait` does. */
  postpone(job: Job, forMs: number): void;
  /**
   * Acknowledges a job and tries it again after minutes. It stays in memory, so that its due row adds no second one, but the
   * endpoint's other deliveries are still fed.
   */
  setAside(job: Job, forMs: number): void;
  /** Queues a job again. Drops it if its endpoint is no longer assigned to this process. */
  requeue(job: Job): void;
  /** Marks the offsets of a job as done, now and later. The job stays, so that its message and its row add no second one. */
  acknowledge(job: Job): void;
  /** Removes a job and marks its offsets as done. */
  finish(job: Job): void;
  /** Queues jobs whose delay has ended: as many as one turn of the event loop has time for. */
  wake(): void;
  /**
   * Moves lingering POSTs to their pool. All but a few queued jobs of endpoints that fell silent are dropped, and fed from
   * their rows later.
   */
  age(): void;
  /** Parks the endpoint of a queued job and drops all its queued jobs: they will be fed from their rows. */
  parkQueueOf(key: string): void;
  isQueued(key: string): boolean;
  /** The number of the endpoint's jobs that are queued, or will be without another query for its rows. */
  pendingOf(endpointId: string): number;
  /** The number of the endpoint's jobs whose rows may be due. */
  dueOf(endpointId: string): number;
  /** Whether the job's endpoint is assigned to this process. */
  isOwned(job: Job): boolean;
  /** Drops the jobs of endpoints that are not assigned, now and later. Jobs that have a slot still finish and are recorded. */
  keepOnly(isAssigned: (endpointId: string) => boolean): void;
  size(): number;
}

interface WorkloadParts {
  readonly scheduler: EndpointScheduler<Job>;
  readonly delayed: DelayedJobs;
  readonly parking: Pick<
    ParkingLot,
    'park' | 'unpark' | 'isParked' | 'isBehind' | 'messageSkipped' | 'drained'
  >;
  readonly budget: JobBudget;
  readonly clockMs: () => number;
  /** Splits queueing into turns of the event loop: the jobs of a burst that failed are due at the same time. */
  readonly turn: TurnLimit;
  /** Called for each offset whose job is done. */
  readonly onDone: (source: TrackedSource) => void;
  /** Called when the POST of a job begins. */
  readonly onPostBegins: () => void;
}

/** What happens to a message whose job neither exists nor has ended. */
type Placement = 'waits' | 'queued' | 'left to its row';

export function createWorkload(parts: WorkloadParts): Workload {
  const { scheduler, delayed, parking, budget, clockMs, turn, onDone, onPostBegins } = parts;
  const jobs = createJobTable({ budget, onDone });
  let isAssigned = (_endpointId: string) => true;
  /**
   * The offsets of a silent endpoint would stay open for long, and everything behind them would be read again after a
   * restart. Its rows are due and are found without messages.
   */
  const enqueue = (job: Job) => {
    job.state = 'queued';
    scheduler.enqueue(job.message, job);
    if (scheduler.standing(job.message.endpointId) === 'silent') jobs.acknowledge(job);
  };
  const skipToRow = (job: Job) => {
    parking.messageSkipped(job.message.endpointId);
    jobs.finish(job);
  };
  const pendingOf = (endpointId: string) =>
    scheduler.queued(endpointId) + delayed.count('postponed', endpointId);
  /** Retries that wait do not count: the other rows of their workspace would wait for hours as well. */
  const roomToFeed = (workspaceId: string) => budget.roomFor(workspaceId, delayed.waitingOf(workspaceId));
  /** Whether there is memory for another queued job, and its endpoint can start it soon. */
  const admits = (message: QueueMessage, standing: Standing) =>
    budget.admits(message, standing) &&
    scheduler.queued(message.endpointId) < scheduler.queueLimit(message.endpointId);
  const placeFor = (message: QueueMessage, due: number, standing: Standing): Placement => {
    if (due > clockMs()) return 'waits';
    return admits(message, standing) && !parking.isBehind(message.endpointId) ? 'queued' : 'left to its row';
  };
  /** A job that had a slot when its partition was revoked must not start again here. */
  const ifStillOwned = (job: Job, use: (job: Job) => void) => {
    if (isAssigned(job.message.endpointId)) use(job);
    else jobs.drop(job);
  };
  const leaveToRows = (first: Job, others: readonly Job[] = []) => {
    const { endpointId } = first.message;
    parking.park(first.message);
    skipToRow(first);
    for (const job of others) skipToRow(job);
    parking.drained(endpointId, pendingOf(endpointId));
  };
  /** Parks an endpoint that has more than `keep` queued jobs, and leaves the others to their rows. */
  const parkBeyond = (endpointId: string, keep: number) => {
    const [first, ...others] = scheduler.cutQueue(endpointId, keep);
    if (first !== undefined) leaveToRows(first, others);
  };
  /** Retries wait for their due time without regard to the budget, so a silent endpoint may have many of them. */
  const isFull = (endpointId: string) =>
    scheduler.standing(endpointId) === 'silent' && scheduler.queued(endpointId) >= SILENT_JOBS;
  const enqueueUnlessBehind = (job: Job) => {
    const { endpointId } = job.message;
    if (parking.isBehind(endpointId) || isFull(endpointId)) leaveToRows(job);
    else enqueue(job);
  };
  const fallSilent = (endpointId: string) => {
    parkBeyond(endpointId, SILENT_JOBS);
    for (const job of scheduler.upcoming(endpointId, SILENT_JOBS)) jobs.acknowledge(job);
  };

  return {
    addMessage(message, source, due) {
      if (jobs.join(jobKey(message), source)) return;
      const standing = scheduler.standing(message.endpointId);
      const isUnproven = isUnprovenOnArrival(standing);
      switch (placeFor(message, due, standing)) {
        case 'waits':
          return delayed.addUntil(jobs.add(message, { sources: [source], isUnproven }), due);
        case 'queued':
          return enqueue(jobs.add(message, { sources: [source], isUnproven }));
        case 'left to its row':
          // Changes nothing if it is behind already.
          parking.park(message);
          parking.messageSkipped(message.endpointId);
          return onDone(source);
      }
    },
    addFromRow({ attempts, ...ids }) {
      const message = { ...ids, ordinal: attempts + 1 };
      if (jobs.find(jobKey(message)) !== undefined) return 'exists';
      if (roomToFeed(ids.workspaceId) === 0) return 'no room';
      const standing = scheduler.standing(ids.endpointId);
      enqueue(jobs.add(message, { isUnproven: isUnprovenWhenFed(standing) }));
      return 'added';
    },
    roomToFeed,
    leaveStored({ endpointId }) {
      if (!parking.isBehind(endpointId)) return false;
      parking.messageSkipped(endpointId);
      return true;
    },
    addStored(message, handedOver) {
      const { endpointId } = message;
      const standing = scheduler.standing(endpointId);
      // Rows are visible before their insert is acknowledged, so a query may have fed this one already.
      if (jobs.isKnown(jobKey(message)) || !admits(message, standing)) return null;
      const job = jobs.add(message, { handedOver, isUnproven: isUnprovenOnArrival(standing) });
      enqueue(job);
      return job;
    },
    next() {
      const job = scheduler.next();
      if (job === null) return null;
      job.state = 'loading';
      const { endpointId } = job.message;
      if (parking.isParked(endpointId)) parking.drained(endpointId, pendingOf(endpointId));
      return job;
    },
    upcoming: ({ message: { endpointId } }, count) =>
      scheduler.standing(endpointId) === 'proven' ? scheduler.upcoming(endpointId, count) : [],
    confirm(job, facts) {
      const isConfirmed = scheduler.confirm(job, facts);
      if (!isConfirmed) job.state = 'queued';
      return isConfirmed;
    },
    putBack(job) {
      scheduler.putBack(job);
      job.state = 'queued';
    },
    rest(job, forMs) {
      if (!isAssigned(job.message.endpointId)) {
        scheduler.release(job, null);
        return jobs.drop(job);
      }
      scheduler.putBackToRest(job, forMs);
      job.state = 'queued';
    },
    postBegins(job) {
      job.state = 'attempted';
      scheduler.postBegins(job);
      onPostBegins();
    },
    attempted: (ofEndpoint) =>
      [...jobs.all()].filter(({ state, message }) => state === 'attempted' && ofEndpoint(message.endpointId)),
    release(job, end) {
      scheduler.release(job, end);
      const { endpointId } = job.message;
      // One of several POSTs that time out says little: the next answer would prove the endpoint again.
      const isLast = end?.timedOut === true && scheduler.inFlight(endpointId) === 0;
      if (isLast && scheduler.standing(endpointId) === 'silent') fallSilent(endpointId);
    },
    releaseUnattempted(job) {
      scheduler.releaseUnattempted(job);
      ifStillOwned(job, () => leaveToRows(job, scheduler.cutQueue(job.message.endpointId, 0)));
    },
    wait: (job, until) => ifStillOwned(job, () => delayed.addUntil(job, until)),
    postpone: (job, forMs) => ifStillOwned(job, () => delayed.addFor(job, forMs)),
    setAside(job, forMs) {
      jobs.acknowledge(job);
      ifStillOwned(job, () => delayed.setAside(job, forMs));
    },
    requeue: (job) => ifStillOwned(job, enqueueUnlessBehind),
    acknowledge: jobs.acknowledge,
    finish: jobs.finish,
    wake() {
      while (!turn.isOver()) {
        const job = delayed.next();
        if (job === null) return;
        if (job.state === 'waiting') enqueueUnlessBehind(job);
        else enqueue(job);
      }
    },
    age() {
      for (const job of scheduler.age()) {
        jobs.acknowledge(job);
        fallSilent(job.message.endpointId);
      }
    },
    parkQueueOf(key) {
      const endpointId = jobs.find(key)?.message.endpointId;
      if (endpointId !== undefined) parkBeyond(endpointId, 0);
    },
    pendingOf,
    dueOf: (endpointId) => budget.jobsOf(endpointId) - delayed.count('waiting', endpointId),
    isQueued: (key) => jobs.find(key)?.state === 'queued',
    isOwned: ({ message }) => isAssigned(message.endpointId),
    keepOnly(assigned) {
      isAssigned = assigned;
      for (const endpointId of [...scheduler.endpoints()]) {
        if (assigned(endpointId)) continue;
        for (const job of scheduler.cutQueue(endpointId, 0)) jobs.drop(job);
      }
      parking.unpark((endpointId) => !assigned(endpointId));
      for (const job of delayed.removeWhere(({ message }) => !assigned(message.endpointId))) jobs.drop(job);
      for (const job of jobs.all()) if (!assigned(job.message.endpointId)) job.hasMoved = true;
    },
    size: jobs.size,
  };
}
