import { expect } from 'chai';
import type { BookkeepingRecord, DeliveryState, HttpAttempt } from '../../src/domain/delivery.js';
import type { Endpoint } from '../../src/domain/endpoint.js';

/** True if `Part` is assignable to some member of `Whole`; evaluated by the compiler. */
type Fits<Part, Whole> = Extract<Whole, Part> extends never ? false : true;

describe('types of stored states', () => {
  it('reject a delivery whose due time, next attempt or reason contradicts its status', () => {
    const fits: [
      Fits<{ status: 'pending'; dueAt: null }, DeliveryState>,
      Fits<{ status: 'pending'; nextAttemptAt: Date }, DeliveryState>,
      Fits<{ status: 'delivered'; dueAt: Date }, DeliveryState>,
      Fits<{ status: 'dead_lettered'; failingSince: null }, DeliveryState>,
      Fits<{ status: 'failed'; nextAttemptAt: null; failingSince: null }, DeliveryState>,
      Fits<{ status: 'failed'; nextAttemptAt: null; failingSince: Date }, DeliveryState>,
    ] = [false, false, false, false, false, true];
    expect(fits).to.have.length(6);
    const ended = { nextAttemptAt: null, dueAt: null, failingSince: null };
    // @ts-expect-error a delivered row has no reason for a failure
    const delivered: DeliveryState = { ...ended, status: 'delivered', failureReason: 'timeout' };
    // @ts-expect-error a failed row is due
    const failed: DeliveryState = { ...ended, status: 'failed', failureReason: 'timeout' };
    expect([delivered, failed]).to.have.length(2);
  });

  it('reject an endpoint that is enabled with a disabled reason, or deleted with secrets', () => {
    const fits: [
      Fits<{ enabled: true; disabledReason: 'operator' }, Endpoint>,
      Fits<{ enabled: false; disabledReason: null }, Endpoint>,
      Fits<{ deletedAt: null; secrets: null }, Endpoint>,
      Fits<{ deletedAt: Date; secrets: null }, Endpoint>,
    ] = [false, false, false, true];
    expect(fits).to.have.length(4);
  });

  it('reject a bookkeeping record with HTTP fields, and an HTTP attempt that dead-letters', () => {
    const fits: [
      Fits<{ httpStatus: 503 }, BookkeepingRecord>,
      Fits<{ status: 'failed_permanent'; failureReason: 'timeout' }, BookkeepingRecord>,
      Fits<{ status: 'dead_lettered' }, HttpAttempt>,
    ] = [false, false, false];
    expect(fits).to.have.length(3);
    // @ts-expect-error a delivery is not ended by bookkeeping because its request timed out
    const reason: BookkeepingRecord['failureReason'] = 'timeout';
    expect(reason).to.equal('timeout');
  });
});
