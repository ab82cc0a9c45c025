import { randomBytes } from 'node:crypto';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { StoredFilter } from '@postrider/shared/domain/event-filter';
import { idOf, type WorkspaceId } from '@postrider/shared/domain/id';
import { formatSecret, SECRET_BYTES } from '@postrider/shared/domain/signing';
import type { Sealing } from '@postrider/shared/ports/sealing';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { anEndpoint } from '@postrider/shared/testing/builders';
import { BENCH_EVENT_TYPE } from '../generator/make-event.js';
import { type Behavior, hookPath } from '../receiver/hook-path.js';

/** Where the receiver listens for requests with TLS. */
export const TLS_ADDRESS = '127.0.0.1';

/** How endpoints on the receiver answer; or a port without a listener, or a name that the name server never answers. */
export type Place = Behavior | 'refusing' | 'unresolvable';

/** How each delivery of a group must end. */
export interface Expected {
  readonly attempts: number;
  readonly status: 'delivered' | 'dead_lettered' | 'failed_permanent';
}

/** Endpoints of one kind, which are counted together. */
export interface Group {
  /** Letters, digits and hyphens: it is part of URLs. */
  readonly name: string;
  readonly count: number;
  readonly place: Place;
  /** All on one host; by default each on a separate host, as far as there are hosts. */
  readonly sharedHost?: boolean;
  /** All in one workspace; by default as many in each as the population has. */
  readonly sharedWorkspace?: boolean;
  /** Hosts are names, a new one for each endpoint; by default addresses. */
  readonly named?: boolean;
  /** Hosts are names with TLS, a new one for each endpoint. */
  readonly tls?: boolean;
  /** Disabled from the beginning: each of its deliveries is held. */
  readonly isDisabled?: boolean;
  /** The stored filter of each, by its index; absent for none. */
  readonly filter?: (index: number) => StoredFilter;
  /** Null for unhealthy endpoints, whose deliveries may be in any state. */
  readonly expected: Expected | null;
}

/** Endpoints that answer 200, after a delay if given. */
export function healthy(name: string, count: number, delayMs = 0): Group {
  return { name, count, place: { delayMs }, expected: { attempts: 1, status: 'delivered' } };
}

/** Endpoints that answer 500 to the first POSTs of every delivery. */
export function failing(name: string, count: number, failures: number, expected: Expected): Group {
  return { name, count, place: { failures }, expected };
}

/** Disabled endpoints. */
export function disabled(name: string, count: number): Group {
  const expected = { attempts: 0, status: 'failed_permanent' } as const;
  return { name, count, place: {}, isDisabled: true, expected };
}

export interface PlacedEndpoint {
  readonly endpoint: Endpoint;
  readonly group: Group;
  /** Index of its workspace. */
  readonly workspace: number;
}

export interface Population {
  readonly workspaces: readonly { readonly id: WorkspaceId; readonly slug: string }[];
  readonly endpoints: readonly PlacedEndpoint[];
  /** Endpoints that receive each event of their workspace. */
  readonly perWorkspace: number;
}

interface PopulationPlan {
  readonly groups: readonly Group[];
  readonly perWorkspace: number;
  /** The origins of the receiver. The first one is the shared host. */
  readonly origins: readonly string[];
  readonly refusingOrigin: string;
  /** Where the receiver listens for requests with TLS. */
  readonly tlsPort: string;
  readonly sealing: Pick<Sealing, 'seal'>;
}

