import { healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario, secondsOf } from '../scenario.js';
import { deliveriesOf, lagFigure, latencyFigures, memoryFigure } from './figures.js';
import { observe } from './load.js';

const ENDPOINTS = 10_000;
const EVENTS = 100;
/** Events of the other workspace during the storm. */
const PER_SECOND = 10;
const SECONDS = 60;
const WARM_UP_EVENTS = 500;
/** How long a storm may delay an event of another workspace. */
const LIMIT_MS = 1_000;

export const storm: Scenario = {
  name: 'storm',
  about: `${EVENTS} events for ${ENDPOINTS.toLocaleString('en')} endpoints of one workspace, and the delay of another one's events.`,
  run(context) {
    const endpoints = countOf(context, ENDPOINTS);
    const seconds = secondsOf(context, SECONDS);
    return measureDeliveries(context, [
      {
        label: `${EVENTS} events, ${endpoints.toLocaleString('en')} endpoints`,
        // The second workspace has one endpoint.
        groups: [healthy('quick', endpoints + 1)],
        perWorkspace: endpoints,
        async run(environment) {
          const flatOut = { kind: 'flat-out' } as const;
          await environment.publish({ ...flatOut, workspaces: [1], events: WARM_UP_EVENTS });
          await environment.drained();
          await environment.publish({ ...flatOut, workspaces: [0], events: EVENTS });
          const { published, processes } = await observe(environment, () =>
            environment.publish({
              kind: 'at-rate',
              streams: [{ perSecond: PER_SECOND, workspaces: [1] }],
              seconds,
            }),
          );
          await environment.drained();
          return {
            deliveries: EVENTS * endpoints,
            processes,
            figures: ({ records }) => [
              ...latencyFigures(deliveriesOf(records, published, ['quick']), { max: { atMost: LIMIT_MS } }),
              lagFigure(published),
              memoryFigure(processes),
            ],
          };
        },
      },
    ]);
  },
};
