import { expect } from 'chai';
import { closedReason } from '../../src/domain/endpoint.js';
import { type Situation, settle } from '../../src/domain/settle.js';
import {
  aCancellation,
  aDelivery,
  aFailedDelivery,
  aFailingEndpoint,
  anAttemptObservation,
  anEndpoint,
  answered,
  aTerminalDelivery,
  later,
  NOON,
} from '../../src/testing/builders.js';

const STEP_MS = 30_000;
const disabled = anEndpoint({ enabled: false });
const deleted = anEndpoint({ deletedAt: NOON });
const close = (situation: Situation, ordinal = 1) => settle(situation, aCancellation({ ordinal }), STEP_MS);

describe('closedReason', () => {
  const TABLE = [
    ['takes deliveries when enabled', anEndpoint(), null],
    ['is disabled', disabled, 'endpoint_disabled'],
    ['is deleted', deleted, 'endpoint_deleted'],
    ['counts as deleted when disabled before', { ...disabled, deletedAt: NOON }, 'endpoint_deleted'],
    ['counts as deleted when nothing is left of it', null, 'endpoint_deleted'],
  ] as const;
  for (const [name, endpoint, reason] of TABLE) {
    it(`an endpoint ${name}`, () => expect(closedReason(endpoint)).to.equal(reason));
  }
});

describe('settle, for an endpoint that no longer receives', () => {
  it('ends the delivery with a bookkeeping record and leaves the HTTP evidence', () => {
    const row = aFailedDelivery(2);
    const settlement = close({ delivery: row, endpoint: disabled }, 3);
    expect(settlement?.delivery).to.deep.equal({
      ...row,
      status: 'failed_permanent',
      failureReason: 'endpoint_disabled',
      nextAttemptAt: null,
      dueAt: null,
    });
    expect(settlement?.attempt).to.deep.equal({
      deliveryId: row.id,
      workspaceId: row.workspaceId,
      endpointId: row.endpointId,
      ordinal: 3,
      status: 'failed_permanent',
      httpStatus: null,
      failureReason: 'endpoint_disabled',
      attemptedAt: NOON,
      durationMs: null,
      requestHeaders: null,
      responseBody: null,
      streak: null,
    });
  });

  it('records that the endpoint was deleted', () => {
    for (const endpoint of [deleted, null]) {
      const settlement = close({ delivery: aDelivery(), endpoint });
      expect(settlement?.delivery).to.include({
        failureReason: 'endpoint_deleted',
        attempts: 0,
        lastAttempt: null,
      });
      expect(settlement?.attempt.failureReason).to.equal('endpoint_deleted');
    }
  });

  it('counts no failure and writes no audit entry, however close the endpoint is to being disabled', () => {
    const endpoint = aFailingEndpoint(19, { enabled: false });
    const settlement = close({ delivery: aDelivery(), endpoint });
    expect(settlement).to.include({ endpoint: null, audit: null, notification: null });
    expect(settlement?.attempt.streak).to.equal(null);
  });

  it('is refused when the endpoint was enabled again meanwhile', () => {
    expect(close({ delivery: aDelivery(), endpoint: anEndpoint() })).to.equal(null);
  });

  it('is refused when the row has moved on since, or is not there yet', () => {
    for (const ordinal of [1, 2, 4]) {
      expect(close({ delivery: aFailedDelivery(2), endpoint: disabled }, ordinal)).to.equal(null);
    }
  });

  it('is ignored if the row is missing or terminal', () => {
    expect(close({ delivery: null, endpoint: disabled })).to.equal(null);
    for (const status of ['delivered', 'failed_permanent', 'dead_lettered'] as const) {
      const delivery = aTerminalDelivery(status, { attempts: 1 });
      expect(close({ delivery, endpoint: disabled }, 2), status).to.equal(null);
    }
  });

  it('is refused after the seventh failure: that row is the dead-letter queue’s', () => {
    expect(close({ delivery: aFailedDelivery(7), endpoint: disabled }, 8)).to.equal(null);
  });

  it('is final: the attempt that was in flight settles nothing any more', () => {
    const closed = close({ delivery: aFailedDelivery(2), endpoint: disabled }, 3);
    const late = anAttemptObservation({ ordinal: 3, outcome: answered(200), endedAt: later(1_000) });
    expect(settle({ delivery: closed!.delivery, endpoint: anEndpoint() }, late, STEP_MS)).to.equal(null);
  });
});
