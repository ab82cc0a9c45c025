import { setTimeout as sleep } from 'node:timers/promises';
import { type NameServer, nameServer } from '@postrider/shared/testing/name-server';
import { poll } from '#dev/processes/poll';
import type { Fault, Step } from '../fault.js';
import { OK } from '../load/receiver.js';
import {
  addEndpoints,
  atLeast,
  loggedLines,
  nothingArrivesFor,
  paths,
  pause,
  startDispatchers,
  stopDispatchers,
  untilLogged,
} from '../steps/frequent.js';
import { type OtherWorkspace, openOtherWorkspaces, underOtherLoad } from '../steps/other-workspaces.js';
import { type ForwardProxy, startForwardProxy } from '../world/forward-proxy.js';
import { overdue } from '../world/overdue.js';
import type { World } from '../world/world.js';

/** Endpoints with their own domains, in four workspaces: that of the load, a busy one, and two with few events. */
const CUSTOMERS = paths('/customer', 80);
const OF_LOAD = CUSTOMERS.slice(0, 20);
const OTHERS: readonly OtherWorkspace[] = [
  { slug: 'busy', paths: CUSTOMERS.slice(20, 26), eventEveryMs: 200 },
  { slug: 'slow', paths: CUSTOMERS.slice(26, 60), eventEveryMs: 12_000 },
  { slug: 'slower', paths: CUSTOMERS.slice(60), eventEveryMs: 15_000 },
];
/** Endpoints of one host, in the workspace of the load. */
const OF_BIG_HOST = paths('/app', 120);
const RESUMES_WITHIN_MS = 5_000;
const SENT_WITHIN_MS = 60_000;
/** More than the domains after which the name servers are held responsible. */
const MIN_FAILED_NAMES = 50;
/** Connecting to a broadcast address fails like connecting to any address without a route: ENETUNREACH. */
const WITHOUT_ROUTE = '127.255.255.255';
const WITH_ROUTE = '127.0.0.1';
/** An attempt that began just before the outage may be recorded. */
const BEGINNING_MS = 1_000;

interface Ports {
  readonly names: number;
  readonly proxy: number;
}

/** The servers between dispatchers and receivers. */
interface Network {
  readonly ports: Ports;
  names: NameServer;
  /** The address that the name server returns for every name; null if it responds to all of them that it failed. */
  address: string | null;
  /** The names to which it responded that it failed. */
  readonly failedNames: Set<string>;
  readonly proxy: ForwardProxy;
  beganAt: number;
  endedAt: number;
}

const networks = new WeakMap<World, Network>();
const networkOf = (world: World): Network => {
  const network = networks.get(world);
  if (network === undefined) throw new Error('the network was not started');
  return network;
};

const startNames = (world: World, { names }: Ports) =>
  nameServer((name) => {
    const { address, failedNames } = networkOf(world);
    if (address !== null) return { addresses: [address], ttlSeconds: 1 };
    failedNames.add(name);
    return 'server failure';
  }, names);
const portOf = (url: string) => Number(new URL(url).port);
const isCustomer = (path: string) => path.startsWith('/customer') || path.startsWith('/app');
const customerIds = (endpoints: World['endpoints']) =>
  endpoints.filter(({ path }) => isCustomer(path)).map(({ id }) => id);

/** Starts a name server and a forward proxy, and adds endpoints that are reached through them. */
const startNetwork =
  (ports: Ports): Step =>
  async (world) => {
    const [names, proxy] = await Promise.all([startNames(world, ports), startForwardProxy(ports.proxy)]);
    networks.set(world, {
      ports,
      names,
      address: WITH_ROUTE,
      failedNames: new Set(),
      proxy,
      beganAt: 0,
      endedAt: 0,
    });
    const well = () => OK;
    for (const path of OF_LOAD) await addEndpoints([path], well, (one) => customerAt(one, path))(world);
    for (const path of OF_BIG_HOST) await addEndpoints([path], well, (one) => appAt(one, path))(world);
    await openOtherWorkspaces(OTHERS, customerAt)(world);
  };
const numberOf = (path: string) => path.split('-').at(-1);
const customerAt = ({ receiver }: World, path: string) =>
  `http://hooks.customer${numberOf(path)}.example:${portOf(receiver.url)}`;
const appAt = ({ receiver }: World, path: string) =>
  `http://app${numberOf(path)}.bighost.example:${portOf(receiver.otherUrl)}`;

/**
 * The fields of a fault of the network. Each fault has its own ports, because faults run in parallel. They are below those that
 * servers and services choose.
 */
const throughNetwork = (ports: Ports, { isProxied = true, isGuarded = true } = {}) => ({
  settings: () => ({
    OUTAGE_GUARD: String(isGuarded),
    EGRESS_NAME_SERVERS: `127.0.0.1:${ports.names}`,
    ...(isProxied && { EGRESS_PROXY: `http://127.0.0.1:${ports.proxy}` }),
  }),
  prepare: startNetwork(ports),
});

const removeRoutes: Step = (world) => {
  networkOf(world).address = WITHOUT_ROUTE;
  world.receiver.disconnect();
};
const addRoutes: Step = (world) => {
  networkOf(world).address = WITH_ROUTE;
};

