import { REPLAYABLE_STATUSES } from '@postrider/shared/domain/replay-job';
import { expect } from 'chai';
import { requireReplayable } from '../../src/domain/require-replayable.js';

describe('requireReplayable', () => {
  for (const status of REPLAYABLE_STATUSES) {
    it(`accepts a delivery that is ${status}`, () => {
      expect(() => requireReplayable({ status })).to.not.throw();
    });
  }

  it('refuses one that is pending, and says that it needs no replay', () => {
    expect(() => requireReplayable({ status: 'pending' })).to.throw(
      'DeliveryNotReplayable: The delivery is pending: it is sent without a replay. ' +
        'Replay it only if it ends as failed_permanent or dead_lettered.',
    );
  });

  it('refuses one that is delivered, and says how its data can be sent again', () => {
    expect(() => requireReplayable({ status: 'delivered' })).to.throw(
      'DeliveryNotReplayable: The delivery is delivered: only failed, failed_permanent and dead_lettered deliveries ' +
        'can be replayed. To send its data again, publish it as a new event.',
    );
  });
});
