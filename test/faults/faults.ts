import type { Fault } from './fault.js';
import { KILLS_OF_THE_DISPATCHER } from './faults/kills.js';

/** All of them, by their numbers. */
export const FAULTS: readonly Fault[] = [...KILLS_OF_THE_DISPATCHER].sort((a, b) => a.number - b.number);
