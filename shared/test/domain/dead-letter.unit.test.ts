import { expect } from 'chai';
import { bury } from '../../src/domain/dead-letter.js';
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

describe('bury', () => {
  it('makes the row terminal and leaves attempts and HTTP evidence as they are', () => {
    expect(bury(exhausted, anEndpoint(), NOON)?.delivery).to.deep.equal({
      ...exhausted,
      status: 'dead_lettered',
      failureReason: 'retries_exhausted',
      nextAttemptAt: null,
      dueAt: null,
    });
  });

  it('adds a bookkeeping record at the next ordinal, without HTTP evidence and without a step of the streak', () => {
    expect(bury(exhausted, anEndpoint(), NOON)?.attempt).to.deep.equal({
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

  it('tells the workspace that the endpoint stopped receiving', () => {
    const notification = bury(exhausted, anEndpoint(), NOON)?.notification;
    expect(notification).to.deep.include({
      workspaceId: WORKSPACE_ID,
      kind: 'endpoint_stopped_receiving',
      endpointId: ENDPOINT_ID,
      data: { deliveryId: DELIVERY_ID, failingSince: OUTAGE.toISOString() },
      createdAt: NOON,
    });
    expect(notification?.message).to.include('https://hooks.example.com stopped receiving');
    expect(JSON.stringify(notification)).not.to.include('s3cret');
  });

  it('touches no endpoint: it neither counts a failure nor undoes a re-enable', () => {
    for (const endpoint of [anEndpoint(), aFailingEndpoint(19), anEndpoint({ enabled: false }), null]) {
      expect(bury(exhausted, endpoint, NOON)).to.have.all.keys('delivery', 'attempt', 'notification');
    }
  });

  it('announces an outage under one id, however many deliveries it buries and whenever', () => {
    const first = bury(exhausted, anEndpoint(), NOON)?.notification.id;
    expect(first).to.equal(derivedId('notification', OUTAGE, `stopped receiving ${ENDPOINT_ID}`));
    expect(bury(another, anEndpoint(), later(5_000))?.notification.id).to.equal(first);
    expect(bury(another, null, later(5_000))?.notification.id).to.equal(first);
  });

  it('announces the next outage, and that of another endpoint, under an id of its own', () => {
    const first = bury(exhausted, anEndpoint(), NOON)?.notification.id;
    const next = { ...exhausted, failingSince: later(1, OUTAGE) };
    const elsewhere = { ...exhausted, endpointId: idFor('endpoint', 'elsewhere') };
    expect(bury(next, anEndpoint(), NOON)?.notification.id).not.to.equal(first);
    expect(bury(elsewhere, anEndpoint(), NOON)?.notification.id).not.to.equal(first);
  });

  it('names the endpoint by its id when nothing is left of it', () => {
    expect(bury(exhausted, null, NOON)?.notification.message).to.include(`${ENDPOINT_ID} stopped receiving`);
  });

  it('dates an outage of which nothing is known from the delivery', () => {
    const row = { ...exhausted, failingSince: null, createdAt: later(-7) };
    expect(bury(row, anEndpoint(), NOON)?.notification.data).to.include({
      failingSince: later(-7).toISOString(),
    });
  });

  it('buries nothing that is gone, terminal or has attempts left', () => {
    expect(bury(null, anEndpoint(), NOON)).to.equal(null);
    for (const status of ['delivered', 'failed_permanent', 'dead_lettered'] as const) {
      expect(bury(aTerminalDelivery(status, { attempts: 7 }), anEndpoint(), NOON), status).to.equal(null);
    }
    for (const attempts of [1, 6]) {
      expect(bury(aFailedDelivery(attempts), anEndpoint(), NOON), `${attempts}`).to.equal(null);
    }
  });

  it('buries a delivery once', () => {
    expect(bury(bury(exhausted, null, NOON)?.delivery ?? null, null, NOON)).to.equal(null);
  });
});
