import { healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { type Scenario, secondsOf } from '../scenario.js';
import type { Goals } from './figures.js';
import { latencyOf } from './load.js';

const ENDPOINTS = 100;
const LOADS: readonly { readonly perSecond: number; readonly goals: Goals }[] = [
  { perSecond: 100, goals: { p50: { atMost: 12 }, p95: { atMost: 30 } } },
  { perSecond: 500, goals: {} },
  { perSecond: 1_000, goals: { p95: { atMost: 100 } } },
];

export const latency: Scenario = {
  name: 'latency',
  about: `Latency at fixed rates for ${ENDPOINTS} endpoints that answer at once.`,
  run(context) {
    const load = { settleSeconds: 3, seconds: secondsOf(context, 60), groups: ['quick'] };
    return measureDeliveries(
      context,
      LOADS.map(({ perSecond, goals }) => ({
        label: `${perSecond} a second`,
        groups: [healthy('quick', ENDPOINTS)],
        run: latencyOf({ ...load, streams: [{ perSecond }], goals }),
      })),
    );
  },
};
