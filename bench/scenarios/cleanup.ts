import { DAY_MS } from '@postrider/shared/domain/durations';
import { withStoredDeliveries } from '../api/measure-api.js';
import type { Namespace } from '../environment/namespace.js';
import { runJanitor } from '../processes/run-janitor.js';
import type { Row } from '../report/row.js';
import { type Context, countOf, measureRows, type Scenario } from '../scenario.js';
import { memoryFigure, rateFigure } from './figures.js';

const DELIVERIES = 400_000;
const WORKERS = [1, 4];
const UNLIMITED = '1d';

export const cleanup: Scenario = {
  name: 'cleanup',
  about: 'The janitor removes expired deliveries with an attempt each, without other load.',
  run: (context) =>
    measureRows(
      context,
      WORKERS.map((workers) => {
        const label = workers === 1 ? 'one worker' : `${workers} workers`;
        const deliveries = countOf(context, DELIVERIES);
        const measure = (namespace: Namespace) =>
          runCleanup(context, namespace, { label, deliveries, workers });
        // Older than the days that the recount of the same job reads.
        const seeded = { deliveries, statusOf: () => 'delivered' as const, ageMs: 4 * DAY_MS };
        return { label, measure: () => withStoredDeliveries(context, seeded, measure) };
      }),
    ),
};

interface Cleanup {
  readonly label: string;
  readonly deliveries: number;
  readonly workers: number;
}

async function runCleanup(
  context: Context,
  namespace: Namespace,
  { label, deliveries, workers }: Cleanup,
): Promise<Row> {
  context.progress(label);
  const settings = { RETENTION: '3d', TIME_BUDGET: UNLIMITED, CLEANUP_WORKERS: String(workers) };
  const { handled, span, processes } = await runJanitor(context, namespace, { task: 'cleanup', settings });
  const left = await namespace.database.collections.deliveries.estimatedDocumentCount();
  return {
    label,
    figures: [
      rateFigure('removed', handled, span),
      { name: 'took', unit: 's', value: (span.to - span.from) / 1_000 },
      memoryFigure(processes, undefined, 'janitor'),
    ],
    cost: { deliveries, processes },
    mismatches: [
      ...(handled === deliveries ? [] : [`the janitor removed ${handled} of ${deliveries} deliveries`]),
      ...(left === 0 ? [] : [`${left} deliveries are left`]),
    ],
  };
}
