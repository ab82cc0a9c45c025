import type { IntakeFigures } from './intake.js';

/** What the metrics of the engine show. */
export interface EngineFigures {
  readonly inFlight: number;
  /** Of those in flight, the ones that began within the last second. */
  readonly prompt: number;
  /** Of the prompt ones, those to endpoints that are not known to answer. */
  readonly probation: number;
  readonly lingering: number;
  /** Endpoints that wait because too many POSTs to their origin linger. */
  readonly blocked: number;
  readonly jobs: number;
  /** Jobs that may still be added in total. */
  readonly jobsFree: number;
  readonly waiting: number;
  readonly unsettled: number;
  readonly parked: number;
  /** Assigned partition indices. */
  readonly assigned: number;
  readonly topics: readonly IntakeFigures[];
}