/** Creates workspaces and endpoints with the groups evenly mixed. Stores nothing. */
export function createPopulation(plan: PopulationPlan): Population {
  const { groups, perWorkspace, sealing } = plan;
  const [shared, separate] = [true, false].map((is) =>
    groups.filter(({ sharedWorkspace = false }) => sharedWorkspace === is),
  ) as [Group[], Group[]];
  const mixed = interleave(separate).map((group, index) => {
    return { group, workspace: Math.floor(index / perWorkspace) };
  });
  const first = Math.ceil(mixed.length / perWorkspace);
  const placed = [
    ...mixed,
    ...shared.flatMap((group, nth) => Array(group.count).fill({ group, workspace: first + nth })),
  ];
  const workspaces = Array.from({ length: first + shared.length }, (_, index) => ({
    id: idOf('workspace', new Date(), randomTail()),
    slug: `bench-${index}`,
  }));
  const endpoints = placed.map(({ group, workspace }, index) => {
    const url = urlOf(group, index, plan);
    const made = createEndpoint(workspaces[workspace]!.id, url, sealing, !group.isDisabled);
    const endpoint = group.filter === undefined ? made : { ...made, filter: group.filter(index) };
    return { endpoint, group, workspace };
  });
  return { workspaces, endpoints, perWorkspace };
}

export function createEndpoint(
  workspaceId: WorkspaceId,
  url: string,
  sealing: PopulationPlan['sealing'],
  enabled = true,
): Endpoint {
  const createdAt = new Date();
  const id = idOf('endpoint', createdAt, randomTail());
  const secret = sealing.seal(formatSecret(randomBytes(SECRET_BYTES)), id);
  return anEndpoint({ id, workspaceId, url, eventTypes: [BENCH_EVENT_TYPE], enabled, secret, createdAt });
}

/** Every group once for each of its endpoints, evenly spread: load that rotates over the result alternates between groups. */
export function interleave<G extends { readonly count: number }>(groups: readonly G[]): G[] {
  const slots = groups.flatMap((group, order) =>
    Array.from({ length: group.count }, (_, nth) => ({ group, order, position: (nth + 0.5) / group.count })),
  );
  return slots.sort((a, b) => a.position - b.position || a.order - b.order).map(({ group }) => group);
}

/** The indexes of the workspaces that have endpoints of selected groups. */
export function workspacesOf({ endpoints }: Population, isSelected: (group: Group) => boolean): number[] {
  const selected = endpoints.filter(({ group }) => isSelected(group));
  return [...new Set(selected.map(({ workspace }) => workspace))];
}

/** The number of rows, and of POSTs of groups with an expected end, that the published events must cause. */
export function expectedCounts(
  { endpoints }: Pick<Population, 'endpoints'>,
  eventsPerWorkspace: readonly number[],
): { rows: number; posts: number } {
  const counts = { rows: 0, posts: 0 };
  for (const { group, workspace } of endpoints) {
    const events = eventsPerWorkspace[workspace] ?? 0;
    counts.rows += events;
    counts.posts += events * (group.expected?.attempts ?? 0);
  }
  return counts;
}

function urlOf(
  { name, place, sharedHost = false, named = false, tls = false }: Group,
  index: number,
  { origins, refusingOrigin, tlsPort }: PopulationPlan,
): string {
  if (place === 'refusing' && tls) return `https://${tlsName(index)}:${new URL(refusingOrigin).port}/`;
  if (place === 'refusing') return `${refusingOrigin}/${index}`;
  if (place === 'unresolvable') return `http://receiver-${index}.unresolvable.test/`;
  const [shared = '', ...own] = origins;
  const origin = sharedHost ? shared : (own[index % own.length] ?? shared);
  const path = hookPath({ group: name, behavior: place }, index);
  if (tls) return `https://${tlsName(index)}:${tlsPort}${path}`;
  return `${named ? nameOrigin(origin, index) : origin}${path}`;
}

/**
 * A name of the certificate. No country has the code zz; to the outage guard `co.zz` is a suffix like `co.uk`, so each name
 * is a domain of its own.
 */
const tlsName = (index: number) => `receiver-${index}.co.zz`;

/** The origin with a name for its address, which `addressOfName` reads again. */
function nameOrigin(origin: string, index: number): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${protocol}//receiver-${index}.${hostname.replaceAll('.', '-')}.named.test:${port}`;
}

/** The address of an endpoint's name; null for all other names. */
export function addressOfName(name: string): string | null {
  if (name.endsWith('.co.zz')) return TLS_ADDRESS;
  const [, address] = /\.([\d-]+)\.named\.test$/.exec(name) ?? [];
  return address?.replaceAll('-', '.') ?? null;
}
