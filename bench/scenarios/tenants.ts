import { type Group, healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { type Scenario, secondsOf } from '../scenario.js';
import { latencyOf } from './load.js';

const OTHERS = 500;
const CROWD = 1_000;
const SECONDS = 60;
const SETTLE_SECONDS = 15;
const QUICK = { group: 'quick', perSecond: 500 };
/** An event every four seconds for all endpoints of the crowd. */
const CROWD_STREAM = { group: 'crowd', perSecond: 0.25 };
const LIMITS = { keepsRate: 0.98, timesP99: 2 };
const BASELINE = 'none';

/** How long the endpoints of the crowd take to answer: every POST succeeds. */
const DELAYS = [
  { label: 'answer at once', delayMs: 0 },
  // Just before a POST moves to the slots of slow ones.
  { label: 'answer after 0.9 s', delayMs: 900 },
  // Just before the time-out.
  { label: 'answer after 9.9 s', delayMs: 9_900 },
];

export const tenants: Scenario = {
  name: 'tenants',
  about: `Latency of ${OTHERS} workspaces beside one with ${CROWD.toLocaleString('en')} endpoints that answer 200 at once, after 0.9 s or after 9.9 s.`,
  run(context) {
    const seconds = secondsOf(context, SECONDS);
    const load = { seconds, settleSeconds: Math.min(SETTLE_SECONDS, seconds), groups: [QUICK.group] };
    const others = healthy(QUICK.group, OTHERS);
    const crowd = (delayMs: number): Group => {
      return { name: 'crowd', count: CROWD, place: { delayMs }, sharedWorkspace: true, expected: null };
    };
    const streams = [QUICK, CROWD_STREAM];
    return measureDeliveries(context, [
      { label: BASELINE, groups: [others], run: latencyOf({ ...load, streams: [QUICK] }) },
      ...DELAYS.map(({ label, delayMs }) => ({
        label,
        baseline: BASELINE,
        groups: [others, crowd(delayMs)],
        run: latencyOf({ ...load, streams, limits: LIMITS }),
      })),
    ]);
  },
};
