import { disabled, type Group, healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario } from '../scenario.js';
import { fanOutOnce, QUICK } from './fan-out-once.js';
import { ratioFigure } from './figures.js';

const ENDPOINTS = 5_000;
const MIXED = 800;
/** As in isolation beside the greatest share of unhealthy endpoints. */
const LIMIT = { atMost: 3 };

export const fanout: Scenario = {
  name: 'fanout',
  about:
    `One event for ${ENDPOINTS.toLocaleString('en')} endpoints, timed to the POSTs and to the last settled row; and one for as many ` +
    `disabled endpoints, each of which is held; and one for ${MIXED} endpoints, half of which are silent.`,
  run(context) {
    const endpoints = countOf(context, ENDPOINTS);
    const once = (what: string, groupOf: (name: string, count: number) => Group): Measurement => ({
      label: `one event, ${endpoints.toLocaleString('en')} ${what}`,
      // Two workspaces: one for the warm-up, one to measure.
      groups: [groupOf(QUICK, 2 * endpoints)],
      perWorkspace: endpoints,
      run: (environment) => fanOutOnce(environment, endpoints),
    });
    return measureDeliveries(context, [
      once('endpoints', healthy),
      once('disabled endpoints', disabled),
      ...besideSilent(countOf(context, MIXED)),
    ]);
  },
};

/** An event for healthy endpoints, and one for as many of which half accept and never answer. */
function besideSilent(endpoints: number): Measurement[] {
  const baseline = `one event, ${endpoints.toLocaleString('en')} endpoints, none silent`;
  const half = endpoints / 2;
  const silent: Group = { name: 'silent', count: half, place: { silent: true }, expected: null };
  const row = { perWorkspace: endpoints };
  return [
    {
      ...row,
      label: baseline,
      groups: [healthy(QUICK, 2 * endpoints)],
      run: (environment) => fanOutOnce(environment, endpoints),
    },
    {
      ...row,
      label: `one event, ${endpoints.toLocaleString('en')} endpoints, ${half.toLocaleString('en')} silent`,
      baseline,
      groups: [healthy(QUICK, half), silent, { ...healthy('warm', endpoints), sharedWorkspace: true }],
      async run(environment, baseline) {
        const outcome = await fanOutOnce(environment, half, { measured: 0 });
        return {
          ...outcome,
          figures(evidence) {
            const figures = outcome.figures(evidence);
            return [...figures, ratioFigure('times p99', 'p99', { figures, baseline }, LIMIT)];
          },
        };
      },
    },
  ];
}
