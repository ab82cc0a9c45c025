import type { Environment } from '../environment/environment.js';
import type { Evidence, Outcome } from '../environment/run-measurement.js';
import type { Figure, Goal } from '../report/row.js';
import { deliveriesOf, latencyFigures, memoryFigure, rateFigure } from './figures.js';
import { observe } from './load.js';

/** The group of all endpoints. */
export const QUICK = 'quick';

interface FanOut {
  readonly memoryGoal?: Goal;
  /** The index of the workspace that is measured; the other one is for the warm-up. */
  readonly measured?: 0 | 1;
}

/** Publishes one event in one workspace for the warm-up, and measures one in another. */
export async function fanOutOnce(
  environment: Environment,
  endpoints: number,
  { memoryGoal, measured = 1 }: FanOut = {},
): Promise<Outcome> {
  const one = { kind: 'flat-out', events: 1 } as const;
  await environment.publish({ ...one, workspaces: [1 - measured] });
  await environment.drained();
  const { published, processes, drainedAt } = await observe(
    environment,
    () => environment.publish({ ...one, workspaces: [measured] }),
    'drained',
  );
  return {
    deliveries: endpoints,
    processes,
    figures({ records }: Evidence): readonly Figure[] {
      const deliveries = deliveriesOf(records, published, [QUICK]);
      const from = deliveries[0]?.createdAt ?? Number.NaN;
      return [
        ...latencyFigures(deliveries),
        { name: 'all settled', unit: 'ms', value: drainedAt && drainedAt - from },
        rateFigure('deliveries', endpoints, { from, to: drainedAt }),
        memoryFigure(processes, memoryGoal),
      ];
    },
  };
}
