import type { Metrics } from '@postrider/shared/metrics/metrics';
import type { RequestFacts } from './access-log.js';
import { type ByteBudget, createByteBudget } from './byte-budget.js';

/** The label of requests without an operation: health checks, documents and unknown paths. */
const NO_OPERATION = 'none';
const TOO_MANY = 429;

/** Registers the metrics of requests. Labels come from the document, never from the request itself. */
export function registerRequestMetrics(metrics: Metrics): (facts: RequestFacts) => void {
  const requests = metrics.counter('postrider_http_requests_total');
  const duration = metrics.histogram('postrider_http_request_duration_seconds');
  const rateLimited = metrics.counter('postrider_rate_limited_total');
  return ({ operation, bucket, status, durationMs }) => {
    const labels = { operation: operation ?? NO_OPERATION };
    requests.inc({ ...labels, status: status === null ? 'gone' : String(status) });
    if (durationMs !== null) duration.observe(labels, durationMs / 1_000);
    if (status === TOO_MANY && bucket !== null) rateLimited.inc({ bucket });
  };
}

const MIB = 1_024 * 1_024;

/** The budgets of a process, in bytes, with their metrics: the reserved bytes, and the refusals for lack of room. */
const BUDGETS = {
  bodies: {
    maxBytes: 96 * MIB,
    reserved: 'postrider_request_body_bytes',
    refused: 'postrider_request_bodies_refused_total',
  },
  answers: {
    maxBytes: 64 * MIB,
    reserved: 'postrider_answer_bytes',
    refused: 'postrider_answers_refused_total',
  },
} as const;

/** Creates the budget of request bodies and the values in them, or of large answers, and registers its metrics. */
export function createMeteredBudget(
  metrics: Metrics,
  of: keyof typeof BUDGETS,
  maxBytes: number = BUDGETS[of].maxBytes,
): ByteBudget {
  const names = BUDGETS[of];
  const refused = metrics.counter(names.refused);
  const budget = createByteBudget(maxBytes, () => refused.inc());
  metrics.gauge(names.reserved, budget.reserved);
  return budget;
}
