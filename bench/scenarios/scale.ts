import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { type Context, rateOf, type Scenario, secondsOf } from '../scenario.js';
import { changeFigures, observeChanges } from './changes.js';
import { deliveriesOf, lagFigure } from './figures.js';
import { warmUp } from './load.js';
import { sustained } from './throughput.js';

const ENDPOINTS = 100;
const SECONDS = 30;
const JOIN = { perSecond: 1_000, aftermathSeconds: 15 };

export const scale: Scenario = {
  name: 'scale',
  about: 'What a second dispatcher brings and costs, and what its joining and leaving costs.',
  run: (context) =>
    measureDeliveries(context, [
      sustained(context, { label: '1 dispatcher', dispatchers: 1, seconds: SECONDS }),
      sustained(context, { label: '2 dispatchers', dispatchers: 2, seconds: SECONDS }),
      joinAndLeave(context),
    ]),
};

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
          const perSecond = rateOf(context, JOIN.perSecond);
          return changes.map((change) => changeFigures(change, deliveries, perSecond));
        },
      };
    },
  };
}
