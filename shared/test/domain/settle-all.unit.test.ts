import { expect } from 'chai';
import type { Delivery } from '../../src/domain/delivery.js';
import type { Endpoint } from '../../src/domain/endpoint.js';
import type { DeliveryId } from '../../src/domain/id.js';
import { settleAll } from '../../src/domain/settle-all.js';
import {
  aCancellation,
  aDelivery,
  aFailedDelivery,
  aFailingEndpoint,
  anAttemptObservation,
  anEndpoint,
  answered,
  aTerminalDelivery,
  idFor,
  later,
  NOON,
} from '../../src/testing/builders.js';

const STEP_MS = 30_000;
const A = idFor('delivery', 'a');
const B = idFor('delivery', 'b');
const C = idFor('delivery', 'c');
const OTHER = idFor('endpoint', 'other');

const stored = (deliveries: readonly Delivery[], endpoints: readonly Endpoint[]) => ({
  deliveries: new Map(deliveries.map((row) => [row.id, row])),
  endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])),
});
const attempt = (deliveryId: DeliveryId, httpStatus: number, ordinal = 1) =>
  anAttemptObservation({ deliveryId, ordinal, outcome: answered(httpStatus) });

describe('settleAll', () => {
  it('writes nothing for an empty batch', () => {
    expect(settleAll(stored([], []), [], STEP_MS)).to.deep.equal({
      deliveries: [],
      attempts: [],
      endpoints: [],
      audits: [],
      announcements: [],
      replayJobs: [],
      results: [],
    });
  });

  it('settles each observation on the results of those before it', () => {
    const rows = stored([aDelivery({ id: A }), aDelivery({ id: B })], [anEndpoint()]);
    const batch = settleAll(rows, [attempt(A, 503), attempt(B, 503), attempt(A, 200, 2)], STEP_MS);
    expect(batch.attempts.map(({ streak }) => streak)).to.deep.equal([
      { version: 1, before: 0, after: 1 },
      { version: 2, before: 1, after: 2 },
      { version: 3, before: 2, after: 0 },
    ]);
  });

  it('writes each row and each endpoint once, in its last state', () => {
    const rows = stored([aDelivery({ id: A }), aDelivery({ id: B })], [anEndpoint()]);
    const batch = settleAll(rows, [attempt(A, 503), attempt(B, 404), attempt(A, 503, 2)], STEP_MS);
    const written = batch.deliveries.map(({ id, status, attempts }) => [id, status, attempts]);
    expect(written).to.have.deep.members([
      [A, 'failed', 2],
      [B, 'failed_permanent', 1],
    ]);
    expect(batch.endpoints).to.have.length(1);
    expect(batch.endpoints[0]).to.include({ consecutiveFailures: 3, streakVersion: 3 });
  });

  it('keeps the first observation of an attempt', () => {
    const rows = stored([aDelivery({ id: A })], [anEndpoint()]);
    const batch = settleAll(rows, [attempt(A, 503), attempt(A, 200), attempt(A, 404)], STEP_MS);
    expect(batch.results.map(({ isStored }) => isStored)).to.deep.equal([true, false, false]);
    expect(batch.attempts).to.have.length(1);
    expect(batch.deliveries[0]).to.include({ status: 'failed', attempts: 1 });
    expect(batch.endpoints[0]?.consecutiveFailures).to.equal(1);
  });

  it('recognises an attempt that an earlier commit stored, and stores a repeated one once', () => {
    const rows = stored([aDelivery({ id: A })], [anEndpoint()]);
    const twice = settleAll(rows, [attempt(A, 503), attempt(A, 503)], STEP_MS);
    expect(twice.results.map(({ isStored }) => isStored)).to.deep.equal([true, false]);
    const committed = { ...rows, deliveries: new Map(twice.deliveries.map((row) => [row.id, row])) };
    const again = settleAll(committed, [attempt(A, 503)], STEP_MS);
    expect(again.results.map(({ isStored }) => isStored)).to.deep.equal([true]);
    expect(again).to.deep.include({ deliveries: [], attempts: [], endpoints: [] });
  });

  it('returns the result of each observation in the given order', () => {
    const terminal = aTerminalDelivery('delivered', { id: C });
    const rows = stored([aFailedDelivery(1, { id: A }), terminal], [anEndpoint()]);
    const observations = [attempt(C, 503, 2), attempt(A, 503, 2), attempt(B, 200)];
    const { results } = settleAll(rows, observations, STEP_MS);
    expect(results.map(({ observation }) => observation)).to.deep.equal(observations);
    expect(results.map(({ isStored }) => isStored)).to.deep.equal([false, true, false]);
    expect(results[0]?.after).to.deep.equal({ delivery: terminal, endpoint: anEndpoint() });
    expect(results[1]?.after.delivery?.attempts).to.equal(2);
    expect(results[1]?.after.endpoint?.consecutiveFailures).to.equal(1);
    expect(results[2]?.after).to.deep.equal({ delivery: null, endpoint: results[1]?.after.endpoint });
  });

  it('writes no attempt for a missing row', () => {
    const batch = settleAll(stored([], [anEndpoint()]), [attempt(A, 503)], STEP_MS);
    expect(batch).to.deep.include({ attempts: [], deliveries: [], endpoints: [] });
  });

  it('records an attempt whose endpoint is missing', () => {
    const batch = settleAll(stored([aDelivery({ id: A })], []), [attempt(A, 503)], STEP_MS);
    expect(batch.attempts).to.have.length(1);
    expect(batch.endpoints).to.deep.equal([]);
    expect(batch.results[0]?.after.endpoint).to.equal(null);
  });

  it('writes no endpoint when all succeed on a streak of 0', () => {
    const rows = stored([aDelivery({ id: A }), aDelivery({ id: B })], [anEndpoint()]);
    const batch = settleAll(rows, [attempt(A, 200), attempt(B, 204)], STEP_MS);
    expect(batch.endpoints).to.deep.equal([]);
    expect(batch.deliveries).to.have.length(2);
    expect(batch.results[0]?.after.endpoint).to.deep.equal(anEndpoint());
  });

  it('disables an endpoint once within a batch and does not change it afterwards', () => {
    const rows = stored(
      [A, B, C].map((id) => aDelivery({ id })),
      [aFailingEndpoint(18)],
    );
    const observations = [attempt(A, 503), attempt(B, 503), attempt(C, 503), attempt(A, 200, 2)];
    const batch = settleAll(rows, observations, STEP_MS);
    expect(batch.attempts.map(({ streak }) => streak?.after ?? null)).to.deep.equal([19, 20, null, null]);
    expect(batch.endpoints[0]).to.include({ consecutiveFailures: 20, enabled: false });
    expect(batch.audits).to.have.length(1);
    expect(batch.announcements).to.have.length(1);
  });

  it('announces the disabling with the trace of the delivery that caused it', () => {
    const rows = stored([aDelivery({ id: A, traceId: 'a'.repeat(32) })], [aFailingEndpoint(19)]);
    const [announcement] = settleAll(rows, [attempt(A, 503)], STEP_MS).announcements;
    expect(announcement?.traceId).to.equal('a'.repeat(32));
    expect(announcement?.notification.kind).to.equal('endpoint_disabled');
  });

  it('returns the replay job of a recovery, with an audit entry of each', () => {
    const waiting = aFailingEndpoint(20, {
      enabled: false,
      disabledReason: 'consecutive_failures',
      disabledAt: NOON,
      recovery: 'probe',
    });
    const rows = stored([aDelivery({ id: A, probeOf: NOON }), aDelivery({ id: B })], [waiting]);
    const { audits, replayJobs } = settleAll(rows, [attempt(A, 200), attempt(B, 200)], STEP_MS);
    expect(replayJobs.map(({ held }) => held?.since)).to.deep.equal([NOON]);
    const actions = ['webhook_endpoint.enabled', 'webhook.replay_job_created'];
    expect(audits.map(({ action }) => action)).to.deep.equal(actions);
  });

  it('ends a delivery whose endpoint an earlier observation of the batch disabled', () => {
    const rows = stored([aDelivery({ id: A }), aDelivery({ id: B })], [aFailingEndpoint(19)]);
    const cancellation = aCancellation({ deliveryId: B });
    const before = settleAll(rows, [cancellation, attempt(A, 503)], STEP_MS);
    expect(before.results.map(({ isStored }) => isStored)).to.deep.equal([false, true]);
    const after = settleAll(rows, [attempt(A, 503), cancellation], STEP_MS);
    expect(after.results[1]?.after.delivery).to.include({ failureReason: 'endpoint_disabled', attempts: 0 });
  });

  it('settles endpoints independently', () => {
    const rows = stored(
      [aDelivery({ id: A }), aDelivery({ id: B, endpointId: OTHER })],
      [anEndpoint(), aFailingEndpoint(4, { id: OTHER })],
    );
    const toOther = anAttemptObservation({ deliveryId: B, endpointId: OTHER, endedAt: later(1) });
    const batch = settleAll(rows, [attempt(A, 503), toOther], STEP_MS);
    const streaks = new Map(batch.endpoints.map(({ id, consecutiveFailures }) => [id, consecutiveFailures]));
    expect(streaks.get(anEndpoint().id)).to.equal(1);
    expect(streaks.get(OTHER)).to.equal(0);
  });
});
