import { type Bench, countOf, isWanted, secondsOf } from '../bench.js';
import { withEnvironment } from '../environment/with-environment.js';
import { machineNow } from '../measure/clock.js';
import { countWithin, type Span, slicesPerSecond } from '../measure/timeline.js';
import type { Figure, Row } from '../report/row.js';
import { firstArrivalsOf, memoryFigure, rateFigure } from './figures.js';
import { healthy, upTo } from './groups.js';
import type { Scenario } from './scenario.js';
import { WARM_UP_EVENTS, warmUp } from './warm-up.js';

const GROUP = 'quick';
const PROMISED = [{ group: GROUP, attempts: 1 }];
const SLICE_MS = 5_000;
/** About a second's work: the dispatcher never waits for the generator, and no backlog grows. */
const WINDOW = 4_000;

interface Burst {
  readonly endpoints: number;
  readonly events: number;
}

const BURSTS: readonly Burst[] = [
  { endpoints: 1, events: 4_000 },
  { endpoints: 100, events: 40_000 },
  { endpoints: 500, events: 40_000 },
];
interface Flow {
  /** Endpoints that get each event. */
  readonly perEvent: number;
  readonly about: string;
}

const FLOWS: readonly Flow[] = [
  { perEvent: 1, about: 'each event for 1' },
  { perEvent: 5, about: 'each event for 5' },
];
const SUSTAINED = { endpoints: 100, seconds: 300 };
/** On two cores, from event topic to settled row. */
const GOAL = { atLeast: 4_000 };

export const throughput: Scenario = {
  name: 'throughput',
  about:
    'Events published as fast as they go, one delivery each unless said otherwise; answered at once. A burst counts ' +
    `from its first event to its last settled row. Sustained: always up to ${WINDOW} deliveries under way.`,
  async run(bench) {
    const rows: Row[] = [];
    for (const { endpoints, events } of BURSTS) {
      const label = `burst, ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`;
      if (isWanted(bench, label)) rows.push(await burst(bench, label, { endpoints, events }));
    }
    for (const flow of FLOWS) {
      const label = `sustained, ${SUSTAINED.endpoints} endpoints, ${flow.about}`;
      if (isWanted(bench, label)) rows.push(await sustained(bench, label, flow));
    }
    return rows;
  },
};

function burst(bench: Bench, label: string, { endpoints, events: usual }: Burst) {
  const setup = { label, groups: [healthy(GROUP, endpoints)], promised: PROMISED };
  return withEnvironment(bench, setup, async (environment) => {
    const events = countOf(bench, usual);
    await warmUp(environment, upTo(endpoints), Math.min(events, WARM_UP_EVENTS));
    const meter = environment.measure();
    const from = machineNow();
    await environment.publish({
      kind: 'flat-out',
      workspaces: upTo(endpoints),
      events,
      seconds: null,
      window: null,
    });
    const to = await environment.drained();
    const processes = meter.stop();
    return {
      deliveries: events,
      processes,
      figures: () => [rateFigure('deliveries', events, { from, to }), memoryFigure(processes)],
    };
  });
}

function sustained(bench: Bench, label: string, { perEvent }: Flow) {
  const workspaces = upTo(SUSTAINED.endpoints / perEvent);
  const groups = [healthy(GROUP, SUSTAINED.endpoints)];
  const setup = { label, groups, promised: PROMISED, perWorkspace: perEvent };
  return withEnvironment(bench, setup, async (environment) => {
    await warmUp(environment, workspaces);
    const meter = environment.measure();
    const before = environment.posts(GROUP);
    const from = machineNow();
    const seconds = secondsOf(bench, SUSTAINED.seconds);
    const window = { deliveries: WINDOW, perEvent };
    await environment.publish({ kind: 'flat-out', workspaces, events: null, seconds, window });
    const span = { from, to: machineNow() };
    const processes = meter.stop();
    const deliveries = environment.posts(GROUP) - before;
    await environment.drained();
    return {
      deliveries,
      processes,
      figures: ({ records }) => [
        rateFigure('deliveries', countWithin(firstArrivalsOf(records.values()), span), span, GOAL),
        slowestFigure(firstArrivalsOf(records.values()), span),
        memoryFigure(processes),
      ],
    };
  });
}

function slowestFigure(arrivals: readonly number[], span: Span): Figure {
  const slices = slicesPerSecond(arrivals, span, SLICE_MS);
  return {
    name: `slowest ${SLICE_MS / 1_000} s`,
    unit: '/s',
    value: slices.length === 0 ? null : Math.min(...slices),
  };
}
