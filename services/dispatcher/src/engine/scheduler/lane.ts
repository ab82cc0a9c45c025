import type { JobQueue } from './job-queue.js';
import type { SlotKind, Usage } from './pools.js';
import type { RowUsage } from './row-bytes.js';
import type { KnownEndpoint } from './standing.js';

/** A workspace with queued jobs or POSTs in flight. */
export interface Workspace {
  readonly id: string;
  readonly usage: Usage;
  readonly rows: RowUsage;
  lanes: number;
}

/** An endpoint with queued jobs or POSTs in flight. */
export interface Lane<Job> {
  readonly endpointId: string;
  readonly workspace: Workspace;
  readonly known: KnownEndpoint;
  readonly queue: JobQueue<Job>;
  inFlight: number;
  /** Jobs in flight whose POST has not begun. */
  chosen: number;
  /** When it wakes because its rate may admit another POST or its rest ends; null if it does not wait for that. */
  wakeAt: number | null;
  /** Jobs in flight that linger. */
  lingering: number;
  /** The kind of slot for which it waits; null if it waits for none. */
  waitsFor: SlotKind | null;
  /** Counts its places in queues. A place with an older number is no longer valid. */
  ticket: number;
}

/** The place of a lane in a queue for slots, or among those that wait for their origin. */
export interface Place<Job> {
  readonly lane: Lane<Job>;
  readonly ticket: number;
}

export function newLane<Job>({
  endpointId,
  workspace,
  known,
  queue,
}: Pick<Lane<Job>, 'endpointId' | 'workspace' | 'known' | 'queue'>): Lane<Job> {
  return {
    endpointId,
    workspace,
    known,
    queue,
    inFlight: 0,
    chosen: 0,
    wakeAt: null,
    lingering: 0,
    waitsFor: null,
    ticket: 0,
  };
}

export function isPlaced<Job>({ lane, ticket }: Place<Job>): boolean {
  return lane.waitsFor !== null && lane.ticket === ticket;
}
