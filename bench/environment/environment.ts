import { randomInt } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DeliveryDocument } from '@postrider/shared/mongo/collections';
import { toDocument } from '@postrider/shared/mongo/documents';
import type { Filter } from 'mongodb';
import { chooseFreePorts } from '#dev/processes/free-ports';
import {
  type ApiCall,
  type ApiEvent,
  type DeliveryRecord,
  deliveriesOfApiEvents,
  deliveriesOfCalls,
  deliveriesOfEvents,
  deliveriesOfRows,
  type Records,
  recordArrivals,
  recordStored,
} from '../account/delivery-records.js';
import { atLoad, type Plan, type Published } from '../generator/plan.js';
import { machineTimeOf } from '../measure/clock.js';
import { readJoinedAt } from '../processes/service-log.js';
import { readArrivals } from '../receiver/arrivals.js';
import { loopbackAddresses } from '../receiver/hook-path.js';
import type { Context } from '../scenario.js';
import { untilDrained } from './drain.js';
import type { Namespace } from './namespace.js';
import { createPopulation, expectedCounts, type Group, type Population, TLS_ADDRESS } from './population.js';
import type { Processes } from './processes.js';

/** The usual size of a body. */
export const KIB = 1_024;

/** The requirements of a measurement. */
export interface Setup {
  readonly label: string;
  readonly groups: readonly Group[];
  /** Endpoints that receive each event of their workspace; 1 by default. */
  readonly perWorkspace?: number;
  /** Dispatchers that are started first; 1 by default. */
  readonly dispatchers?: number;
  /** Configuration of the services that differs from the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Size of the body of each POST; 1 KiB by default. */
  readonly bodyBytes?: number;
  /** Counts the requests of the services to the broker, for `kafkaRequests`. */
  readonly countRequests?: boolean;
  /** Measures how long the event loops of the services are blocked, for `longestBlock`. */
  readonly measureBlocks?: boolean;
  /** Permits repeated POSTs, for measurements that stop a dispatcher. */
  readonly resends?: 'allowed';
}

/** Everything that runs during one measurement. Every method rejects once a process has died or the run is aborted. */
export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** Creates the endpoints of a measurement, connects the generator and starts the dispatchers. */
export async function startEnvironment({ progress, options }: Context, setup: Setup, processes: Processes) {
  const { namespace, signal } = processes;
  signal.throwIfAborted();
  const [receiver, generator] = [processes.receiver.calls, processes.generator.calls];
  const { collections } = namespace.database;
  const population = await storePopulation(setup, processes);
  const { workspaces, endpoints, perWorkspace } = population;
  const seed = randomInt(2 ** 32);
  const { bodyBytes = KIB } = setup;
  await generator.connect({ env: namespace.env, workspaces, perWorkspace, seed, bodyBytes });
  const calls: ApiCall[] = [];
  const stored = new Map<string, DeliveryRecord>();
  const published = new Map<string, DeliveryRecord>();
  const postsOf = (groups: readonly Group[]) =>
    groups.reduce((sum, { name }) => sum + (processes.posts[name] ?? 0), 0);
  const sleep = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal });
  for (let started = 0; started < (setup.dispatchers ?? 1); started += 1) await processes.start('dispatcher');

  return {
    ...processes,
    /** POSTs received so far. */
    posts: () => postsOf(setup.groups),
    population,
    publish: (plan: Plan): Promise<Published> => generator.run(atLoad(plan, options.load)),
    /** Includes the deliveries that these calls must cause in the account. */
    expectCalls: (accepted: readonly ApiCall[]) => void calls.push(...accepted),
    /** Includes the deliveries of events that the api accepted. @returns their ids */
    expectEvents(accepted: readonly ApiEvent[]): ReadonlySet<string> {
      const expected = deliveriesOfApiEvents(accepted);
      for (const [id, record] of expected) published.set(id, record);
      return new Set(expected.keys());
    },
    /** Includes stored rows that no published event caused in the account. @returns their number */
    async expectStored(rows: Filter<DeliveryDocument>, group: string): Promise<number> {
      const expected = await deliveriesOfRows(collections, rows, group);
      for (const [id, record] of expected) stored.set(id, record);
      return expected.size;
    },
    /**
     * Waits until every expected POST has arrived and is settled.
     *
     * @returns when that was, in machine time; null if there was no progress for too long
     */
    async drained(): Promise<number | null> {
      const { rows, posts } = expectedCounts(population, await generator.eventsPerWorkspace());
      const groups = setup.groups.filter(({ expected }) => expected !== null);
      return untilDrained({
        posts: () => ({ expected: posts + calls.length + published.size, received: postsOf(groups) }),
        isSettled: () => isSettled(namespace, population, rows + calls.length + published.size),
        sleep,
        progress,
      });
    },
    /** When the first dispatcher joined its group, in machine time. */
    async joinedAt(): Promise<number> {
      const logFile = processes.logs.find((file) => basename(file).startsWith('dispatcher'));
      const at = logFile === undefined ? null : await readJoinedAt(logFile);
      if (at === null) throw new Error('no dispatcher has logged that it joined its group');
      return machineTimeOf(at);
    },
    sleep,
    /** Collects the received POSTs and the stored rows. All services must have stopped. */
    async collect(): Promise<{ readonly records: Records; readonly unexpected: number }> {
      const records = new Map([
        ...deliveriesOfEvents(await generator.events(), endpoints, seed),
        ...(await deliveriesOfCalls(calls, collections)),
        ...published,
        ...stored,
      ]);
      const unexpectedPosts = recordArrivals(records, readArrivals(await receiver.arrivals()));
      return { records, unexpected: unexpectedPosts + (await recordStored(records, collections)) };
    },
  };
}

async function storePopulation(
  { groups, perWorkspace = 1 }: Setup,
  { namespace: { database, sealing }, receiver }: Processes,
): Promise<Population> {
  const endpoints = groups.reduce((sum, { count }) => sum + count, 0);
  const origins = await receiver.calls.listen(loopbackAddresses(endpoints));
  const tlsPort = await receiver.calls.listenWithTls(TLS_ADDRESS);
  const [freePort] = await chooseFreePorts([undefined]);
  const refusingOrigin = `http://127.0.0.1:${freePort}`;
  const population = createPopulation({ groups, perWorkspace, origins, tlsPort, refusingOrigin, sealing });
  const documents = population.endpoints.map(({ endpoint }) => toDocument(endpoint));
  await database.collections.endpoints.insertMany(documents);
  return population;
}

/**
 * Whether every row exists and no expected delivery is due. The number of POSTs alone does not show this: some may have
 * been repeated while others are still outstanding.
 */
async function isSettled({ database }: Namespace, { endpoints }: Population, rows: number): Promise<boolean> {
  const { deliveries } = database.collections;
  const expected = endpoints.filter(({ group }) => group.expected !== null);
  // Unhealthy endpoints are disabled after repeated failures: later events have no rows for them.
  const areAllExpected = expected.length === endpoints.length;
  if (areAllExpected && (await deliveries.estimatedDocumentCount()) < rows) return false;
  const endpointIds = expected.map(({ endpoint }) => endpoint.id);
  const due = await deliveries.findOne(
    { ...(!areAllExpected && { endpointId: { $in: endpointIds } }), dueAt: { $exists: true } },
    { projection: { _id: 1 }, hint: { endpointId: 1, dueAt: 1 } },
  );
  return due === null;
}
