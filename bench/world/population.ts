import { type Endpoint, newEndpoint } from '@postrider/shared/domain/endpoint';
import { idOf } from '@postrider/shared/domain/id';
import { formatSecret, SECRET_BYTES } from '@postrider/shared/domain/signing';
import type { Sealing } from '@postrider/shared/ports/sealing';
import { BENCH_EVENT_TYPE } from '../generator/make-event.js';
import type { Answer } from '../receiver/answer.js';
import { hookPath } from '../receiver/hook-path.js';
import { interleave } from './interleave.js';

/** Where the endpoints of a group are, and how they behave. */
export type Place =
  /** On the receiver: each on a host of its own, as far as there are hosts, or all of them on one. */
  | { readonly kind: 'receiver'; readonly answer: Answer; readonly host: 'own' | 'shared' }
  /** On a port on which nobody listens. */
  | { readonly kind: 'refusing' }
  /** On a name about which the name servers say nothing. */
  | { readonly kind: 'unresolvable' };

/** Endpoints of one kind. They are counted together. */
export interface Group {
  /** Letters, digits and hyphens: it stands in URLs. */
  readonly name: string;
  readonly count: number;
  readonly place: Place;
}

export interface PlacedEndpoint {
  readonly endpoint: Endpoint;
  readonly group: string;
  /** Index of its workspace. */
  readonly workspace: number;
}

export interface Population {
  readonly workspaces: readonly { readonly id: string; readonly slug: string }[];
  readonly endpoints: readonly PlacedEndpoint[];
}

export interface Hosts {
  /** The receiver's origins. The first one is the shared host. */
  readonly origins: readonly string[];
  readonly refusingOrigin: string;
}

export interface Census {
  readonly groups: readonly Group[];
  /** Endpoints that get each event of their workspace. */
  readonly perWorkspace: number;
  readonly hosts: Hosts;
}

export interface Source {
  readonly sealing: Pick<Sealing, 'seal'>;
  readonly randomBytes: (size: number) => Buffer;
  readonly now: Date;
}

const ID_TAIL_BYTES = 10;

/** Makes workspaces and endpoints, the groups well mixed. Nothing is stored. */
export function makePopulation({ groups, perWorkspace, hosts }: Census, source: Source): Population {
  const { sealing, randomBytes, now } = source;
  const places = interleave(groups.map(({ count }) => count));
  const workspaces = Array.from({ length: Math.ceil(places.length / perWorkspace) }, (_, index) => ({
    id: idOf('workspace', now, randomBytes(ID_TAIL_BYTES)),
    slug: `bench-${index}`,
  }));
  const endpoints = places.flatMap((placed, index) => {
    const group = groups[placed.group];
    const workspace = Math.floor(index / perWorkspace);
    const workspaceId = workspaces[workspace]?.id;
    if (group === undefined || workspaceId === undefined) return [];
    const id = idOf('endpoint', now, randomBytes(ID_TAIL_BYTES));
    const endpoint = newEndpoint({
      id,
      workspaceId,
      url: urlOf(group, index, hosts),
      description: null,
      eventTypes: [BENCH_EVENT_TYPE],
      enabled: true,
      secret: sealing.seal(formatSecret(randomBytes(SECRET_BYTES)), id),
      createdAt: now,
    });
    return [{ endpoint, group: group.name, workspace }];
  });
  return { workspaces, endpoints };
}

/** The workspaces in which a group has endpoints, by index. */
export function workspacesOf({ endpoints }: Population, group: string): number[] {
  return [...new Set(endpoints.filter((one) => one.group === group).map(({ workspace }) => workspace))];
}

function urlOf({ name, place }: Group, index: number, { origins, refusingOrigin }: Hosts): string {
  switch (place.kind) {
    case 'receiver':
      return `${originOf(place.host, index, origins)}${hookPath({ group: name, answer: place.answer }, index)}`;
    case 'refusing':
      return `${refusingOrigin}/${index}`;
    case 'unresolvable':
      return `http://receiver-${index}.unresolvable.test/`;
  }
}

function originOf(host: 'own' | 'shared', index: number, [shared = '', ...own]: readonly string[]): string {
  return host === 'own' ? (own[index % own.length] ?? shared) : shared;
}
