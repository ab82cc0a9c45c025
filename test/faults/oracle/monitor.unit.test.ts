import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { evidence, snapshot } from './builders.js';
import { startMonitor } from './monitor.js';

const CHECKS = 6;

/** Runs some checks, of which some cannot read the database, then the last one. @returns the violations */
async function violationsWith(errorOf: (check: number) => Error | null) {
  let check = 0;
  let isLast = false;
  const monitor = startMonitor({
    take: async () => {
      check += 1;
      const error = isLast ? null : errorOf(check);
      if (error !== null) throw error;
      return snapshot();
    },
    logs: evidence,
    everyMs: 1,
  });
  while (check < CHECKS) await sleep(1);
  isLast = true;
  await monitor.finish();
  return monitor.violations().map(({ invariant, what }) => `${invariant}: ${what.replace(/\d+/g, 'n')}`);
}

describe('oracle monitor', () => {
  it('reports nothing for a correct run', async () => {
    expect(await violationsWith(() => null)).to.deep.equal([]);
  });

  it('ignores checks during which the database is unavailable', async () => {
    const errors: Record<number, Error> = {
      2: new MongoNetworkError('gone'),
      3: new MongoServerError({ codeName: 'PrimarySteppedDown' }),
    };
    expect(await violationsWith((check) => errors[check] ?? null)).to.deep.equal([]);
  });

  it('reports its own bugs instead of treating them as an unavailable database', async () => {
    const bug = new TypeError('no such field');
    expect(await violationsWith((check) => (check === 2 ? bug : null))).to.deep.equal([
      'the oracle itself: a check failed: TypeError: no such field',
    ]);
  });

  it('reports that too few checks could read the database', async () => {
    expect(await violationsWith(() => new MongoNetworkError('gone'))).to.deep.equal([
      'the oracle itself: only n of n checks could read the database',
    ]);
  });
});
