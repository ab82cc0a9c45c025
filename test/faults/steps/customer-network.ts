import { type NameServer, nameServer } from '@postrider/shared/testing/name-server';
import type { Step } from '../fault.js';
import { OK } from '../load/receiver.js';
import { type ForwardProxy, startForwardProxy } from '../world/forward-proxy.js';
import type { World } from '../world/world.js';
import { addEndpoints, atLeast, paths } from './frequent.js';
import { type OtherWorkspace, openOtherWorkspaces } from './other-workspaces.js';

/** Endpoints with their own domains, in four workspaces: that of the load, a busy one, and two with few events. */
const CUSTOMERS = paths('/customer', 80);
const OF_LOAD = CUSTOMERS.slice(0, 20);
export const OTHERS: readonly OtherWorkspace[] = [
  { slug: 'busy', paths: CUSTOMERS.slice(20, 26), eventEveryMs: 200 },
  { slug: 'slow', paths: CUSTOMERS.slice(26, 60), eventEveryMs: 12_000 },
  { slug: 'slower', paths: CUSTOMERS.slice(60), eventEveryMs: 15_000 },
];
/** Endpoints of one host, in the workspace of the load. */
const OF_BIG_HOST = paths('/app', 120);
/** More than the domains after which the name servers are held responsible. */
const MIN_FAILED_NAMES = 50;
/** Connecting to a broadcast address fails like connecting to any address without a route: ENETUNREACH. */
const WITHOUT_ROUTE = '127.255.255.255';
const WITH_ROUTE = '127.0.0.1';

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
export const networkOf = (world: World): Network => {
  const network = networks.get(world);
  if (network === undefined) throw new Error('the network was not started');
  return network;
};

const startNames = (world: World, { names }: Ports) =>
  nameServer((name) => {
    // A process of another run, which used the port before, may ask before the network is complete.
    const network = networks.get(world);
    const address = network?.address ?? null;
    if (address !== null) return { addresses: [address], ttlSeconds: 1 };
    network?.failedNames.add(name);
    return 'server failure';
  }, names);
const portOf = (url: string) => Number(new URL(url).port);
export const isCustomer = (path: string) => path.startsWith('/customer') || path.startsWith('/app');
export const customerIds = (endpoints: World['endpoints']) =>
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
export const throughNetwork = (ports: Ports, { isProxied = true, isGuarded = true } = {}) => ({
  settings: () => ({
    OUTAGE_GUARD: String(isGuarded),
    EGRESS_NAME_SERVERS: `127.0.0.1:${ports.names}`,
    ...(isProxied && { EGRESS_PROXY: `http://127.0.0.1:${ports.proxy}` }),
  }),
  prepare: startNetwork(ports),
});

export const removeRoutes: Step = (world) => {
  networkOf(world).address = WITHOUT_ROUTE;
  world.receiver.disconnect();
};
export const addRoutes: Step = (world) => {
  networkOf(world).address = WITH_ROUTE;
};

export const stopNames: Step = (world) => networkOf(world).names.close();
/** The name server responds SERVFAIL to all queries, like a resolver that cannot reach others. */
export const failNames: Step = (world) => {
  networkOf(world).address = null;
};
export const answerNames: Step = (world) => {
  const network = networkOf(world);
  network.address = WITH_ROUTE;
  world.log(`the name server failed for ${network.failedNames.size} names`);
  atLeast(MIN_FAILED_NAMES, network.failedNames.size, 'names for which the name server failed');
};
export const startNamesAgain: Step = async (world) => {
  const network = networkOf(world);
  network.names = await startNames(world, network.ports);
};

export const stopProxy: Step = (world) => networkOf(world).proxy.down();
export const startProxyAgain: Step = (world) => networkOf(world).proxy.up();
export const disconnect: Step = (world) => networkOf(world).proxy.isolate();
export const reconnect: Step = (world) => networkOf(world).proxy.rejoin();
export const refuseBigHost: Step = (world) => networkOf(world).proxy.refuse(portOf(world.receiver.otherUrl));
export const acceptBigHost: Step = (world) => networkOf(world).proxy.accept(portOf(world.receiver.otherUrl));
