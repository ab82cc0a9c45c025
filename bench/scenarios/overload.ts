import { type Bench, isWanted, secondsOf } from '../bench.js';
import type { Environment } from '../environment/environment.js';
import { withEnvironment } from '../environment/with-environment.js';
import { machineNow } from '../measure/clock.js';
import type { Figure, Row } from '../report/row.js';
import { workspacesOf } from '../world/population.js';
import { deliveriesOf, keptFigure, lagFigure, latencyFigures, memoryFigure, timesFigure } from './figures.js';
import { healthy } from './groups.js';
import type { Scenario } from './scenario.js';
import { warmUp } from './warm-up.js';

const WELL = 'quick';
const HOT = 'hot';
const GROUPS = [healthy(WELL, 499, 1), healthy(HOT, 1, 100)];
const WELL_PER_SECOND = 500;
/** Four POSTs at a time, a tenth of a second each: it can take 40 a second. */
const HOT_PER_SECOND = 400;
const SECONDS = 300;

export const overload: Scenario = {
  name: 'overload',
  about:
    `499 endpoints with ${WELL_PER_SECOND} deliveries a second together, and one that is sent ${HOT_PER_SECOND} a second and ` +
    'can take 40. The figures are those of the 499. Afterwards the one answers at once and its backlog drains.',
  async run(bench) {
    const none = await withoutOverload(bench, 'nobody overloaded');
    const healthyP99 = none.figures.find(({ name }) => name === 'p99')?.value ?? null;
    const label = 'one at ten times its capacity';
    return isWanted(bench, label) ? [none, await withOverload(bench, label, healthyP99)] : [none];
  },
};

const PROMISED = [
  { group: WELL, attempts: 1 },
  { group: HOT, attempts: 1 },
];

function wellStream({ population }: Environment) {
  return { workspaces: workspacesOf(population, WELL), perSecond: WELL_PER_SECOND };
}

function withoutOverload(bench: Bench, label: string): Promise<Row> {
  return withEnvironment(bench, { label, groups: GROUPS, promised: PROMISED }, async (environment) => {
    const well = wellStream(environment);
    await warmUp(environment, well.workspaces);
    const meter = environment.measure();
    // A fifth of the time is enough to know what is normal.
    const seconds = secondsOf(bench, SECONDS / 5);
    const published = await environment.publish({ kind: 'at-rate', streams: [well], seconds });
    const processes = meter.stop();
    await environment.drained();
    return {
      deliveries: published.events,
      processes,
      figures: ({ records }) => [
        ...latencyFigures(deliveriesOf(records, published, [WELL])),
        lagFigure(published),
        memoryFigure(processes),
      ],
    };
  });
}

function withOverload(bench: Bench, label: string, healthyP99: number | null): Promise<Row> {
  return withEnvironment(bench, { label, groups: GROUPS, promised: PROMISED }, async (environment) => {
    const hot = { workspaces: workspacesOf(environment.population, HOT), perSecond: HOT_PER_SECOND };
    const well = wellStream(environment);
    await warmUp(environment, well.workspaces);
    const postsBefore = environment.posts(WELL);
    const meter = environment.measure();
    const seconds = secondsOf(bench, SECONDS);
    const from = machineNow();
    const early = environment.pause((seconds * 1_000) / 3).then(() => meter.resident('dispatcher'));
    const publishing = environment.publish({ kind: 'at-rate', streams: [well, hot], seconds });
    const [published, residentEarly] = await Promise.all([publishing, early]);
    const span = { from, to: machineNow() };
    const residentLate = meter.resident('dispatcher');
    const processes = meter.stop();
    const deliveries = environment.posts(WELL) + environment.posts(HOT) - postsBefore;
    await environment.hurry();
    const drainedAt = await environment.drained();
    return {
      deliveries,
      processes,
      figures: ({ records }) => {
        const latencies = latencyFigures(deliveriesOf(records, published, [WELL]));
        return [
          keptFigure(records, { span, groups: [WELL], goal: { atLeast: 0.98 } }),
          ...latencies,
          timesFigure(latencies, healthyP99, { atMost: 2 }),
          megabytes('RSS after a third', residentEarly),
          megabytes('RSS at the end', residentLate),
          { name: 'backlog drained', unit: 's', value: drainedAt && (drainedAt - span.to) / 1_000 },
          lagFigure(published),
        ];
      },
    };
  });
}

function megabytes(name: string, bytes: number | null): Figure {
  return { name, unit: 'MB', value: bytes && bytes / 1e6 };
}
