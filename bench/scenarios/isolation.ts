import { type Group, healthy, type Place } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { type Scenario, secondsOf } from '../scenario.js';
import { type Limits, latencyOf } from './load.js';

const RATES = [200, 1_000];
const SECONDS = 60;
/** Time-outs take ten seconds: only then is the state steady. */
const SETTLE_SECONDS = 15;
const ENDPOINTS = 500;
const ON_SHARED_HOST = 50;

const USUAL = { keepsRate: 0.98, timesP99: 2 };
/** For four unhealthy endpoints in ten. */
const SEVERE = { keepsRate: 0.95, timesP99: 3 };
const DEAD = { silent: true };
const SLOW = { delayMs: 9_000 };

const BASELINE = 'none';

/** Populations, the groups whose figures are shown, and how much unhealthy endpoints may affect these. */
export const CASES = [
  { label: BASELINE, groups: halves(ENDPOINTS), observed: ['quick', 'steady'], limits: USUAL },
  unhealthyShare(0.1, 'dead', DEAD, USUAL),
  unhealthyShare(0.2, 'dead', DEAD, USUAL),
  unhealthyShare(0.4, 'dead', DEAD, SEVERE),
  unhealthyShare(0.1, 'slow', SLOW, USUAL),
  unhealthyShare(0.4, 'slow', SLOW, SEVERE),
  unhealthyShare(0.05, 'refusing', 'refusing', USUAL),
  unhealthyShare(0.05, 'unresolvable', 'unresolvable', USUAL),
  sharedHost(4),
];

export const isolation: Scenario = {
  name: 'isolation',
  about: 'Latency of healthy endpoints while others are dead, slow, refusing or unresolvable.',
  run(context) {
    const seconds = secondsOf(context, SECONDS);
    const settleSeconds = Math.min(SETTLE_SECONDS, seconds);
    const measurements = RATES.flatMap((perSecond) =>
      CASES.map(({ label, groups, observed, limits }) => ({
        label: `${perSecond} a second, ${label}`,
        groups,
        ...(label !== BASELINE && { baseline: `${perSecond} a second, ${BASELINE}` }),
        run: latencyOf({ streams: [{ perSecond }], settleSeconds, seconds, groups: observed, limits }),
      })),
    );
    return measureDeliveries(context, measurements);
  },
};

/** Half of them quick, half of them with an ordinary delay. */
function halves(count: number): Group[] {
  const quick = Math.ceil(count / 2);
  return [healthy('quick', quick, 1), healthy('steady', count - quick, 100)];
}

function unhealthy(count: number, place: Place): Group {
  return { name: 'unhealthy', count, place, expected: null };
}

function unhealthyShare(share: number, what: string, place: Place, limits: Limits) {
  const count = Math.round(ENDPOINTS * share);
  const groups = [...halves(ENDPOINTS - count), unhealthy(count, place)];
  return { label: `${share * 100} % ${what}`, groups, observed: ['quick', 'steady'], limits };
}

function sharedHost(slow: number) {
  const onHost = [healthy('mates', ON_SHARED_HOST - slow, 1), unhealthy(slow, SLOW)];
  const shared = onHost.map((group) => ({ ...group, sharedHost: true }));
  const groups = [...halves(ENDPOINTS - ON_SHARED_HOST), ...shared];
  return { label: `${ON_SHARED_HOST} on one host, ${slow} slow`, groups, observed: ['mates'], limits: USUAL };
}
