import { expect } from 'chai';
import { createdOutcomes, settledOutcomes } from '../../src/domain/delivery-outcome.js';
import type { Observation } from '../../src/domain/settle.js';
import { settleAll } from '../../src/domain/settle-all.js';
import {
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  aTerminalDelivery,
  DELIVERY_ID,
  ENDPOINT_ID,
  later,
  NOON,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';

const EVENT_ID = String(aDelivery().payload.eventId);

function settledOn(
  delivery = aDelivery(),
  observation: Observation = anAttemptObservation(),
  enabled = true,
) {
  const endpoint = anEndpoint(
    enabled ? {} : { enabled: false, disabledReason: 'operator', disabledAt: NOON },
  );
  const stored = {
    deliveries: new Map([[delivery.id, delivery]]),
    endpoints: new Map([[endpoint.id, endpoint]]),
  };
  const [result] = settleAll(stored, [observation], 30_000).results;
  return settledOutcomes(result!, EVENT_ID);
}

describe('outcomes of deliveries', () => {
  it('has one outcome for a new row, with its event and without an attempt', () => {
    const [created, ...others] = createdOutcomes([aDelivery()], NOON);
    expect(others).to.deep.equal([]);
    expect(created).to.include({ kind: 'delivery.created', id: `${DELIVERY_ID}.created`, at: NOON });
    expect(created!.value).to.deep.equal({
      workspaceId: WORKSPACE_ID,
      deliveryId: DELIVERY_ID,
      endpointId: ENDPOINT_ID,
      eventId: EVENT_ID,
      eventType: 'billing.plan_changed',
      status: 'pending',
      attempts: 0,
      httpStatus: null,
      failureReason: null,
      durationMs: null,
    });
  });

  it('reports a row that is stored as ended as created and ended', () => {
    const kinds = createdOutcomes([aTerminalDelivery('failed_permanent')], NOON).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['delivery.created', 'delivery.ended']);
  });

  it('reports a success as an attempt and an end, both with the response', () => {
    const endedAt = later(40);
    const outcome = answered(204);
    const outcomes = settledOn(aDelivery(), anAttemptObservation({ outcome, endedAt, durationMs: 40 }));
    expect(outcomes.map(({ kind, id, at }) => [kind, id, at])).to.deep.equal([
      ['delivery.attempted', `${DELIVERY_ID}.1`, endedAt],
      ['delivery.ended', `${DELIVERY_ID}.ended`, endedAt],
    ]);
    for (const { value } of outcomes)
      expect(value).to.include({ status: 'delivered', attempts: 1, httpStatus: 204, durationMs: 40 });
  });

  it('reports a failure that is retried as an attempt alone', () => {
    const outcomes = settledOn(aDelivery(), anAttemptObservation({ outcome: answered(503) }));
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['delivery.attempted']);
    expect(outcomes[0]!.value).to.include({
      status: 'failed',
      failureReason: 'http_status',
      httpStatus: 503,
    });
  });

  it('reports a delivery that is closed without an attempt as ended alone', () => {
    const { deliveryId, endpointId, ordinal, endedAt } = anAttemptObservation();
    const cancellation = { kind: 'cancellation', deliveryId, endpointId, ordinal, endedAt } as const;
    const outcomes = settledOn(aDelivery(), cancellation, false);
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['delivery.ended']);
    expect(outcomes[0]!.value).to.include({ failureReason: 'endpoint_disabled', attempts: 0 });
  });

  it('reports nothing for an observation that is not stored', () => {
    expect(settledOn(aTerminalDelivery('delivered'))).to.deep.equal([]);
  });
});
