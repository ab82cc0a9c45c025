import { type Context, secondsOf } from '../context.js';
import { type Group, healthy, type Place } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import type { Scenario } from '../scenario.js';
import {
  deliveriesOf,
  keptRateFigure,
  lagFigure,
  latencyFigures,
  memoryFigure,
  timesP99Figure,
} from './figures.js';
import { observeRate } from './load.js';

/** A population, and how much unhealthy endpoints may affect the observed healthy groups. */
export interface Case {
  readonly label: string;
  readonly groups: readonly Group[];
  /** The groups whose figures are shown. */
  readonly observed: readonly string[];
  /** The least share of their rate that they must keep. */
  readonly keepsRate: number;
  /** The greatest factor by which their p99 may grow. */
  readonly timesP99: number;
}

const RATES = [200, 1_000];
const SECONDS = 60;
/** Time-outs take ten seconds: only then is the state steady. */
const SETTLE_SECONDS = 15;
const ENDPOINTS = 500;
const ON_SHARED_HOST = 50;

const USUAL = { keepsRate: 0.98, timesP99: 2 };
/** For four unhealthy endpoints in ten. */
const SEVERE = { keepsRate: 0.95, timesP99: 3 };
const DEAD: Place = { kind: 'receiver', answer: { kind: 'never' }, host: 'own' };
const SLOW = { kind: 'receiver', answer: { kind: 'after', delayMs: 9_000 }, host: 'own' } as const;

export const CASES: readonly Case[] = [
  { label: 'none', groups: halves(ENDPOINTS), observed: ['quick', 'steady'], ...USUAL },
  { label: '10 % dead', ...unhealthyShare(0.1, DEAD), ...USUAL },
  { label: '20 % dead', ...unhealthyShare(0.2, DEAD), ...USUAL },
  { label: '40 % dead', ...unhealthyShare(0.4, DEAD), ...SEVERE },
  { label: '10 % slow', ...unhealthyShare(0.1, SLOW), ...USUAL },
  { label: '40 % slow', ...unhealthyShare(0.4, SLOW), ...SEVERE },
  { label: '5 % refusing', ...unhealthyShare(0.05, { kind: 'refusing' }), ...USUAL },
  { label: '5 % unresolvable', ...unhealthyShare(0.05, { kind: 'unresolvable' }), ...USUAL },
  { label: `${ON_SHARED_HOST} on one host, 4 slow`, ...sharedHost(4), ...USUAL },
];

export const isolation: Scenario = {
  name: 'isolation',
  about:
    '500 endpoints, some of them unhealthy; half of the healthy ones answer after 1 ms, half after 100 ms. The figures are ' +
    'those of the healthy endpoints, with one host those of the healthy endpoints of that host. Dead: accepts and never ' +
    'answers. Slow: answers 200 after 9 s. Unresolvable: the name servers never answer. "Times p99" compares with the ' +
    'row without unhealthy endpoints of the same run and rate.',
  run: (context) =>
    measureDeliveries(
      context,
      RATES.flatMap((perSecond) => CASES.map((one) => measurementOf(context, one, perSecond))),
    ),
};

function measurementOf(context: Context, one: Case, perSecond: number): Measurement {
  const { groups, observed, keepsRate, timesP99 } = one;
  return {
    label: `${perSecond} a second, ${one.label}`,
    groups,
    ...(one !== CASES[0] && { baseline: `${perSecond} a second, none` }),
    async run(environment, baseline) {
      const seconds = secondsOf(context, SECONDS);
      const settleSeconds = Math.min(SETTLE_SECONDS, seconds);
      const load = { streams: [{ perSecond }], settleSeconds, seconds };
      const { published, span, processes } = await observeRate(environment, load);
      return {
        deliveries: published.events,
        processes,
        figures({ records }) {
          const latencies = latencyFigures(deliveriesOf(records, published, observed));
          return [
            keptRateFigure(records, { span, groups: observed, goal: { atLeast: keepsRate } }),
            ...latencies,
            timesP99Figure(latencies, baseline, { atMost: timesP99 }),
            lagFigure(published),
            memoryFigure(processes),
          ];
        },
      };
    },
  };
}

/** Half of them quick, half of them with an ordinary delay. */
function halves(count: number): Group[] {
  const quick = Math.ceil(count / 2);
  return [healthy('quick', quick, { delayMs: 1 }), healthy('steady', count - quick, { delayMs: 100 })];
}

function unhealthy(count: number, place: Place): Group {
  return { name: 'unhealthy', count, place, expected: null };
}

function unhealthyShare(share: number, place: Place) {
  const count = Math.round(ENDPOINTS * share);
  return { groups: [...halves(ENDPOINTS - count), unhealthy(count, place)], observed: ['quick', 'steady'] };
}

function sharedHost(slow: number) {
  const mates = healthy('mates', ON_SHARED_HOST - slow, { delayMs: 1, host: 'shared' });
  const groups = [...halves(ENDPOINTS - ON_SHARED_HOST), mates, unhealthy(slow, { ...SLOW, host: 'shared' })];
  return { groups, observed: ['mates'] };
}
