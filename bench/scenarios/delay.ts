import { MAX_RETRIES } from '@postrider/shared/domain/retry-policy';
import type { DeliveryRecord } from '../account/delivery-record.js';
import { type Bench, countOf } from '../bench.js';
import { withEnvironment } from '../environment/with-environment.js';
import { distributionOf } from '../measure/quantile.js';
import type { Row } from '../report/row.js';
import { workspacesOf } from '../world/population.js';
import { deliveriesOf, lagFigure, memoryFigure } from './figures.js';
import { answering, healthy, upTo } from './groups.js';
import type { Scenario } from './scenario.js';
import { warmUp } from './warm-up.js';

const GROUP = 'flaky';
/** Only there to get the dispatcher warm. */
const WARM_UP_GROUP = 'quick';
const STEP_MS = 500;
const RETRIES = 10_000;
const PER_SECOND = 100;
/** With these, no endpoint fails twenty times between two successes: it would be disabled. */
const ENDPOINTS = 600;
const WARM_UP_ENDPOINTS = 100;

export const delay: Scenario = {
  name: 'delay',
  about:
    `Every delivery fails ${MAX_RETRIES} times, so it waits in every tier; the step is ${STEP_MS} ms, ${PER_SECOND} ` +
    'deliveries begin each second. Lateness is what a retry arrives after its due time: from the arrival of the attempt ' +
    'before, answered at once, plus the delay. It includes the recording of that attempt and the sending of this one.',
  run: async (bench) => [await retries(bench)],
};

function retries(bench: Bench): Promise<Row> {
  const setup = {
    label: 'retries over all tiers',
    groups: [
      { name: GROUP, count: ENDPOINTS, place: answering({ kind: 'fail', times: MAX_RETRIES }) },
      healthy(WARM_UP_GROUP, WARM_UP_ENDPOINTS),
    ],
    promised: [
      { group: GROUP, attempts: MAX_RETRIES + 1 },
      { group: WARM_UP_GROUP, attempts: 1 },
    ],
    env: { RETRY_STEP: `${STEP_MS}ms` },
  };
  return withEnvironment(bench, setup, async (environment) => {
    const deliveries = countOf(bench, Math.ceil(RETRIES / MAX_RETRIES));
    await warmUp(environment, workspacesOf(environment.population, WARM_UP_GROUP));
    const streams = [{ workspaces: workspacesOf(environment.population, GROUP), perSecond: PER_SECOND }];
    const meter = environment.measure();
    const published = await environment.publish({
      kind: 'at-rate',
      streams,
      seconds: deliveries / PER_SECOND,
    });
    await environment.drained();
    const processes = meter.stop();
    return {
      deliveries: published.events * (MAX_RETRIES + 1),
      processes,
      figures: ({ records }) => {
        const byTier = latenessByTier(deliveriesOf(records, published, [GROUP]), STEP_MS);
        const { least, p50, p95, p99, greatest } = distributionOf(byTier.flat());
        return [
          { name: 'earliest', unit: 'ms', value: least, goal: { atLeast: 0 } },
          { name: 'p50', unit: 'ms', value: p50 },
          { name: 'p95', unit: 'ms', value: p95 },
          { name: 'p99', unit: 'ms', value: p99, goal: { atMost: 250 } },
          { name: 'max', unit: 'ms', value: greatest },
          { name: 'worst tier p99', unit: 'ms', value: worstP99(byTier) },
          lagFigure(published),
          memoryFigure(processes),
        ];
      },
    };
  });
}

/** What each retry came too late by, in milliseconds; the tier of the first list is 1. */
export function latenessByTier(
  records: readonly Pick<DeliveryRecord, 'arrivals'>[],
  stepMs: number,
): number[][] {
  return upTo(MAX_RETRIES).map((index) =>
    records.flatMap(({ arrivals }) => {
      const [before, after] = [arrivals[index], arrivals[index + 1]];
      return before === undefined || after === undefined ? [] : [after - before - (index + 1) * stepMs];
    }),
  );
}

function worstP99(byTier: readonly number[][]): number | null {
  const known = byTier.map((values) => distributionOf(values).p99).filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
