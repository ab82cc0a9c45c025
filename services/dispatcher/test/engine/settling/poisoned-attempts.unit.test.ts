import type { DeliveryId } from '@postrider/shared/domain/id';
import { aDelivery, anAttemptObservation, anEndpoint, later } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { PendingObservation } from '../../../src/engine/settling/pending-observation.js';
import { createPoisonedAttempts } from '../../../src/engine/settling/poisoned-attempts.js';
import { aClock, aJob, aLog, settleDown } from '../builders.js';

describe('attempts that the database rejects', () => {
  const entry = (): PendingObservation => ({
    job: aJob(),
    observation: anAttemptObservation(),
    known: { delivery: aDelivery(), endpoint: anEndpoint() },
    eventId: null,
  });

  async function handle(
    maxHeldBack: number,
    moveDueTimes: (until: ReadonlyMap<DeliveryId, Date>) => Promise<void> = async () => {},
  ) {
    const calls: string[] = [];
    const poisoned = createPoisonedAttempts({
      workload: {
        acknowledge: () => void calls.push('acknowledge'),
        finish: () => void calls.push('finish'),
        setAside: (_, forMs) => void calls.push(`set aside for ${forMs} ms`),
      },
      store: { moveDueTimes },
      clock: aClock(),
      log: aLog(),
      maxHeldBack,
      again: () => calls.push('store again'),
      later: () => calls.push('later'),
    });
    poisoned.handle(entry(), new Error('rejected'));
    await settleDown();
    return calls;
  }

  it('are stored again later, and their jobs stay', async () => {
    expect(await handle(1)).to.deep.equal(['later', 'acknowledge']);
  });

  it('are given up beyond the room for them: their rows are due later', async () => {
    const moved: Date[] = [];
    const calls = await handle(0, async (until) => void moved.push(...until.values()));
    expect(calls).to.deep.equal(['finish']);
    expect(moved).to.deep.equal([later(60_000)]);
  });

  it('wait in memory, however the clock is set, if the database does not move their due times either', async () => {
    const calls = await handle(0, () => Promise.reject(new Error('rejected')));
    expect(calls).to.deep.equal(['set aside for 60000 ms']);
  });
});
