import { MAX_ATTEMPTS, MAX_RETRIES } from '@postrider/shared/domain/retry-policy';
import type { DeliveryRecord } from '../account/delivery-records.js';
import { failing, healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario } from '../scenario.js';
import { deliveriesOf, distributionFigures, lagFigure, memoryFigure } from './figures.js';
import { observe, publishStreams, warmUp } from './load.js';

const STEP_MS = 500;
const DELIVERIES = 1_667;
const PER_SECOND = 100;
/** Enough endpoints that none fails twenty times between two successes, which would disable it. */
const ENDPOINTS = 600;

export const delay: Scenario = {
  name: 'delay',
  about: `How late retries arrive: every delivery fails ${MAX_RETRIES} times and so waits in every tier.`,
  run: (context) =>
    measureDeliveries(context, [
      {
        label: 'retries over all tiers',
        groups: [
          failing('flaky', ENDPOINTS, MAX_RETRIES, { attempts: MAX_ATTEMPTS, status: 'delivered' }),
          // For the warm-up only.
          healthy('quick', 100),
        ],
        env: { RETRY_STEP: `${STEP_MS}ms` },
        async run(environment) {
          await warmUp(environment);
          const seconds = countOf(context, DELIVERIES) / PER_SECOND;
          const streams = [{ group: 'flaky', perSecond: PER_SECOND }];
          const { published, processes } = await observe(
            environment,
            () => publishStreams(environment, streams, { seconds }),
            'drained',
          );
          return {
            deliveries: published.events * MAX_ATTEMPTS,
            processes,
            figures({ records }) {
              const lateness = latenessOf(deliveriesOf(records, published, ['flaky']), STEP_MS);
              const goals = { min: { atLeast: 0 }, p99: { atMost: 250 } };
              return [
                ...distributionFigures(lateness, ['min', 'p50', 'p95', 'p99', 'max'], goals),
                lagFigure(published),
                memoryFigure(processes),
              ];
            },
          };
        },
      },
    ]),
};

/** The lateness of each retry, in milliseconds. */
export function latenessOf(records: readonly Pick<DeliveryRecord, 'arrivals'>[], stepMs: number): number[] {
  return records.flatMap(({ arrivals }) =>
    arrivals.slice(1).map((at, index) => at - arrivals[index]! - (index + 1) * stepMs),
  );
}
