import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { aDelivery, anEndpoint } from '@postrider/shared/testing/builders';
import { endpointTargetOf } from '@postrider/shared/testing/endpoint-parts';
import type { Decided } from '../../../src/engine/forwarding/pass-on.js';
import type { Job } from '../../../src/engine/jobs/job.js';
import type { RowFacts } from '../../../src/engine/scheduler/endpoint-scheduler.js';
import type { PostEnd } from '../../../src/engine/scheduler/standing.js';
import { createLoader } from '../../../src/engine/sending/loader.js';
import { createPump } from '../../../src/engine/sending/pump.js';
import type { SendAttempt } from '../../../src/engine/sending/send-attempt.js';
import { createUnstartedRows } from '../../../src/engine/sending/unstarted-rows.js';
import type { PendingObservation } from '../../../src/engine/settling/pending-observation.js';
import { createUnexpectedFailures } from '../../../src/engine/settling/unexpected-failures.js';
import { NO_GUARD } from '../../../src/ports/guard.js';
import { aClock, aJob, aLog, aSentAttempt, settleDown, turnLimitsBy } from '../builders.js';

/** A pump over a queue of jobs and a database that returns `row` and `endpoint` for every id. */
export function aPump({ batchSize = 25, maxUnsettled = 100, guard = NO_GUARD } = {}) {
  const log = aLog();
  const clock = aClock();
  const turnLimits = turnLimitsBy(() => clock.now().getTime());
  const world = {
    queue: [] as Job[],
    /** The number of calls of `next`. */
    asked: 0,
    row: aDelivery() as Delivery | null,
    /** The ids of deliveries whose rows have no payload. */
    damaged: new Set<string>(),
    endpoint: anEndpoint() as Endpoint | null,
    reads: [] as { deliveryIds: readonly string[]; endpointIds: readonly string[] }[],
    reading: (): Promise<void> => Promise.resolve(),
    attempted: [] as string[],
    attempting: (): ReturnType<SendAttempt> => Promise.resolve(aSentAttempt()),
    released: [] as { key: string; end: PostEnd | null }[],
    postponed: [] as { key: string; forMs: number }[],
    resting: [] as { key: string; forMs: number }[],
    entries: [] as PendingObservation[],
    unsettled: 0,
    passedOn: [] as Decided[],
    /** The keys of jobs that must not start now. */
    refused: new Set<string>(),
    facts: [] as RowFacts[],
    begun: [] as string[],
    requeued: [] as Job[],
    /** The ids of rows for which there is no room in a read. */
    unread: new Set<string>(),
    putBack: [] as string[],
    unattempted: [] as string[],
    /** The keys of jobs that are tried later. */
    putOff: [] as string[],
    isOwned: true,
    isCutOff: false,
  };
  const every = <Id, T>(ids: readonly Id[], value: T | null) =>
    new Map(value === null ? [] : ids.map((id) => [id, value]));
  const loader = createLoader({
    store: {
      async read(ids) {
        world.reads.push(ids);
        await world.reading();
        const unread = new Set(ids.deliveryIds.filter((id) => world.unread.has(id)));
        const rows = every(
          ids.deliveryIds.filter((id) => !unread.has(id)),
          world.row,
        );
        for (const [id, row] of rows)
          if (world.damaged.has(id)) rows.set(id, { ...row, payload: undefined as never });
        return {
          deliveries: rows,
          unread,
          endpoints: every(ids.endpointIds, world.endpoint && endpointTargetOf(world.endpoint)),
        };
      },
    },
    upcoming: () => [],
    latestStreaks: { latest: (endpoint) => endpoint },
    unstartedRows: createUnstartedRows(() => clock.now().getTime()),
    monotonicMs: () => clock.now().getTime(),
    turn: turnLimits(),
  });
  const pump = createPump({
    loader,
    workload: {
      next() {
        world.asked += 1;
        return world.queue.shift() ?? null;
      },
      confirm: ({ key }, facts) => {
        world.facts.push(facts);
        return !world.refused.has(key);
      },
      putBack(job) {
        world.putBack.push(job.key);
        if (!world.unread.has(job.message.deliveryId)) world.queue.unshift(job);
      },
      rest: ({ key }, forMs) => world.resting.push({ key, forMs }),
      postBegins: ({ key }) => world.begun.push(key),
      isOwned: () => world.isOwned,
      requeue: (job) => world.requeued.push(job),
      releaseUnattempted: ({ key }) => world.unattempted.push(key),
      release: ({ key }, end) => world.released.push({ key, end }),
      postpone: ({ key }, forMs) => world.postponed.push({ key, forMs }),
    },
    guard,
    sendAttempt: (job) => {
      world.attempted.push(job.key);
      return world.attempting();
    },
    settler: {
      add: (entry) => world.entries.push(entry),
      unsettled: () => world.unsettled,
    },
    passOn: async (decided) => {
      world.passedOn.push(...decided);
    },
    failures: createUnexpectedFailures({
      tryLater: async ({ key }) => void world.putOff.push(key),
      monotonicMs: () => clock.now().getTime(),
      log,
    }),
    clock,
    monotonicMs: () => clock.now().getTime(),
    turn: turnLimits(),
    turnOfRead: turnLimits(),
    isCutOff: () => world.isCutOff,
    batchSize,
    maxUnsettled,
    log,
  });
  return Object.assign(world, { pump, loader, clock, log });
}

/** Runs one job with this ordinal through the pump. */
export async function pumpOne(world: ReturnType<typeof aPump>, ordinal = 1): Promise<Job> {
  const job = aJob({ ordinal });
  world.queue.push(job);
  world.pump.kick();
  await settleDown(4);
  return job;
}
