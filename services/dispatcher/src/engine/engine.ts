import { backoffMs } from '@postrider/shared/domain/retry-policy';
import type { Backlog } from '@postrider/shared/ports/backlog';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { Enqueue, QueueMessage } from '@postrider/shared/ports/queue';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { RETRY_TOPICS } from '@postrider/shared/ports/topics';
import { createDelayHeap } from './delay-heap.js';
import { createEndpointScheduler, type SchedulerLimits } from './endpoint-scheduler.js';
import { createFeeder } from './feeder.js';
import { createForwarder } from './forwarder.js';
import { createIntake, type Intake, type IntakeFigures, type IntakeLimits } from './intake.js';
import { type Job, jobKey, type Source } from './job.js';
import { createParkingLot } from './parking.js';
import { createPassOn } from './pass-on.js';
import { createPump } from './pump.js';
import type { SendAttempt } from './send-attempt.js';
import { createSettler } from './settler.js';
import { startTimers } from './timers.js';
import { createWorkload } from './workload.js';

/** A message as it was read. */
export interface ReceivedMessage extends Source {
  readonly message: QueueMessage;
  /** When the broker appended it, in milliseconds. */
  readonly appendedAt: number;
}

/** Makes deliveries: takes messages in, sends fairly, settles in groups, passes on. */
export interface Engine extends Pick<Intake, 'positions' | 'committed' | 'paused' | 'isAssigned'> {
  /** Takes a message in and returns at once. */
  accept(taken: ReceivedMessage): void;
  /** Takes an offset in whose message is of no use. It is done when `putAside` resolves, never if that rejects. */
  skip(source: Source, putAside: Promise<void>): void;
  /** The partition indices that are ours from now on. */
  assign(indices: readonly number[]): void;
  /** Sends nothing new until it may go on: what is paused may be another process's by now. */
  pause(): void;
  resume(): void;
  /** Starts nothing new. Resolves when nothing is unfinished, or when `withinMs` have passed. */
  quiesce(withinMs: number): Promise<void>;
  /** Jobs in memory. */
  size(): number;
  /** Where the work stands, for whoever watches. */
  figures(): EngineFigures;
  close(): void;
}

export interface EngineFigures {
  readonly inFlight: number;
  readonly jobs: number;
  readonly waiting: number;
  readonly unsettled: number;
  readonly parked: number;
  /** Partition indices that are ours. */
  readonly assigned: number;
  readonly topics: readonly IntakeFigures[];
}

export interface EngineLimits extends SchedulerLimits, IntakeLimits {
  readonly batchSize: number;
  readonly maxUnsettled: number;
  readonly settleBatch: number;
  readonly settleLanes: number;
  readonly parkAt: number;
}

export interface EngineParts {
  readonly store: SettlementStore;
  readonly backlog: Backlog;
  readonly sendAttempt: SendAttempt;
  readonly enqueue: Enqueue;
  readonly clock: Clock;
  /** The partition that an endpoint's messages are in. */
  readonly partitionOf: (endpointId: string) => number;
  readonly stepMs: number;
  /** Told of each attempt that cannot be recorded although others can. */
  readonly onPoisoned: () => void;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly limits: EngineLimits;
  readonly log: Log;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Wires the parts of the engine. Each of them is tested by itself; here stands only who tells whom. */
export function createEngine(parts: EngineParts): Engine {
  const { store, backlog, enqueue, clock, stepMs, limits, log } = parts;
  const now = () => clock.now().getTime();
  const offsets = createIntake(limits);
  const scheduler = createEndpointScheduler<Job>(limits);
  const heap = createDelayHeap<Job>();
  const parking = createParkingLot();
  const isOurs = (endpointId: string) => offsets.isAssigned(parts.partitionOf(endpointId));
  const work = createWorkload({ scheduler, heap, parking, parkAt: limits.parkAt, now, onDone: offsets.done });
  const sendOn = createPassOn({
    workload: work,
    forwarder: createForwarder({ enqueue, store, pause, log }),
    clock,
  });
  const settling = createSettler({
    store,
    stepMs,
    maxBatch: limits.settleBatch,
    lanes: limits.settleLanes,
    isDatabaseAway: parts.isDatabaseAway,
    pause,
    now,
    log,
    async onSettled(results) {
      await sendOn(
        results.map(({ job, result }) => {
          return { job, situation: result.after, step: result.next };
        }),
      );
      pumping.kick();
    },
    onPoisoned({ job }, err) {
      log.error(
        { event: 'settle.poisoned', deliveryId: job.message.deliveryId, traceId: job.message.traceId, err },
        'an attempt cannot be recorded',
      );
      parts.onPoisoned();
      work.finish(job);
    },
  });
  const pumping = createPump({ ...parts, ...limits, workload: work, settler: settling, passOn: sendOn });
  const kick = () => pumping.kick();
  const later = (task: () => void, ms: number) => void setTimeout(task, ms).unref();
  const feeding = createFeeder({
    workload: work,
    scheduler,
    parking,
    backlog,
    clock,
    isOurs,
    onFed: kick,
    later,
    log,
  });
  const timers = startTimers({ workload: work, heap, offsets, feeder: feeding, now, kick, log });

  return {
    positions: offsets.positions,
    committed: offsets.committed,
    paused: offsets.paused,
    isAssigned: offsets.isAssigned,
    accept({ message, appendedAt, ...source }) {
      if (!isFresh(offsets.classify(source), source, log)) return;
      const tier = RETRY_TOPICS.indexOf(source.topic) + 1;
      const due = tier === 0 ? 0 : appendedAt + backoffMs(tier, stepMs);
      offsets.track(source, jobKey(message));
      work.addMessage(message, source, due);
      kick();
    },
    skip(source, putAside) {
      if (!isFresh(offsets.classify(source), source, log)) return;
      offsets.track(source, '');
      putAside.then(
        () => offsets.done(source),
        () => {},
      );
    },
    assign(indices) {
      offsets.assign(indices);
      work.keepOnly(isOurs);
      timers.assigned();
    },
    pause: pumping.pause,
    resume: pumping.resume,
    async quiesce(withinMs) {
      pumping.stop();
      const until = performance.now() + withinMs;
      while (pumping.running() + settling.unsettled() > 0 && performance.now() < until) await pause(20);
    },
    size: work.size,
    figures: () => ({
      inFlight: scheduler.inFlight(),
      jobs: work.size(),
      waiting: heap.size(),
      unsettled: settling.unsettled(),
      parked: parking.size(),
      ...offsets.figures(),
    }),
    close: timers.stop,
  };
}

function isFresh(seen: ReturnType<Intake['classify']>, source: Source, log: Log): boolean {
  if (seen === 'reset')
    log.warn({ event: 'partition.reset', ...source }, 'a partition began anew below its committed offset');
  return seen === 'new' || seen === 'reset';
}
