import type { ServiceName } from '#dev/processes/start-service';
import type { Outage } from './oracle/evidence.js';
import type { World } from './world/world.js';

/** One way to treat the system badly. */
export interface Fault {
  readonly number: number;
  /** What is done, in a few words. */
  readonly name: string;
  /** Part of the short run. */
  readonly quick: boolean;
  /** Calls per second that make an event; `RATE` unless given. */
  readonly rate?: number;
  /** Dispatchers that are there from the start; 2 unless given. */
  readonly dispatchers?: number;
  /** Whose connections can be cut. */
  readonly linked?: 'dispatchers' | 'all';
  /** Variables of all services. @param directory the run's own */
  readonly settings?: (directory: string) => Readonly<Record<string, string>>;
  /** Of Node, for the dispatchers. */
  readonly nodeArgs?: readonly string[];
  /** Paths whose speed must not suffer. */
  readonly healthy?: readonly string[];
  /** What it stops for everybody: rows that come due meanwhile are late only when that has been over for long. */
  readonly outage?: Outage;
  /** Paths that get more than they can take. */
  readonly overloaded?: readonly string[];
  /** How long deliveries are kept, where they are removed during the run. */
  readonly retentionMs?: number;
  /** How often the oracle looks; a large history takes a while to read. */
  readonly lookEveryMs?: number;
  /** The retry step in milliseconds; half a second unless given. */
  readonly stepMs?: number;
  /** How long to wait until it has recovered, and then until it is quiet; 150 s unless given. */
  readonly patienceMs?: number;
  /**
   * The part of all calls that has to be accepted during the fault, from 0 to 1. Unless given, one call at least: what
   * happened without any load proves nothing. 0 where the api itself is the victim.
   */
  readonly leastAccepted?: number;
  /** Services that may end by themselves in it, to be started again. */
  readonly mayEnd?: readonly ServiceName[];
  /** @returns what this machine lacks for it, null when nothing */
  readonly lacks?: () => string | null;
  /** Before the load begins. */
  readonly prepare?: (world: World) => Promise<void>;
  /**
   * Does it, under load. Resolves when it is over: from then on the system has to recover.
   *
   * @throws Error when the system did not do what this fault is about
   */
  readonly run: (world: World) => Promise<void>;
}
