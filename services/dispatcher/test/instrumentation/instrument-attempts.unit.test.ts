import type { Outcome } from '@postrider/shared/domain/judge';
import type { Observation } from '@postrider/shared/domain/settle';
import { settleAll } from '@postrider/shared/domain/settle-all';
import { createMetrics } from '@postrider/shared/metrics/metrics';
import {
  aCancellation,
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  DELIVERY_ID,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  TRACE_ID,
  WORKSPACE_ID,
} from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { rowToSend } from '../../src/engine/sending/loaded-row.js';
import { createFailedLines } from '../../src/instrumentation/failed-lines.js';
import { instrumentAttempts } from '../../src/instrumentation/instrument-attempts.js';
import { aJob, aSentAttempt, attempted } from '../engine/builders.js';

const PHASES = { connectMs: 2, headersMs: 30, bodyMs: 8 };
const answered = (httpStatus: number): Outcome => ({
  kind: 'answered',
  httpStatus,
  responseBody: 'secret answer',
});

/** Settles one instrumented attempt with this outcome, on a new row that was due two seconds before noon. */
async function settleOne(
  outcome: Outcome,
  { isSampled = true, failures = 0, times = 1, failedPerSecond = 100 } = {},
) {
  const lines: Record<string, unknown>[] = [];
  const metrics = createMetrics('dispatcher', '1');
  let now = 0;
  const write = (facts: unknown) => void lines.push(facts as Record<string, unknown>);
  const metered = instrumentAttempts({
    metrics,
    log: { info: write, warn: write },
    isSampled: () => isSampled,
    failedLines: createFailedLines({ perSecond: failedPerSecond, monotonicMs: () => now }),
    monotonicMs: () => now,
  });
  const delivery = aDelivery({ dueAt: later(-2_000) });
  const endpoint = anEndpoint({ consecutiveFailures: failures });
  const observation = anAttemptObservation({
    outcome,
    durationMs: 40,
    attemptedAt: NOON,
    endedAt: later(40),
    timings: PHASES,
  });
  const sendAttempt = metered.sendAttempt(async () => aSentAttempt(observation));
  const sent = attempted(await sendAttempt(aJob(), rowToSend(delivery), endpoint));
  const stored = {
    deliveries: new Map([[DELIVERY_ID, delivery]]),
    endpoints: new Map([[ENDPOINT_ID, endpoint]]),
  };
  const observations = Array.from({ length: times }, () => sent.observation);
  await metered.settle(async (all, decide) => {
    now += 12;
    expect(all).to.deep.equal(observations);
    return decide(stored);
  })(observations, (found) => settleAll(found, observations, 30_000));
  const exported = (await metrics.text()).split('\n');
  return { lines, has: (line: string) => exported.includes(line) };
}

