import { expect } from 'chai';
import { derivedId } from '../../src/domain/id.js';
import { type Settlement, settle } from '../../src/domain/settle.js';
import {
  aDelivery,
  aFailedDelivery,
  aFailingEndpoint,
  anAttemptObservation,
  anEndpoint,
  answered,
  DELIVERY_ID,
  ENDPOINT_ID,
  later,
  nameOf,
  unreachable,
  unsendable,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';

const STEP_MS = 30_000;
const ENDED = later(40);
const failure = anAttemptObservation({ ordinal: 2, outcome: answered(503) });
const twentieth = (): Settlement =>
  settle({ delivery: aFailedDelivery(1), endpoint: aFailingEndpoint(19) }, failure, STEP_MS)!;

describe('settle, section 3.2: the streak', () => {
  for (const outcome of [answered(503), answered(404), unreachable(), unsendable()]) {
    it(`counts every accepted failure: ${nameOf(outcome)}`, () => {
      const observation = anAttemptObservation({ outcome });
      const settlement = settle(
        { delivery: aDelivery(), endpoint: aFailingEndpoint(3) },
        observation,
        STEP_MS,
      );
      expect(settlement?.endpoint?.consecutiveFailures).to.equal(4);
      expect(settlement?.attempt.streak).to.deep.equal({ version: 4, before: 3, after: 4 });
    });
  }

  it('is reset by a success', () => {
    const situation = { delivery: aDelivery(), endpoint: aFailingEndpoint(19) };
    const settlement = settle(situation, anAttemptObservation(), STEP_MS);
    expect(settlement?.endpoint).to.include({ consecutiveFailures: 0, failingSince: null, enabled: true });
    expect(settlement?.attempt.streak).to.deep.equal({ version: 20, before: 19, after: 0 });
    expect(settlement).to.include({ audit: null, notification: null });
  });

  it('writes no endpoint for a success on a streak of 0', () => {
    const settlement = settle(
      { delivery: aDelivery(), endpoint: anEndpoint() },
      anAttemptObservation(),
      STEP_MS,
    );
    expect(settlement?.delivery.status).to.equal('delivered');
    expect(settlement?.endpoint).to.equal(null);
    expect(settlement?.attempt.streak).to.equal(null);
  });

  it('does not change while the endpoint is disabled, deleted or missing, but the attempt is recorded', () => {
    const disabled = aFailingEndpoint(20, { enabled: false, disabledReason: 'consecutive_failures' });
    for (const endpoint of [disabled, aFailingEndpoint(19, { deletedAt: ENDED }), null]) {
      for (const outcome of [answered(200), answered(503), answered(404)]) {
        const observation = anAttemptObservation({ ordinal: 2, outcome });
        const settlement = settle({ delivery: aFailedDelivery(1), endpoint }, observation, STEP_MS);
        expect(settlement).to.include({ endpoint: null, audit: null, notification: null });
        expect(settlement?.attempt).to.include({ ordinal: 2, streak: null });
        expect(settlement?.delivery.attempts).to.equal(2);
      }
    }
  });

  it('warns at the 10th failure, without an audit entry, and at no other before the 20th', () => {
    const kindsAt = (before: number) => {
      const situation = { delivery: aFailedDelivery(1), endpoint: aFailingEndpoint(before) };
      const settlement = settle(situation, failure, STEP_MS);
      return settlement?.notification?.kind ?? settlement?.audit?.action ?? null;
    };
    const kinds = Array.from({ length: 19 }, (_, before) => kindsAt(before));
    expect(kinds.flatMap((kind, before) => (kind === null ? [] : [[before + 1, kind]]))).to.deep.equal([
      [10, 'endpoint_failing'],
    ]);
  });

  it('includes in the warning when the failures began, and not the path of the URL', () => {
    const endpoint = aFailingEndpoint(9, { failingSince: later(3) });
    const settled = settle({ delivery: aFailedDelivery(1), endpoint }, failure, STEP_MS);
    expect(settled?.notification).to.deep.include({
      id: derivedId('notification', ENDED, `failing ${DELIVERY_ID}:2`),
      endpointId: ENDPOINT_ID,
      data: { consecutiveFailures: 10, failingSince: later(3).toISOString() },
      createdAt: ENDED,
    });
    expect(settled?.notification?.message)
      .to.include('https://hooks.example.com failed (the last one: HTTP 503). It will')
      .and.not.include('s3cret');
  });

  it('announces nothing at the 19th failure', () => {
    const settlement = settle(
      { delivery: aFailedDelivery(1), endpoint: aFailingEndpoint(18) },
      failure,
      STEP_MS,
    );
    expect(settlement?.endpoint).to.include({ consecutiveFailures: 19, enabled: true });
    expect(settlement).to.include({ audit: null, notification: null });
  });
});

describe('settle, the 20th failure in a row', () => {
  it('disables the endpoint and records the attempt together', () => {
    const { endpoint, attempt, delivery } = twentieth();
    expect(endpoint).to.include({
      enabled: false,
      disabledReason: 'consecutive_failures',
      consecutiveFailures: 20,
    });
    expect(attempt.streak).to.deep.equal({ version: 20, before: 19, after: 20 });
    expect(delivery.status).to.equal('failed');
  });

  it('disables for permanent failures too', () => {
    const situation = { delivery: aDelivery(), endpoint: aFailingEndpoint(19) };
    for (const outcome of [answered(410), unsendable('invalid_url')]) {
      const settlement = settle(situation, anAttemptObservation({ outcome }), STEP_MS);
      expect(settlement?.endpoint?.enabled).to.equal(false);
      expect(settlement?.audit?.action).to.equal('webhook_endpoint.disabled');
    }
  });

  it('writes one audit entry, by the system, with the change of the streak', () => {
    expect(twentieth().audit).to.deep.equal({
      id: derivedId('audit', ENDED, `disabled ${DELIVERY_ID}:2`),
      workspaceId: WORKSPACE_ID,
      action: 'webhook_endpoint.disabled',
      actor: { type: 'system', id: null },
      target: { type: 'endpoint', id: ENDPOINT_ID },
      metadata: {
        reason: 'consecutive_failures',
        origin: 'https://hooks.example.com',
        consecutiveFailures: 20,
      },
      createdAt: ENDED,
      streak: { version: 20, before: 19, after: 20 },
      source: null,
    });
  });

  it('writes one notification with an id that is derived from that of the audit entry', () => {
    const { audit, notification } = twentieth();
    expect(notification).to.deep.include({
      id: derivedId('notification', ENDED, audit!.id),
      workspaceId: WORKSPACE_ID,
      kind: 'endpoint_disabled',
      endpointId: ENDPOINT_ID,
      data: { consecutiveFailures: 20 },
      createdAt: ENDED,
    });
    expect(notification?.message).to.include(
      'https://hooks.example.com was disabled after 20 consecutive failures (the last one: HTTP 503). Repair',
    );
  });

  it('returns the same result when it runs twice', () => {
    expect(twentieth()).to.deep.equal(twentieth());
  });

  it('does not disclose the path of the URL', () => {
    const { audit, notification } = twentieth();
    expect(JSON.stringify([audit, notification])).not.to.include('s3cret');
  });
});
