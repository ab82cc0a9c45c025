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
/** Just before the time-out: every POST succeeds. */
const DELAY_MS = 9_900;
const BASELINE = 'answer at once';

export const tenants: Scenario = {
  name: 'tenants',
  about: `Latency of ${OTHERS} workspaces beside one with ${CROWD.toLocaleString('en')} endpoints that answer 200 after 9.9 s.`,
  run(context) {
    const seconds = secondsOf(context, SECONDS);
    const load = { seconds, settleSeconds: Math.min(SETTLE_SECONDS, seconds), groups: [QUICK.group] };
    const others = healthy(QUICK.group, OTHERS);
    const crowd = (delayMs: number): Group => {
      return { name: 'crowd', count: CROWD, place: { delayMs }, sharedWorkspace: true, expected: null };
    };
    const streams = [QUICK, CROWD_STREAM];
    return measureDeliveries(context, [
      { label: 'none', groups: [others], run: latencyOf({ ...load, streams: [QUICK] }) },
      { label: BASELINE, groups: [others, crowd(0)], run: latencyOf({ ...load, streams }) },
      {
        label: 'answer after 9.9 s',
        baseline: BASELINE,
        groups: [others, crowd(DELAY_MS)],
        run: latencyOf({ ...load, streams, limits: LIMITS }),
      },
    ]);
  },
};
