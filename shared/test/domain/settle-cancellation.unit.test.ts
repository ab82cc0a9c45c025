import { expect } from 'chai';
import { disabledSince } from '../../src/domain/disabled-period.js';
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
const cancel = (situation: Situation, ordinal = 1) => settle(situation, aCancellation({ ordinal }), STEP_MS);

describe('closedReason', () => {
  const TABLE = [
    ['that is enabled', anEndpoint(), null],
    ['that is disabled', disabled, 'endpoint_disabled'],
    ['that is deleted', deleted, 'endpoint_deleted'],
    ['that was disabled and then deleted', { ...disabled, deletedAt: NOON }, 'endpoint_deleted'],
    ['that is missing', null, 'endpoint_deleted'],
  ] as const;
  for (const [name, endpoint, reason] of TABLE) {
    it(`is ${reason} for an endpoint ${name}`, () => expect(closedReason(endpoint)).to.equal(reason));
  }
});

describe('settle, for an endpoint that no longer receives deliveries', () => {
  it('ends the delivery with a bookkeeping record and keeps its last HTTP attempt', () => {
    const row = aFailedDelivery(2);
    const settlement = cancel({ delivery: row, endpoint: disabled }, 3);
    expect(settlement?.delivery).to.deep.equal({
      ...row,
      status: 'failed_permanent',
      failureReason: 'endpoint_disabled',
      nextAttemptAt: null,
      dueAt: null,
      heldSince: disabledSince(disabled),
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
      const settlement = cancel({ delivery: aDelivery(), endpoint });
      expect(settlement?.delivery).to.include({
        failureReason: 'endpoint_deleted',
        attempts: 0,
        lastAttempt: null,
      });
      expect(settlement?.delivery, 'is not held').to.not.have.property('heldSince');
      expect(settlement?.attempt.failureReason).to.equal('endpoint_deleted');
    }
  });

  it('counts no failure and writes no audit entry, even after 19 failures of the endpoint', () => {
    const endpoint = aFailingEndpoint(19, { enabled: false });
    const settlement = cancel({ delivery: aDelivery(), endpoint });
    expect(settlement).to.include({ endpoint: null, audit: null, notification: null });
    expect(settlement?.attempt.streak).to.equal(null);
  });

  it('writes nothing if the endpoint has been enabled again', () => {
    expect(cancel({ delivery: aDelivery(), endpoint: anEndpoint() })).to.equal(null);
  });

  it('writes nothing for an ordinal that is not the next one of the row', () => {
    for (const ordinal of [1, 2, 4]) {
      expect(cancel({ delivery: aFailedDelivery(2), endpoint: disabled }, ordinal)).to.equal(null);
    }
  });

  it('writes nothing if the row is missing or terminal', () => {
    expect(cancel({ delivery: null, endpoint: disabled })).to.equal(null);
    for (const status of ['delivered', 'failed_permanent', 'dead_lettered'] as const) {
      const delivery = aTerminalDelivery(status, { attempts: 1 });
      expect(cancel({ delivery, endpoint: disabled }, 2), status).to.equal(null);
    }
  });

  it('writes nothing after the seventh failure, because the dead-letter consumer ends that row', () => {
    expect(cancel({ delivery: aFailedDelivery(7), endpoint: disabled }, 8)).to.equal(null);
  });

  it('writes nothing for an attempt in flight once the delivery was cancelled', () => {
    const closed = cancel({ delivery: aFailedDelivery(2), endpoint: disabled }, 3);
    const late = anAttemptObservation({ ordinal: 3, outcome: answered(200), endedAt: later(1_000) });
    expect(settle({ delivery: closed!.delivery, endpoint: anEndpoint() }, late, STEP_MS)).to.equal(null);
  });
});