describe('instrumentAttempts', () => {
  it('logs a delivered attempt in one line', async () => {
    const { lines } = await settleOne(answered(204));
    expect(lines).to.deep.equal([
      {
        event: 'delivery.attempted',
        deliveryId: DELIVERY_ID,
        endpointId: ENDPOINT_ID,
        workspaceId: WORKSPACE_ID,
        eventType: aDelivery().eventType,
        ordinal: 1,
        verdict: 'delivered',
        reason: null,
        httpStatus: 204,
        status: 'delivered',
        recorded: true,
        next: 'done',
        nextAttemptAt: null,
        endpointDisabled: false,
        waitMs: 2_000,
        durationMs: 40,
        ...PHASES,
        settleMs: 12,
        traceId: TRACE_ID,
      },
    ]);
  });

  const outcomes: readonly Outcome[] = [
    answered(200),
    answered(404),
    answered(503),
    { kind: 'unreachable', reason: 'timeout' },
    { kind: 'unsendable', reason: 'blocked_address' },
  ];
  it('logs the same fields for every outcome', async () => {
    const fields = await Promise.all(
      outcomes.map(async (outcome) => Object.keys((await settleOne(outcome)).lines[0]!).join()),
    );
    expect(new Set(fields).size).to.equal(1);
  });

  it('logs the next step after a failure', async () => {
    const { lines } = await settleOne(answered(503));
    const next = { next: 'retry', nextAttemptAt: later(30_040).toISOString(), status: 'failed' };
    expect(lines[0]).to.include({ verdict: 'retryable', reason: 'http_status', httpStatus: 503, ...next });
  });

  it('logs neither the URL nor the response', async () => {
    const { lines } = await settleOne(answered(503));
    expect(JSON.stringify(lines)).not.to.match(/https?:|secret answer/);
  });

  it('omits delivered attempts that are not sampled, but no failed ones', async () => {
    expect((await settleOne(answered(200), { isSampled: false })).lines).to.have.length(0);
    expect((await settleOne(answered(500), { isSampled: false })).lines).to.have.length(1);
  });

  it('logs no failed attempt above the limit, but counts it and says how many there were', async () => {
    const { lines, has } = await settleOne(answered(500), { failedPerSecond: 0 });
    expect(lines).to.deep.equal([{ event: 'attempts.not_logged', attempts: 1 }]);
    expect(has('postrider_unlogged_failures_total 1')).to.equal(true);
  });

  it('logs an attempt that disables its endpoint, whatever the limit is', async () => {
    const { lines } = await settleOne(answered(500), { failedPerSecond: 0, failures: 19 });
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ event: 'delivery.attempted', endpointDisabled: true });
  });

  it('counts delivered attempts and their durations', async () => {
    const { has } = await settleOne(answered(200));
    expect(has('postrider_attempts_total{outcome="delivered"} 1')).to.equal(true);
    expect(has('postrider_post_duration_seconds_bucket{le="0.05",verdict="delivered"} 1')).to.equal(true);
    expect(has('postrider_post_duration_seconds_bucket{le="0.025",verdict="delivered"} 0')).to.equal(true);
    expect(has('postrider_delivery_wait_seconds_sum 2')).to.equal(true);
    expect(has('postrider_settle_batch_size_sum 1')).to.equal(true);
    expect(has('postrider_settle_duration_seconds_sum 0.012')).to.equal(true);
  });

  it('counts failures by reason, and by endpoint for the worst endpoints', async () => {
    const { has } = await settleOne({ kind: 'unreachable', reason: 'timeout' });
    expect(has('postrider_attempts_total{outcome="timeout"} 1')).to.equal(true);
    expect(has(`postrider_endpoint_failures{endpoint="${ENDPOINT_ID}"} 1`)).to.equal(true);
  });

  it('counts a duplicate as stale, not as a second attempt', async () => {
    const { has, lines } = await settleOne(answered(200), { times: 2 });
    expect(has('postrider_attempts_total{outcome="delivered"} 1')).to.equal(true);
    expect(has('postrider_stale_observations_total 1')).to.equal(true);
    expect(lines.map(({ recorded }) => recorded)).to.deep.equal([true, false]);
  });

  it('logs the attempt that disables its endpoint', async () => {
    const { has, lines } = await settleOne(answered(500), { failures: 19 });
    expect(lines[0]).to.include({ endpointDisabled: true });
    expect(has('postrider_endpoints_disabled_total 1')).to.equal(true);
  });

  // Regression: so was each failure that was stored after it in the same batch, beyond the limit of lines.
  it('logs only the attempt of a batch that disables its endpoint as such', async () => {
    const metrics = createMetrics('dispatcher', '1');
    const lines: object[] = [];
    const metered = instrumentAttempts({
      metrics,
      log: { info: (facts) => lines.push(facts), warn: () => {} },
      isSampled: () => true,
      failedLines: createFailedLines({ perSecond: 0, monotonicMs: () => 0 }),
      monotonicMs: () => 0,
    });
    const rows = ['19th', '20th', '21st'].map((name) => aDelivery({ id: idFor('delivery', name) }));
    const failures = rows.map(({ id: deliveryId }) =>
      anAttemptObservation({ deliveryId, outcome: answered(500) }),
    );
    const stored = {
      deliveries: new Map(rows.map((row) => [row.id, row])),
      endpoints: new Map([[ENDPOINT_ID, anEndpoint({ consecutiveFailures: 18, streakVersion: 18 })]]),
    };
    await metered.settle(async (_, decide) => decide(stored))(failures, (found) =>
      settleAll(found, failures, 1),
    );
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ deliveryId: rows[1]?.id, endpointDisabled: true });
  });

  it('counts cancellations, failed commits and attempts that cannot be recorded', async () => {
    const metrics = createMetrics('dispatcher', '1');
    const metered = instrumentAttempts({
      metrics,
      log: { info: () => {}, warn: () => {} },
      isSampled: () => true,
      failedLines: createFailedLines({ perSecond: 100, monotonicMs: () => 0 }),
      monotonicMs: () => 0,
    });
    const closures: Observation[] = [aCancellation()];
    const stored = {
      deliveries: new Map([[DELIVERY_ID, aDelivery()]]),
      endpoints: new Map([[ENDPOINT_ID, anEndpoint({ enabled: false })]]),
    };
    await metered.settle(async (_, decide) => decide(stored))(closures, (found) =>
      settleAll(found, closures, 1),
    );
    const failing = metered.settle(() => Promise.reject(new Error('away')));
    const error: unknown = await failing(closures, (found) => settleAll(found, closures, 1)).catch(
      (one) => one,
    );
    expect(error).to.have.property('message', 'away');
    metered.countPoisoned();
    const exported = await metrics.text();
    expect(exported).to.contain('postrider_settle_poisoned_total 1\n');
    expect(exported).to.contain('postrider_closed_deliveries_total 1\n');
    expect(exported).to.contain('postrider_settle_failures_total 1\n');
  });
});
