import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '#dev/processes/poll';
import type { Step } from '../fault.js';
import { overdue } from '../world/overdue.js';
import { customerIds, isCustomer, networkOf } from './customer-network.js';
import { BEGINNING_MS, loggedLines } from './frequent.js';

const RESUMES_WITHIN_MS = 5_000;
const SENT_WITHIN_MS = 60_000;

export const begins: Step = (world) => {
  networkOf(world).beganAt = Date.now();
};
export const ends: Step = (world) => {
  networkOf(world).endedAt = Date.now();
};
/** @throws Error unless a customer's endpoint gets a POST within 5 s from the end of the outage */
export const resumesSoon: Step = async (world) => {
  const { endedAt } = networkOf(world);
  const hasArrived = () =>
    world.receiver.received.findLast(({ path, at }) => isCustomer(path) && at >= endedAt) !== undefined;
  while (!hasArrived() && Date.now() - endedAt < RESUMES_WITHIN_MS) await sleep(50);
  world.log(`sending resumed ${Date.now() - endedAt} ms after the outage`);
  if (!hasArrived()) throw new Error(`sending did not resume within ${RESUMES_WITHIN_MS / 1_000} s`);
};

/** Waits until the customers' backlog of an outage is sent: a POST that times out under that load is no failure of the next one. */
export const untilBacklogIsSent: Step = async ({ db, endpoints }) => {
  const endpointId = { $in: customerIds(endpoints) };
  const isSent = async () =>
    (await db.collection('deliveries').findOne({ endpointId, ...overdue() })) === null;
  await poll(async () => (await isSent()) || undefined, {
    everyMs: 200,
    timeoutMs: SENT_WITHIN_MS,
    what: 'the end of the backlog of an outage',
  });
};

/** @throws Error if an endpoint was disabled, or an attempt of the outage was counted */
export const countsNothing: Step = async (world) => {
  const { beganAt, endedAt } = networkOf(world);
  const ids = customerIds(world.endpoints);
  const disabled = await world.db
    .collection<{ _id: string }>('endpoints')
    .countDocuments({ _id: { $in: ids }, enabled: false });
  const during = { $gte: new Date(beganAt + BEGINNING_MS), $lt: new Date(endedAt) };
  const counted = await world.db.collection('deliveries').countDocuments({
    endpointId: { $in: ids },
    records: { $elemMatch: { attemptedAt: during, status: 'failed' } },
  });
  if (disabled + counted > 0)
    throw new Error(
      `${disabled} endpoints were disabled, ${counted} deliveries have a failure of the outage`,
    );
};

/** @throws Error if the guard held sending, or the failures of the host were not counted */
export const guardIsSilent: Step = async (world) => {
  if (loggedLines(world).some((line) => line.includes('outage_guard.holding')))
    throw new Error('the outage guard held sending because of one host');
  const ids = world.endpoints.filter(({ path }) => path.startsWith('/app')).map(({ id }) => id);
  const disabled = await world.db
    .collection<{ _id: string }>('endpoints')
    .countDocuments({ _id: { $in: ids }, enabled: false });
  world.log(`${disabled} endpoints of the host were disabled`);
  if (disabled === 0) throw new Error('no endpoint of the host was disabled');
};
