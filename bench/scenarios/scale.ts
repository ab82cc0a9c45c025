import { type Context, secondsOf } from '../context.js';
import type { Environment } from '../environment/environment.js';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import type { Figure } from '../report/row.js';
import type { Scenario } from '../scenario.js';
import { changeFigures, observeChanges } from './changes.js';
import { deliveriesOf, lagFigure, memoryFigure, rateFigure } from './figures.js';
import { observeFlatOut, warmUp } from './load.js';

const ENDPOINTS = 100;
const SECONDS = 30;
const IDLE_SECONDS = 10;
const JOIN = { perSecond: 2_000, aftermathSeconds: 15 };

export const scale: Scenario = {
  name: 'scale',
  about: 'What a second dispatcher brings and costs, and what its joining and leaving costs.',
  run: (context) =>
    measureDeliveries(context, [sustained(context, 1), sustained(context, 2), joinAndLeave(context)]),
};

function sustained(context: Context, dispatchers: number): Measurement {
  return {
    label: `${dispatchers} dispatcher${dispatchers > 1 ? 's' : ''}`,
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
      const join = () => environment.start('dispatcher');
      const leave = async () => {
        const second = environment.services.at(-1);
        if (second !== undefined) await environment.stop(second);
      };
      const plan = { steps: { join, leave }, aftermathMs };
      const { published, processes, changes } = await observeChanges(environment, [JOIN], plan);
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
