import { expect } from 'chai';
import { deadLetter } from '../../src/domain/dead-letter.js';
import { derivedId } from '../../src/domain/id.js';
import {
  aFailedDelivery,
  aFailingEndpoint,
  anEndpoint,
  aTerminalDelivery,
  DELIVERY_ID,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';

const OUTAGE = later(-60_000);
const exhausted = aFailedDelivery(7, { failingSince: OUTAGE });
const another = aFailedDelivery(7, { id: idFor('delivery', 'another'), failingSince: OUTAGE });

describe('deadLetter', () => {
  it('makes the row terminal and keeps its attempts and its last HTTP attempt', () => {
    expect(deadLetter(exhausted, anEndpoint(), NOON)?.delivery).to.deep.equal({
      ...exhausted,
      status: 'dead_lettered',
      failureReason: 'retries_exhausted',
      nextAttemptAt: null,
      dueAt: null,
    });
  });

  it('adds a bookkeeping record at the next ordinal, without HTTP fields and without a streak step', () => {
    expect(deadLetter(exhausted, anEndpoint(), NOON)?.attempt).to.deep.equal({
      deliveryId: DELIVERY_ID,
      workspaceId: WORKSPACE_ID,
      endpointId: ENDPOINT_ID,
      ordinal: 8,
      status: 'dead_lettered',
      httpStatus: null,
      failureReason: 'retries_exhausted',
      attemptedAt: NOON,
      durationMs: null,
      requestHeaders: null,
      responseBody: null,
      streak: null,
    });
  });

  it('notifies the workspace that the endpoint stopped receiving', () => {
    const notification = deadLetter(exhausted, anEndpoint(), NOON)?.notification;
    expect(notification).to.deep.include({
      workspaceId: WORKSPACE_ID,
      kind: 'endpoint_stopped_receiving',
      endpointId: ENDPOINT_ID,
      data: { deliveryId: DELIVERY_ID, failingSince: OUTAGE.toISOString() },
      createdAt: NOON,
    });
    expect(notification?.message)
      .to.include('https://hooks.example.com stopped receiving')
      .and.include('after 7 attempts (the last one: HTTP 503). Replay');
    expect(JSON.stringify(notification)).not.to.include('s3cret');
  });

  it('changes no endpoint: it neither counts a failure nor reverts a re-enable', () => {
    for (const endpoint of [anEndpoint(), aFailingEndpoint(19), anEndpoint({ enabled: false }), null]) {
      expect(deadLetter(exhausted, endpoint, NOON)).to.have.all.keys('delivery', 'attempt', 'notification');
    }
  });

  it('gives the notification of an outage the same id for every delivery and time', () => {
    const first = deadLetter(exhausted, anEndpoint(), NOON)?.notification.id;
    expect(first).to.equal(derivedId('notification', OUTAGE, `stopped receiving ${ENDPOINT_ID}`));
    expect(deadLetter(another, anEndpoint(), later(5_000))?.notification.id).to.equal(first);
    expect(deadLetter(another, null, later(5_000))?.notification.id).to.equal(first);
  });

  it('gives different notification ids to the next outage and to outages of other endpoints', () => {
    const first = deadLetter(exhausted, anEndpoint(), NOON)?.notification.id;
    const next = aFailedDelivery(7, { failingSince: later(1, OUTAGE) });
    const elsewhere = aFailedDelivery(7, {
      failingSince: OUTAGE,
      endpointId: idFor('endpoint', 'elsewhere'),
    });
    expect(deadLetter(next, anEndpoint(), NOON)?.notification.id).not.to.equal(first);
    expect(deadLetter(elsewhere, anEndpoint(), NOON)?.notification.id).not.to.equal(first);
  });

  it('identifies a removed endpoint by its id in the message', () => {
    expect(deadLetter(exhausted, null, NOON)?.notification.message).to.include(
      `${ENDPOINT_ID} stopped receiving`,
    );
  });

  it('uses the creation time of the delivery if the start of the outage is unknown', () => {
    const row = aFailedDelivery(7, { failingSince: null, createdAt: later(-7) });
    expect(deadLetter(row, anEndpoint(), NOON)?.notification.data).to.include({
      failingSince: later(-7).toISOString(),
    });
  });

  it('returns null for a delivery that is missing, terminal or has attempts left', () => {
    expect(deadLetter(null, anEndpoint(), NOON)).to.equal(null);
    for (const status of ['delivered', 'failed_permanent', 'dead_lettered'] as const) {
      expect(deadLetter(aTerminalDelivery(status, { attempts: 7 }), anEndpoint(), NOON), status).to.equal(
        null,
      );
    }
    for (const attempts of [1, 6]) {
      expect(deadLetter(aFailedDelivery(attempts), anEndpoint(), NOON), `${attempts}`).to.equal(null);
    }
  });

  it('returns null for a delivery that an earlier dead letter ended', () => {
    expect(deadLetter(deadLetter(exhausted, null, NOON)?.delivery ?? null, null, NOON)).to.equal(null);
  });
});
