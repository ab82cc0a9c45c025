import { sleep } from '@postrider/shared/runtime/sleep';
import type { HandOver, Starts, UnstartedRows } from '../ports/hand-over.js';
import { createExtendDueTimes } from './backlog/extend-due-times.js';
import { createFeeder } from './backlog/feeder.js';
import { createReconciler } from './backlog/reconciler.js';
import type { EngineFigures } from './engine-figures.js';
import type { EngineParts } from './engine-parts.js';
import { createForwarder } from './forwarding/forwarder.js';
import { createPassOn } from './forwarding/pass-on.js';
import { type Acceptance, createAcceptance } from './intake/acceptance.js';
import { createHandOver } from './intake/hand-over.js';
import { createIntake, type Intake } from './intake/intake.js';
import { createJobs } from './jobs/create-jobs.js';
import { createQuiesce } from './quiesce.js';
import { createLoader } from './sending/loader.js';
import { createPump } from './sending/pump.js';
import { createUnstartedRows } from './sending/unstarted-rows.js';
import { createSettling } from './settling/create-settling.js';
import { createTryLater } from './settling/try-later.js';
import { createUnexpectedFailures } from './settling/unexpected-failures.js';
import { createSlotTimers } from './slot-timers.js';
import { startTimers } from './timers.js';

/** Processes deliveries: accepts messages, sends attempts fairly across endpoints, settles them, passes them on. */
export interface Engine
  extends Pick<
      Intake,
      'positions' | 'committed' | 'onMoved' | 'positionLost' | 'updatePauses' | 'isAssigned'
    >,
    Pick<Acceptance, 'accept' | 'skip'> {
  /** Takes over rows that this process has just stored, if it owns their endpoints and has room for them. */
  readonly handOver: HandOver;
  readonly unstartedRows: UnstartedRows;
  readonly starts: Starts;
  /** Sets the assigned partition indices. */
  assign(indices: readonly number[]): void;
  /** Stops sending until `resume`: another process may own the partitions by now. */
  pause(): void;
  resume(): void;
  /** Starts no more jobs and decides withheld failures at once. Resolves when no work is in progress, or after `withinMs`. */
  quiesce(withinMs: number): Promise<void>;
  /** Call before this process leaves its group, so that no other process repeats the attempts in progress here. */
  extendDueTimes(): Promise<void>;
  /** Jobs in memory. */
  size(): number;
  figures(): EngineFigures;
  close(): void;
}

/** Their attempts take the process a tenth of a second or longer, so rows that are stored now may wait for some tenths. */
const MANY_WORKSPACES = 250;
/** The rows of one chunk are not many yet. */
const MANY_ENDPOINTS = 500;

