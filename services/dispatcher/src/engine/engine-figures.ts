import type { AssignedFigures } from './intake/intake.js';
import type { SchedulerFigures } from './scheduler/endpoint-scheduler.js';

/** The figures that the engine's metrics show. */
export interface EngineFigures extends SchedulerFigures, AssignedFigures {
  readonly jobs: number;
  /** How many more jobs may be added. */
  readonly jobsFree: number;
  readonly waiting: number;
  readonly unsettled: number;
  readonly parked: number;
}
