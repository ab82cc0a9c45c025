import type { Environment } from '../environment/environment.js';
import type { Evidence, Outcome } from '../environment/run-measurement.js';
import type { Figure, Goal } from '../report/row.js';
import { deliveriesOf, latencyFigures, memoryFigure, rateFigure } from './figures.js';
import { observe } from './load.js';

/** The group of all endpoints. */
export const QUICK = 'quick';

/** Publishes one event in a first workspace for the warm-up and measures one in a second workspace. */
export async function fanOutOnce(
  environment: Environment,
  endpoints: number,
  memoryGoal?: Goal,
): Promise<Outcome> {
  const one = { kind: 'flat-out', events: 1 } as const;
  await environment.publish({ ...one, workspaces: [0] });
  await environment.drained();
  const { published, processes, drainedAt } = await observe(
    environment,
    () => environment.publish({ ...one, workspaces: [1] }),
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
