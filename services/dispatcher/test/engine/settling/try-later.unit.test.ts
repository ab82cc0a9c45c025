import type { Delivery } from '@postrider/shared/domain/delivery';
import { aDelivery, aLastAttempt, later } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createTryLater } from '../../../src/engine/settling/try-later.js';
import { aClock, aJob } from '../builders.js';

describe('trying an attempt later', () => {
  /** What happens to a job at noon, if the database moves due times or rejects that. */
  async function tryLater({ row = aDelivery() as Delivery | null, rejects = false } = {}) {
    const calls: string[] = [];
    const tryJobLater = createTryLater({
      workload: {
        finish: () => void calls.push('finish'),
        setAside: (_, forMs) => void calls.push(`set aside for ${forMs} ms`),
      },
      store: {
        async moveDueTimes(until) {
          if (rejects) throw new Error('rejected');
          for (const [id, at] of until) calls.push(`${id === row?.id} ${at.toISOString()}`);
        },
      },
      clock: aClock(),
    });
    await tryJobLater(aJob(), row);
    return calls;
  }
  const movedBy = (ms: number) => [`true ${later(ms).toISOString()}`, 'finish'];

  it('moves the due time of the row, and finishes the job', async () => {
    expect(await tryLater()).to.deep.equal(movedBy(60_000));
  });

  it('finishes a job without a row', async () => {
    expect(await tryLater({ row: null })).to.deep.equal(['finish']);
  });

  it('waits longer, the longer the row has waited since its last attempt', async () => {
    const lastAttempt = aLastAttempt({ attemptedAt: later(-600_000) });
    expect(await tryLater({ row: aDelivery({ lastAttempt }) })).to.deep.equal(movedBy(600_000));
  });

  it('keeps the job in memory, however the clock is set, if the database does not move the due time', async () => {
    expect(await tryLater({ rejects: true })).to.deep.equal(['set aside for 60000 ms']);
  });

  for (const [name, createdAt] of [
    ['no time', undefined],
    ['a time that is not one', 'yesterday'],
    ['an invalid time', new Date(Number.NaN)],
  ] as const)
    it(`waits a minute if the row has ${name}`, async () => {
      const row = aDelivery({ createdAt: createdAt as never });
      expect(await tryLater({ row })).to.deep.equal(movedBy(60_000));
      expect(await tryLater({ row, rejects: true })).to.deep.equal(['set aside for 60000 ms']);
    });
});
