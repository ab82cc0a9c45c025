import type { Observation } from '@postrider/shared/domain/settle';
import { settleAll } from '@postrider/shared/domain/settle-all';
import { aDelivery, anAttemptObservation, anEndpoint } from '@postrider/shared/testing/builders';
import type { SettleBatch } from '../../../src/engine/settling/settle-batch.js';
import { createSettler } from '../../../src/engine/settling/settler.js';
import { aJob, aLog } from '../builders.js';

/** In different lanes if there are two. */
export const EVEN = 'whe_even_00';
export const ODD = 'whe_odd_01';

export const AWAY = new Error('no server');

export function entries(count: number, endpointId = EVEN, prefix = endpointId) {
  return Array.from({ length: count }, (_, index) => {
    const ids = { deliveryId: `${prefix} ${index}`, endpointId };
    const observation = anAttemptObservation(ids);
    const endpoint = anEndpoint({ id: observation.endpointId });
    return { job: aJob(ids), observation, known: { delivery: rowOf(observation), endpoint }, eventId: null };
  });
}

/** A settler over a store that has every row; `breaks` returns whether a transaction fails. */
export function aSettler({ lanes = 1, maxBatch = 100 } = {}) {
  const log = aLog();
  const paced: number[] = [];
  const pauses: number[] = [];
  const world = {
    /** The deliveries of each started and of each committed transaction. */
    begun: [] as string[][],
    stored: [] as string[][],
    settled: [] as { key: string; isStored: boolean; status: string | undefined }[][],
    poisoned: [] as string[],
    rejected: new Set<string>(),
    breaks: (_batch: readonly Observation[]): boolean => false,
    breaksWith: (): Error => new Error('cannot be stored'),
    /** The endpoints whose entries need a transaction. */
    failing: new Set<string>(),
    /** Resolves when a transaction may continue. */
    gate: (): Promise<void> => Promise.resolve(),
    /** Resolves when a lane may start its next commit. */
    room: (_everyMs: number): Promise<void> => Promise.resolve(),
    running: 0,
    mostRunning: 0,
  };
  const settle: SettleBatch = async (batch) => {
    const observations = batch.map(({ observation }) => observation);
    const ids = observations.map(({ deliveryId }) => deliveryId);
    world.begun.push(ids);
    world.running += 1;
    world.mostRunning = Math.max(world.mostRunning, world.running);
    await world.gate();
    world.running -= 1;
    if (world.breaks(observations)) throw world.breaksWith();
    world.stored.push(ids);
    const stored = {
      deliveries: new Map(observations.map((one) => [one.deliveryId, rowOf(one)])),
      endpoints: new Map(observations.map(({ endpointId: id }) => [id, anEndpoint({ id })])),
    };
    return settleAll(stored, observations, 30_000).results;
  };
  const settler = createSettler({
    settle,
    maxBatch,
    lanes,
    isAlone: ({ observation }) => !world.failing.has(observation.endpointId),
    isDatabaseAway: (error) => error === AWAY,
    onSettled(pairs) {
      world.settled.push(
        pairs.map(({ job, result }) => {
          return { key: job.key, isStored: result.isStored, status: result.after.delivery?.status };
        }),
      );
    },
    onPoisoned: ({ job }) => world.poisoned.push(job.message.deliveryId),
    onRejected(all) {
      for (const { job } of all) world.rejected.add(job.message.deliveryId);
    },
    sleep: (ms) => {
      pauses.push(ms);
      return nextTurn();
    },
    createPacer: (everyMs) => async () => {
      paced.push(everyMs);
      await world.room(everyMs);
    },
    log,
  });
  const addAll = (all: ReturnType<typeof entries>) => {
    for (const entry of all) settler.add(entry);
  };
  return Object.assign(world, { settler, addAll, pauses, paced, log });
}

const rowOf = ({ deliveryId: id, endpointId }: Observation) => aDelivery({ id, endpointId });
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
export const sizes = (batches: readonly unknown[][]) => batches.map(({ length }) => length);
export const isAbout = (deliveryId: string) => (batch: readonly Observation[]) =>
  batch.some((one) => one.deliveryId === deliveryId);

/** The first `count` transactions fail. */
export function outage(count: number) {
  let left = count;
  return () => {
    left -= 1;
    return left >= 0;
  };
}
