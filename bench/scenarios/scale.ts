import { type Context, secondsOf } from '../context.js';
import type { Environment } from '../environment/environment.js';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import type { Figure } from '../report/row.js';
import type { Scenario } from '../scenario.js';
import { changeFigures, runSteps } from './changes.js';
import { deliveriesOf, lagFigure, memoryFigure, rateFigure } from './figures.js';
import { observe, observeFlatOut, publishStreams, WINDOW, warmUp } from './load.js';

const ENDPOINTS = 100;
const SECONDS = 30;
const IDLE_SECONDS = 10;
const JOIN = { perSecond: 2_000, aftermathSeconds: 15 };

export const scale: Scenario = {
  name: 'scale',
  about:
    `What a second dispatcher brings and costs: always ${WINDOW} deliveries in flight, ${ENDPOINTS} endpoints that answer at ` +
    'once, everything on this one machine. Idle: CPU of the dispatchers without load. Then a second dispatcher joins and ' +
    `leaves; throughput lost: the deliveries that did not arrive until ${JOIN.aftermathSeconds} s after the change, in ` +
    'seconds of the rate. Later catching up does not count against it.',
  run: (context) =>
    measureDeliveries(context, [sustained(context, 1), sustained(context, 2), joinAndLeave(context)]),
};

function sustained(context: Context, dispatchers: number): Measurement {
  return {
    label: `${dispatchers} dispatcher${dispatchers > 1 ? 's' : ''}, ${context.options.partitions} partitions`,
    groups: [healthy('quick', ENDPOINTS)],
    dispatchers,
    async run(environment) {
      await warmUp(environment);
      const idle = await idleFigure(context, environment);
      const observed = await observeFlatOut(environment, secondsOf(context, SECONDS));
      const { posts, span, processes } = observed;
      return {
        deliveries: posts,
        processes,
        figures: () => [rateFigure('deliveries', posts, span), idle, memoryFigure(processes)],
      };
    },
  };
}

async function idleFigure(context: Context, environment: Environment): Promise<Figure> {
  const meter = environment.measure();
  const seconds = secondsOf(context, IDLE_SECONDS);
  await environment.pause(seconds * 1_000);
  const used = meter.stop().find(({ name }) => name === 'dispatcher')?.cpuSeconds ?? null;
  return { name: 'idle CPU', unit: 'ms/s', value: used === null ? null : (used * 1_000) / seconds };
}

function joinAndLeave(context: Context): Measurement {
  return {
    label: `a second dispatcher joins and leaves at ${JOIN.perSecond.toLocaleString('en')} a second`,
    groups: [healthy('quick', ENDPOINTS)],
    resends: 'allowed',
    async run(environment) {
      await warmUp(environment);
      const aftermathMs = secondsOf(context, JOIN.aftermathSeconds) * 1_000;
      const join = async () => {
        await environment.start('dispatcher');
        return null;
      };
      const leave = async () => {
        const second = environment.services.at(-1);
        if (second !== undefined) await environment.stop(second);
        return null;
      };
      let changes: Awaited<ReturnType<typeof runSteps>> = [];
      const { published, processes } = await observe(environment, async () => {
        const publishing = publishStreams(environment, [JOIN]);
        changes = await runSteps(environment, { join, leave }, aftermathMs);
        await environment.stopPublishing();
        return publishing;
      });
      await environment.drained();
      return {
        deliveries: published.events,
        processes,
        figures: () => [lagFigure(published)],
        parts({ records }) {
          const deliveries = deliveriesOf(records, published, ['quick']);
          return changes.map((change) => changeFigures(change, deliveries, JOIN.perSecond));
        },
      };
    },
  };
}