const begins: Step = (world) => {
  networkOf(world).beganAt = Date.now();
};
const ends: Step = (world) => {
  networkOf(world).endedAt = Date.now();
};
const stopNames: Step = (world) => networkOf(world).names.close();
/** The name server responds SERVFAIL to all queries, like a resolver that cannot reach others. */
const failNames: Step = (world) => {
  networkOf(world).address = null;
};
const answerNames: Step = (world) => {
  const network = networkOf(world);
  network.address = WITH_ROUTE;
  world.log(`the name server failed for ${network.failedNames.size} names`);
  atLeast(MIN_FAILED_NAMES, network.failedNames.size, 'names for which the name server failed');
};
const startNamesAgain: Step = async (world) => {
  const network = networkOf(world);
  network.names = await startNames(world, network.ports);
};

/** @throws Error unless a customer's endpoint gets a POST within 5 s from the end of the outage */
const resumesSoon: Step = async (world) => {
  const { endedAt } = networkOf(world);
  const hasArrived = () =>
    world.receiver.received.findLast(({ path, at }) => isCustomer(path) && at >= endedAt) !== undefined;
  while (!hasArrived() && Date.now() - endedAt < RESUMES_WITHIN_MS) await sleep(50);
  world.log(`sending resumed ${Date.now() - endedAt} ms after the outage`);
  if (!hasArrived()) throw new Error(`sending did not resume within ${RESUMES_WITHIN_MS / 1_000} s`);
};

/** Waits until the customers' backlog of an outage is sent: a POST that times out under that load is no failure of the next one. */
const untilBacklogIsSent: Step = async ({ db, endpoints }) => {
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
const countsNothing: Step = async (world) => {
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
const guardIsSilent: Step = async (world) => {
  if (loggedLines(world).some((line) => line.includes('outage_guard.holding')))
    throw new Error('the outage guard held sending because of one host');
  const ids = world.endpoints.filter(({ path }) => path.startsWith('/app')).map(({ id }) => id);
  const disabled = await world.db
    .collection<{ _id: string }>('endpoints')
    .countDocuments({ _id: { $in: ids }, enabled: false });
  world.log(`${disabled} endpoints of the host were disabled`);
  if (disabled === 0) throw new Error('no endpoint of the host was disabled');
};

const restartDispatcher: Step = async ({ services }) => {
  const [one] = services.running('dispatcher');
  await one?.stop();
  await services.start('dispatcher');
};

const refuseBigHost: Step = (world) => networkOf(world).proxy.refuse(portOf(world.receiver.otherUrl));
const acceptBigHost: Step = (world) => networkOf(world).proxy.accept(portOf(world.receiver.otherUrl));

export const OUTAGES: readonly Fault[] = [
  {
    number: 31,
    name: 'the name server is down, then fails for every name, also while dispatchers start',
    rate: 1,
    outage: 'dispatchers',
    // The guard would hide failed lookups that are counted.
    ...throughNetwork({ names: 19_361, proxy: 19_362 }, { isGuarded: false }),
    steps: [
      underOtherLoad(OTHERS, [
        pause(5),
        begins,
        stopNames,
        pause(5),
        stopDispatchers,
        startDispatchers(2),
        pause(20),
        startNamesAgain,
        ends,
        resumesSoon,
        pause(5),
        countsNothing,
        untilBacklogIsSent,
        begins,
        failNames,
        pause(5),
        stopDispatchers,
        startDispatchers(2),
        pause(10),
        answerNames,
        ends,
        resumesSoon,
        pause(5),
        countsNothing,
      ]),
    ],
  },
  {
    number: 32,
    name: 'the network to all receivers is unreachable, also while a dispatcher starts',
    rate: 1,
    outage: 'dispatchers',
    ...throughNetwork({ names: 19_363, proxy: 19_364 }),
    steps: [
      underOtherLoad(OTHERS, [
        pause(5),
        begins,
        (world) => networkOf(world).proxy.down(),
        untilLogged('outage_guard.holding'),
        restartDispatcher,
        nothingArrivesFor(20),
        (world) => networkOf(world).proxy.up(),
        ends,
        resumesSoon,
        pause(5),
        countsNothing,
      ]),
    ],
  },
  {
    number: 33,
    name: 'one host with 60 % of all endpoints is unreachable',
    rate: 1,
    ...throughNetwork({ names: 19_365, proxy: 19_366 }),
    steps: [underOtherLoad(OTHERS, [pause(5), refuseBigHost, pause(30), guardIsSilent, acceptBigHost])],
  },
  {
    number: 42,
    name: 'there is no route to any receiver, also while a dispatcher starts',
    rate: 1,
    outage: 'dispatchers',
    ...throughNetwork({ names: 19_367, proxy: 19_368 }, { isProxied: false }),
    steps: [
      underOtherLoad(OTHERS, [
        pause(5),
        begins,
        removeRoutes,
        untilLogged('outage_guard.holding'),
        restartDispatcher,
        nothingArrivesFor(20),
        addRoutes,
        ends,
        resumesSoon,
        pause(5),
        countsNothing,
      ]),
    ],
  },
];
