import type { Log } from '@postrider/shared/ports/log';
import { DEAD_LETTER_TOPIC } from '@postrider/shared/ports/topics';
import { createPacer, type PacedWhen } from '@postrider/shared/runtime/pacer';
import { sleep } from '@postrider/shared/runtime/sleep';
import { collect } from '@postrider/shared/testing/collect';
import { fixedFeatureLevel } from '@postrider/shared/testing/fixed-feature-level';
import type { InMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import { createEngine } from '../../../src/engine/engine.js';
import type { EngineLimits } from '../../../src/engine/engine-parts.js';
import { NO_GUARD } from '../../../src/ports/guard.js';
import { turnLimitsBy } from '../builders.js';
import type { PartitionLog, SimulatedBroker } from './broker.js';
import { type BrokenThings, connection, isBroken } from './faults.js';
import type { Receiver } from './receiver.js';

export interface ProcessParts {
  readonly store: InMemoryStores;
  readonly broker: SimulatedBroker;
  readonly broken: BrokenThings;
  readonly receiver: Receiver;
  readonly partitionOf: (endpointId: string) => number;
  readonly now: () => Date;
  readonly limits: EngineLimits;
  readonly retryStepMs: number;
  /** Whether rows with a lost message are recovered. */
  readonly healing: boolean;
  readonly log: Log;
}

/** Paces as in a process without any room. */
const busyPacer = (now: () => Date) => (everyMs: number, when: PacedWhen) =>
  createPacer(everyMs, when, {
    busy: () => 1,
    monotonicMs: () => now().getTime(),
    sleep,
  });

/** A dispatcher: an engine and its consumer. */
export function startProcess(parts: ProcessParts) {
  const { store, broker, receiver, now, limits, retryStepMs, log } = parts;
  const state = { alive: true, owned: [] as readonly number[] };
  const positions = new Map<PartitionLog, number>();
  const reach = connection(parts.broken, () => state.alive);
  const engine = createEngine({
    store: {
      read: reach('read', store.settlements.read),
      deliveredOf: reach('read', store.settlements.deliveredOf),
      settle: reach('settle', store.settlements.settle),
      record: reach('record', store.settlements.record),
      moveDueTimes: reach('moveDueTimes', store.settlements.moveDueTimes),
      extendDueTimes: reach('moveDueTimes', store.settlements.extendDueTimes),
    },
    backlog: {
      due: reach('backlog', store.backlog.due),
      async *overdueEndpoints(before, after) {
        yield* await reach('backlog', async () =>
          parts.healing ? collect(store.backlog.overdueEndpoints(before, after)) : [],
        )();
      },
      workspacesOf: reach('backlog', store.backlog.workspacesOf),
    },
    sendAttempt: receiver.attempts(now),
    enqueue: reach('enqueue', async (queued) => queued.forEach(broker.append)),
    guard: NO_GUARD,
    clock: { now },
    monotonicMs: () => now().getTime(),
    busy: () => 1,
    turnLimit: turnLimitsBy(() => now().getTime()),
    partitionOf: parts.partitionOf,
    retryStepMs,
    attemptLimitMs: 15_000,
    featureLevel: fixedFeatureLevel(),
    ownedUntil: now,
    isCutOff: () => false,
    isDatabaseAway: isBroken,
    onSettled: () => {},
    onPoisoned: () => {},
    createPacer: busyPacer(now),
    limits,
    log,
  });
  const ownLogs = () =>
    broker.logs.filter(
      ({ topic, partition }) => topic !== DEAD_LETTER_TOPIC && state.owned.includes(partition),
    );

  return {
    size: engine.size,
    figures: engine.figures,
    handOver: engine.handOver,
    /** Restarts fetching at the committed offsets, as after a rebalance. */
    assign(indices: readonly number[]) {
      state.owned = indices;
      engine.assign(indices);
      positions.clear();
    },
    owns: (partition: number) => state.owned.includes(partition),
    fetch() {
      const paused = engine.updatePauses();
      for (const log of ownLogs()) {
        const { topic, partition, entries, end } = log;
        if (paused.some((one) => one.topic === topic && one.partition === partition)) continue;
        // An offset that is out of range resets to the beginning.
        const from = positions.get(log) ?? (log.committed > end ? 0 : log.committed);
        for (const entry of entries.filter(({ offset }) => offset >= from))
          engine.accept({ topic, partition, ...entry });
        positions.set(log, end);
      }
    },
    commit() {
      const moved = engine.positions();
      for (const { topic, partition, offset } of moved) {
        const log = ownLogs().find((one) => one.topic === topic && one.partition === partition)!;
        const wentBack = offset < log.committed;
        if (wentBack && !log.begunAnew) throw new Error(`${topic}/${partition} went back to ${offset}`);
        Object.assign(log, { committed: offset, begunAnew: log.begunAnew && !wentBack });
      }
      engine.committed(moved);
    },
    kill() {
      state.alive = false;
      state.owned = [];
      engine.close();
    },
  };
}

export type SimulatedProcess = ReturnType<typeof startProcess>;
