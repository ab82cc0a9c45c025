import { type EventFilter, storeFilter } from '@postrider/shared/domain/event-filter';
import { healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario } from '../scenario.js';
import { fanOutOnce, QUICK } from './fan-out-once.js';
import { ratioFigure } from './figures.js';

const ENDPOINTS = 10_000;
const WITHOUT = 'no filters';

/** Matches every event of the generator by all its paths. No two are the same, so each is compiled. */
function filterOf(index: number): EventFilter {
  return {
    tokenId: [{ anything_but: [`tok_${index}`, null] }],
    name: ['another', { prefix: 'x' }],
    scopes: ['write', 'read'],
    expiresAt: [{ exists: false }],
  };
}

export const filters: Scenario = {
  name: 'filters',
  about: `One event for ${ENDPOINTS.toLocaleString('en')} endpoints of a workspace, each with a filter of its own.`,
  run(context) {
    const endpoints = countOf(context, ENDPOINTS);
    const group = healthy(QUICK, 2 * endpoints);
    return measureDeliveries(context, [
      {
        label: WITHOUT,
        groups: [group],
        perWorkspace: endpoints,
        run: (environment) => fanOutOnce(environment, endpoints),
      },
      {
        label: 'a filter at each endpoint',
        baseline: WITHOUT,
        groups: [{ ...group, filter: (index) => storeFilter(filterOf(index)) }],
        perWorkspace: endpoints,
        async run(environment, baseline) {
          const outcome = await fanOutOnce(environment, endpoints);
          return {
            ...outcome,
            figures(evidence) {
              const figures = outcome.figures(evidence);
              const kept = { atLeast: 0.5 };
              return [
                ...figures,
                ratioFigure('share of the rate', 'deliveries', { figures, baseline }, kept),
              ];
            },
          };
        },
      },
    ]);
  },
};
