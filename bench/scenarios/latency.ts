import { KIB } from '../environment/environment.js';
import { healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { type Scenario, secondsOf } from '../scenario.js';
import type { Goals } from './figures.js';
import { LATENCY_AT_100 } from './goals.js';
import { latencyOf } from './load.js';

const ENDPOINTS = 100;
const LOADS: readonly { readonly perSecond: number; readonly bodyBytes?: number; readonly goals: Goals }[] = [
  { perSecond: 100, goals: LATENCY_AT_100 },
  { perSecond: 100, bodyBytes: 16 * KIB, goals: {} },
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
      LOADS.map(({ perSecond, bodyBytes = KIB, goals }) => ({
        label: `${perSecond} a second${bodyBytes === KIB ? '' : `, ${bodyBytes / KIB} KiB`}`,
        bodyBytes,
        groups: [healthy('quick', ENDPOINTS)],
        run: latencyOf({ ...load, streams: [{ perSecond }], goals }),
      })),
    );
  },
};
