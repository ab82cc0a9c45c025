import type { CalledFor } from '../account/called-deliveries.js';
import type { Records } from '../account/delivery-record.js';
import type { Account, Promised } from '../account/reconcile.js';
import type { Plan, Published } from '../generator/plan.js';
import type { JobName } from '../processes/job.js';
import type { Consumption, Meter } from '../processes/meter.js';
import type { Service, ServiceName } from '../processes/service.js';
import type { Figure, Part } from '../report/row.js';
import type { Group, Population } from '../world/population.js';
import type { World } from '../world/world.js';

/** What a measurement is made with. */
export interface Setup {
  readonly label: string;
  readonly groups: readonly Group[];
  /** The groups whose deliveries must all be delivered. */
  readonly promised: readonly Promised[];
  /** Endpoints that get each event of their workspace; 1 unless given. */
  readonly perWorkspace?: number;
  /** How many are running from the start; 1 unless given. */
  readonly dispatchers?: number;
  /** Variables of the services that differ from their defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of each delivery topic; as the options say unless given. */
  readonly partitions?: number;
  /** May a POST be made again, because a dispatcher ends in the middle of the measurement? */
  readonly resends?: 'allowed';
}

/** Everything that is up for one measurement. Every method rejects once a process has died or all is given up. */
export interface Environment {
  readonly world: World;
  readonly population: Population;
  readonly seed: number;
  publish(plan: Plan): Promise<Published>;
  /** Ends a plan that goes by a rate; `publish` then resolves. */
  enough(): Promise<void>;
  /** Accounts for the deliveries that these calls to the api owe, too. */
  owe(calls: readonly CalledFor[]): void;
  /** What is owed by calls so far. */
  readonly called: readonly CalledFor[];
  /**
   * Waits until all that was promised has arrived and is settled.
   *
   * @returns when that was, in the machine's time; null when nothing has moved for so long that nothing will
   */
  drained(): Promise<number | null>;
  /** Measures what the processes use from now on. */
  measure(): Meter;
  /** Those that are running, in the order of their start. */
  readonly services: readonly Service[];
  /** Starts one more process of a service, and resolves once it is ready. */
  start(service: ServiceName): Promise<Service>;
  /** Stops a service as an operator would. */
  stop(service: Service): Promise<void>;
  /** Runs a job to its end. */
  run(job: JobName): Promise<void>;
  /** When the first dispatcher was a member of its group, in the machine's time. */
  joinedAt(): Promise<number>;
  /** POSTs of a group so far. */
  posts(group: string): number;
  /** From now on the receiver answers at once. */
  hurry(): Promise<void>;
  pause(ms: number): Promise<void>;
}

/** What is known once everything has stopped. */
export interface Evidence {
  readonly records: Records;
  readonly account: Account;
}

/** What a measurement came to. Latencies need the evidence, which is there only after the end. */
export interface Measured {
  readonly deliveries: number;
  readonly processes: readonly Consumption[];
  /** What the measurement itself found wrong. */
  readonly wrong?: readonly string[];
  readonly figures: (evidence: Evidence) => readonly Figure[];
  /** What it consisted of, when that is to be told one by one. */
  readonly parts?: (evidence: Evidence) => readonly Part[];
}
