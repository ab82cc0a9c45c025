import { setTimeout as sleep } from 'node:timers/promises';
import { nameServer } from '@postrider/shared/testing/name-server';
import type { Step } from '../fault.js';
import { readMetric } from '../world/metrics.js';
import type { World } from '../world/world.js';
import { atLeast, paths } from './frequent.js';
import { type OtherWorkspace, openOtherWorkspaces } from './other-workspaces.js';

export const NAME_SERVER_PORT = 25_356;
/** Longer than the deadline of a lookup, so that each one fails. */
export const STALL_MS = 2_000;
/** Longer than the keep-alive of connections and the time to live of failures, so that nearly every POST needs a lookup. */
const EVENT_EVERY_MS = 6_000;

/** Each endpoint has a name of its own. */
export const NAMED: OtherWorkspace = {
  slug: 'named',
  paths: paths('/named', 40),
  eventEveryMs: EVENT_EVERY_MS,
};
const STALE = { service: 'dispatcher', name: 'postrider_look_ups_total', label: 'result="stale"' } as const;
const MIN_STALE = 100;
/** A POST waits 200 ms for new addresses before it uses old ones; a lookup that stalls would take 1.5 s. */
const MAX_LATENCY_MS = 1_000;
const FRACTION = 0.95;

/** When the name server of a run began to stall, and the runs in which it does. */
const stalledSince = new WeakMap<World, number>();
const stalled = new WeakSet<World>();

export const stallNames: Step = (world) => {
  stalledSince.set(world, Date.now());
  stalled.add(world);
};
export const answerNames: Step = (world) => void stalled.delete(world);

/** Starts a name server, which ends with this process, and adds endpoints with names. */
export const startNames: Step = async (world) => {
  await nameServer(async () => {
    if (stalled.has(world)) await sleep(STALL_MS);
    return { addresses: ['127.0.0.1'], ttlSeconds: 1 };
  }, NAME_SERVER_PORT);
  await openOtherWorkspaces(
    [NAMED],
    ({ receiver }, path) => `http://${path.slice(1)}.faults.example:${new URL(receiver.otherUrl).port}`,
  )(world);
};

/** @throws Error if an attempt at an endpoint with a name failed */
export const nothingFailed: Step = async ({ db, endpoints }) => {
  const ids = endpoints.filter(({ workspace }) => workspace === NAMED.slug).map(({ id }) => id);
  const failed = { endpointId: { $in: ids }, 'records.status': 'failed' };
  const count = await db.collection('deliveries').countDocuments(failed);
  if (count > 0) throw new Error(`${count} deliveries have a failed attempt`);
};

/** @throws Error unless POSTs used old addresses */
export const expectStale: Step = async (world) => {
  const stale = await readMetric(world.services, STALE);
  world.log(`${stale} POSTs used old addresses`);
  atLeast(MIN_STALE, stale, 'POSTs used old addresses');
};

/** @throws Error unless deliveries to names arrived soon although the name server stalled */
export const expectPrompt: Step = (world) => {
  const { otherEvents, receiver, log } = world;
  const since = stalledSince.get(world) ?? 0;
  const events = otherEvents.filter(({ workspace, sentAt }) => workspace === NAMED.slug && sentAt > since);
  const answeredAt = new Map(events.map((event) => [event.tokenId, event.answeredAt]));
  const latencies = receiver.received.flatMap(({ path, at, content }) => {
    const created = answeredAt.get(String(content?.tokenId));
    return created === undefined || !NAMED.paths.includes(path) ? [] : [at - created];
  });
  atLeast(NAMED.paths.length, latencies.length, 'POSTs to names');
  const latency = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * FRACTION)] ?? 0;
  log(`${FRACTION * 100} % of ${latencies.length} POSTs to names arrived within ${latency} ms`);
  if (latency > MAX_LATENCY_MS) throw new Error(`POSTs to names arrived after ${latency} ms`);
};
