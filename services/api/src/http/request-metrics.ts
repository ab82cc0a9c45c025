import type { Metrics } from '@postrider/shared/metrics/metrics';
import type { RequestFacts } from './access-log.js';
import { type BodyBudget, createBodyBudget } from './body-budget.js';

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

/** Creates the budget of large answers and registers its metrics. */
export function createMeteredAnswers(metrics: Metrics, mostBytes?: number): BodyBudget {
  const refused = metrics.counter('postrider_answers_refused_total');
  const answers = createBodyBudget(mostBytes, () => refused.inc());
  metrics.gauge('postrider_answer_bytes', answers.reserved);
  return answers;
}

/** Creates the budget of request bodies and registers its metrics. */
export function createMeteredBodies(metrics: Metrics, mostBytes?: number): BodyBudget {
  const refused = metrics.counter('postrider_request_bodies_refused_total');
  const bodies = createBodyBudget(mostBytes, () => refused.inc());
  metrics.gauge('postrider_request_body_bytes', bodies.reserved);
  return bodies;
}
