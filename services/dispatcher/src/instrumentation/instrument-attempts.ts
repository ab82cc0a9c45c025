import { judge } from '@postrider/shared/domain/judge';
import type { AttemptObservation, Observation } from '@postrider/shared/domain/settle';
import type { SettledBatch } from '@postrider/shared/domain/settle-all';
import type { Metrics } from '@postrider/shared/metrics/metrics';
import type { Log } from '@postrider/shared/ports/log';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import type { SendAttempt } from '../engine/sending/send-attempt.js';
import { type AttemptDetails, attemptedLine, reasonOf } from './attempted-line.js';
import type { FailedLines } from './failed-lines.js';
import { createWorstEndpoints } from './worst-endpoints.js';

export interface AttemptInstrumentation {
  sendAttempt(sendAttempt: SendAttempt): SendAttempt;
  settle(settle: SettlementStore['settle']): SettlementStore['settle'];
  /** Attempts that were not all stored are counted when they are settled. */
  record(record: SettlementStore['record']): SettlementStore['record'];
  /** Counts an attempt that cannot be recorded. */
  countPoisoned(): void;
}

interface AttemptInstrumentationParts {
  readonly metrics: Metrics;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Whether a delivered attempt is logged. */
  readonly isSampled: () => boolean;
  /** Decides whether a failed attempt is logged; one that disables its endpoint always is. */
  readonly failedLines: FailedLines;
  /** Monotonic, in milliseconds. */
  readonly monotonicMs: () => number;
}

const UNKNOWN: AttemptDetails = { dueAt: null, phases: null };

/**
 * Counts and logs attempts once they are stored, by decorating the two ports that they pass. It runs thousands of times
 * per second, so it must stay cheap.
 */
export function instrumentAttempts(parts: AttemptInstrumentationParts): AttemptInstrumentation {
  const { log, isSampled, failedLines, monotonicMs } = parts;
  const meters = metersOf(parts);
  const details = new WeakMap<Observation, AttemptDetails>();

  const timed = async <Result>(commit: () => Promise<Result>) => {
    const started = monotonicMs();
    try {
      return { result: await commit(), ms: monotonicMs() - started };
    } catch (error) {
      meters.failed.inc();
      throw error;
    }
  };
  const mayLog = (endpointId: string, isDelivered: boolean): boolean => {
    if (isDelivered) return isSampled();
    const isLogged = failedLines.take(endpointId);
    if (!isLogged) meters.unlogged.inc();
    return isLogged;
  };
  const report = (batch: Pick<SettledBatch, 'audits' | 'results'>, settleMs: number) => {
    meters.batchSize.observe(batch.results.length);
    meters.batchDuration.observe(settleMs / 1_000);
    const disablings = batch.audits.filter(({ action }) => action === 'webhook_endpoint.disabled');
    const disabling = new Set(disablings.map(({ target }) => target.id));
    meters.disabled.inc(disablings.length);
    for (const result of batch.results) {
      const { observation, isStored } = result;
      if (observation.kind === 'cancellation') {
        if (isStored) meters.closed.inc();
        continue;
      }
      const known = details.get(observation) ?? UNKNOWN;
      details.delete(observation);
      const isDelivered = meters.attempted(observation, known, isStored);
      // Failures after it find the endpoint disabled as well.
      const disabled =
        isStored && result.after.endpoint?.enabled === false && disabling.delete(observation.endpointId);
      if (!disabled && !mayLog(observation.endpointId, isDelivered)) continue;
      const facts = { ...known, observation, result, settleMs, disabled };
      log.info(attemptedLine(facts), isDelivered ? 'delivered' : 'not delivered');
    }
    const attempts = failedLines.takeReport();
    if (attempts !== null)
      log.warn(
        { event: 'attempts.not_logged', attempts },
        'more attempts failed than LOG_FAILED_PER_SECOND permits to log: these have no line; all are stored',
      );
  };
  return {
    sendAttempt: (sendAttempt) => async (job, row, endpoint) => {
      const result = await sendAttempt(job, row, endpoint);
      if (result.kind === 'postponed') meters.postponed.inc({ cause: result.cause });
      if (result.kind !== 'attempted') return result;
      const { observation } = result;
      details.set(observation, { dueAt: row.delivery.dueAt, phases: observation.timings ?? null });
      return result;
    },
    settle: (settle) => async (observations, decide) => {
      const { result, ms } = await timed(() => settle(observations, decide));
      report(result, ms);
      return result;
    },
    record: (record) => async (batch, until) => {
      const { result: areStored, ms } = await timed(() => record(batch, until));
      if (areStored) report({ ...batch, audits: [] }, ms);
      return areStored;
    },
    countPoisoned: () => meters.poisoned.inc(),
  };
}

function metersOf({ metrics, monotonicMs }: Pick<AttemptInstrumentationParts, 'metrics' | 'monotonicMs'>) {
  const attempts = metrics.counter('postrider_attempts_total');
  const duration = metrics.histogram('postrider_post_duration_seconds');
  const wait = metrics.histogram('postrider_delivery_wait_seconds');
  const stale = metrics.counter('postrider_stale_observations_total');
  const worst = createWorstEndpoints();
  metrics.gauge('postrider_endpoint_failures', () =>
    worst
      .worst(monotonicMs())
      .map(({ endpointId, failures }) => ({ labels: { endpoint: endpointId }, value: failures })),
  );
  return {
    postponed: metrics.counter('postrider_postponed_attempts_total'),
    closed: metrics.counter('postrider_closed_deliveries_total'),
    disabled: metrics.counter('postrider_endpoints_disabled_total'),
    failed: metrics.counter('postrider_settle_failures_total'),
    poisoned: metrics.counter('postrider_settle_poisoned_total'),
    unlogged: metrics.counter('postrider_unlogged_failures_total'),
    batchSize: metrics.histogram('postrider_settle_batch_size'),
    batchDuration: metrics.histogram('postrider_settle_duration_seconds'),
    /** @returns whether it delivered */
    attempted(observation: AttemptObservation, { dueAt }: AttemptDetails, isStored: boolean): boolean {
      const verdict = judge(observation.outcome);
      const isDelivered = verdict.kind === 'delivered';
      if (observation.durationMs !== null)
        duration.observe({ verdict: verdict.kind }, observation.durationMs / 1_000);
      if (dueAt !== null) wait.observe((observation.attemptedAt.getTime() - dueAt.getTime()) / 1_000);
      if (isStored) attempts.inc({ outcome: reasonOf(verdict) ?? 'delivered' });
      else stale.inc();
      if (!isDelivered) worst.failed(observation.endpointId, monotonicMs());
      return isDelivered;
    },
  };
}
