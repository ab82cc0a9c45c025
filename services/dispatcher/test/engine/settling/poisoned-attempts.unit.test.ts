import { aDelivery, anAttemptObservation, anEndpoint, DELIVERY_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { PendingObservation } from '../../../src/engine/settling/pending-observation.js';
import { createPoisonedAttempts } from '../../../src/engine/settling/poisoned-attempts.js';
import { createTryLater } from '../../../src/engine/settling/try-later.js';
import { aClock, aJob, aLog } from '../builders.js';

describe('attempts that the database rejects', () => {
  const entry = (delivery: PendingObservation['known']['delivery']): PendingObservation => ({
    job: aJob(),
    observation: anAttemptObservation(),
    known: { delivery, endpoint: anEndpoint() },
    eventId: null,
  });

  function handle(maxHeldBack: number, delivery: PendingObservation['known']['delivery'] = aDelivery()) {
    const calls: string[] = [];
    const poisoned = createPoisonedAttempts({
      workload: { acknowledge: () => void calls.push('acknowledge') },
      tryLater: createTryLater({
        workload: { finish: () => void calls.push('finish'), setAside: () => void calls.push('set aside') },
        store: { moveDueTimes: async (until) => void calls.push(`try ${[...until.keys()]} later`) },
        clock: aClock(),
      }),
      log: aLog(),
      maxHeldBack,
      again: () => calls.push('store again'),
      later: () => calls.push('later'),
    });
    poisoned.handle(entry(delivery), new Error('rejected'));
    return calls;
  }

  it('are stored again later, and their jobs stay', () => {
    expect(handle(1)).to.deep.equal(['later', 'acknowledge']);
  });

  it('are given up beyond the room for them, and made again later', () => {
    expect(handle(0)).to.deep.equal([`try ${DELIVERY_ID} later`]);
  });

  it('end with their jobs if their rows do not exist', () => {
    expect(handle(0, null)).to.deep.equal(['finish']);
  });
});
