import { type Bench, isWanted, secondsOf } from '../bench.js';
import { withEnvironment } from '../environment/with-environment.js';
import type { Row } from '../report/row.js';
import { deliveriesOf, type LatencyGoals, lagFigure, latencyFigures, memoryFigure } from './figures.js';
import { healthy, upTo } from './groups.js';
import type { Scenario } from './scenario.js';
import { warmUp } from './warm-up.js';

const GROUP = 'quick';
const ENDPOINTS = 100;
const SECONDS = 60;
const SETTLING_SECONDS = 3;

const LOADS: readonly { readonly perSecond: number; readonly goals: LatencyGoals }[] = [
  { perSecond: 100, goals: { p50: { atMost: 12 }, p95: { atMost: 30 } } },
  { perSecond: 500, goals: {} },
  { perSecond: 1_000, goals: { p95: { atMost: 100 } } },
];

export const latency: Scenario = {
  name: 'latency',
  about:
    `From an event's timestamp to the arrival of its POST, at rates that do not depend on how it goes; ${ENDPOINTS} ` +
    'endpoints, one delivery for each event, answered at once.',
  async run(bench) {
    const rows: Row[] = [];
    for (const load of LOADS) {
      const label = `${load.perSecond} a second`;
      if (isWanted(bench, label)) rows.push(await atRate(bench, label, load));
    }
    return rows;
  },
};

function atRate(bench: Bench, label: string, { perSecond, goals }: (typeof LOADS)[number]) {
  const workspaces = upTo(ENDPOINTS);
  const setup = { label, groups: [healthy(GROUP, ENDPOINTS)], promised: [{ group: GROUP, attempts: 1 }] };
  return withEnvironment(bench, setup, async (environment) => {
    const streams = [{ workspaces, perSecond }];
    await warmUp(environment, workspaces);
    await environment.publish({ kind: 'at-rate', streams, seconds: SETTLING_SECONDS });
    const meter = environment.measure();
    const seconds = secondsOf(bench, SECONDS);
    const published = await environment.publish({ kind: 'at-rate', streams, seconds });
    const processes = meter.stop();
    await environment.drained();
    return {
      deliveries: published.events,
      processes,
      figures: ({ records }) => [
        ...latencyFigures(deliveriesOf(records, published, [GROUP]), goals),
        lagFigure(published),
        memoryFigure(processes),
      ],
    };
  });
}
