import type { Goal } from '../report/row.js';
import type { Goals } from './figures.js';

/*
 * What several scenarios have to reach on two cores.
 */

/** The latency at 100 a second for 100 endpoints. */
export const LATENCY_AT_100: Goals = { p50: { atMost: 4 }, p95: { atMost: 9 }, p99: { atMost: 15 } };

/** The CPU of the stack for each delivery in microseconds, by deliveries a second. */
export const STACK_CPU: Readonly<Record<10 | 100 | 500, Goal>> = {
  10: { atMost: 14_000 },
  100: { atMost: 6_500 },
  500: { atMost: 2_000 },
};