/** Wires the parts of the engine. */
export function createEngine(parts: EngineParts): Engine {
  const { store, backlog, clock, monotonicMs, turnLimit, retryStepMs, limits, log } = parts;
  const clockMs = () => clock.now().getTime();
  const later = (task: () => void, ms: number) => void setTimeout(task, ms).unref();
  const kick = () => pump.kick();
  const intake = createIntake(limits);
  const isAssigned = (endpointId: string) => intake.isAssigned(parts.partitionOf(endpointId));
  const ownedUntil = (endpointId: string) => (isAssigned(endpointId) ? parts.ownedUntil() : null);

  const { workload, scheduler, budget, delayed, parking } = createJobs({
    limits,
    clockMs,
    monotonicMs,
    busy: parts.busy,
    turn: turnLimit(),
    onDone: intake.done,
    onPostBegins: () => slotTimers.postBegins(),
    onPaced: () => slotTimers.paced(),
    onWaiting: () => timers.arm(),
  });
  const tryLater = createTryLater({ workload, store, clock });
  const failures = createUnexpectedFailures({ tryLater, monotonicMs, log });
  const { passOn, passing } = createPassOn({
    workload,
    forwarder: createForwarder({ ...parts, ...limits, sleep }),
    putOff: failures.putOff,
    clock,
  });
  const { settler, latestStreaks } = createSettling({
    ...parts,
    workload,
    tryLater,
    ownedUntil,
    sleep,
    later,
    onSettled(results) {
      parts.onSettled(results);
      pump.kick();
      const decided = results.map(({ job, result }) => ({ job, situation: result.after, step: result.next }));
      void passOn(decided).then(pump.kick);
    },
    onPoisoned() {
      parts.onPoisoned();
      pump.kick();
    },
  });
  const unstartedRows = createUnstartedRows(monotonicMs);
  const loader = createLoader({
    store,
    upcoming: workload.upcoming,
    latestStreaks,
    unstartedRows,
    monotonicMs,
    turn: turnLimit(),
  });
  const pump = createPump({
    ...parts,
    ...limits,
    turn: turnLimit(),
    turnOfRead: turnLimit(),
    workload,
    loader,
    settler,
    passOn,
    failures,
  });
  const handOver = createHandOver({
    workload,
    scheduler,
    loader,
    isOwned: (endpointId) => ownedUntil(endpointId) !== null,
    mayStart: pump.mayStart,
    onAdded: kick,
  });
  const mayStart = () => pump.mayStart() && pump.running() < parts.guard.allowance();
  parts.guard.onAllowed(kick);
  const slotTimers = createSlotTimers({ scheduler, age: workload.age, monotonicMs, kick });
  const feeder = createFeeder({
    workload,
    scheduler,
    budget,
    parking,
    backlog,
    clock,
    monotonicMs,
    isAssigned,
    onFed: kick,
    later,
    log,
  });
  const reconciler = createReconciler({ parking, backlog, clock, isAssigned, onParked: feeder.feed, log });
  const timers = startTimers({
    workload,
    delayed,
    offsets: intake,
    feeder,
    reconciler,
    isFeeding: () => parking.size() > 0,
    monotonicMs,
    kick,
    log,
  });

  const extendDueTimes = createExtendDueTimes({ ...parts, workload });
  const acceptance = createAcceptance({
    intake,
    workload,
    store,
    isAssigned,
    retryStepMs,
    clockMs,
    turn: turnLimit(),
    kick,
    later,
    log,
  });

  return {
    positions: intake.positions,
    committed: intake.committed,
    onMoved: intake.onMoved,
    positionLost: intake.positionLost,
    updatePauses: intake.updatePauses,
    isAssigned: intake.isAssigned,
    accept: acceptance.accept,
    handOver,
    unstartedRows,
    starts: {
      areBehind: () => mayStart() && scheduler.awaitingStart() >= MANY_WORKSPACES,
      areBehindFor: (workspaceId) => mayStart() && scheduler.awaitingStartOf(workspaceId) > MANY_ENDPOINTS,
      count: pump.started,
    },
    skip: acceptance.skip,
    assign(indices) {
      intake.assign(indices);
      acceptance.assigned();
      loader.forget();
      void extendDueTimes((endpointId) => !isAssigned(endpointId));
      workload.keepOnly(isAssigned);
      // The next owner repeats every attempt that is not recorded.
      parts.guard.decideNow((endpointId) => !isAssigned(endpointId));
      timers.assigned();
    },
    pause() {
      pump.pause();
      loader.forget();
    },
    resume: pump.resume,
    quiesce: createQuiesce({ pump, feeder, settler, passing, guard: parts.guard, monotonicMs, sleep }),
    extendDueTimes: () => extendDueTimes(() => true),
    size: workload.size,
    figures: () => ({
      ...scheduler.figures(),
      jobs: workload.size(),
      jobsFree: budget.free(),
      waiting: delayed.size(),
      unsettled: settler.unsettled(),
      parked: parking.size(),
      ...intake.figures(),
    }),
    close() {
      timers.stop();
      slotTimers.stop();
    },
  };
}
