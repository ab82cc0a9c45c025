import type { AssignedFigures } from './intake.js';
import type { SchedulerFigures } from './scheduler/endpoint-scheduler.js';

/** What the metrics of the engine show. */
export interface EngineFigures extends SchedulerFigures, AssignedFigures {
  readonly jobs: number;
  /** Jobs that may still be added in total. */
  readonly jobsFree: number;
  readonly waiting: number;
  readonly unsettled: number;
  readonly parked: number;
}
