import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import type { Snapshot } from './evidence.js';
import { evidence, snapshot } from './evidence-builders.js';
import { watchSnapshots } from './watch.js';

const FEW_LOOKS_MS = 30;

/** Watches for some looks, then ends. @returns what it found */
async function watched(take: (look: number) => Snapshot) {
  let look = 0;
  const watch = watchSnapshots({
    take: async () => {
      look += 1;
      return take(look);
    },
    logs: evidence,
    everyMs: 1,
  });
  while (look < 6) await wait(1);
  look = FEW_LOOKS_MS;
  await watch.finish();
  return watch.violations().map(({ invariant, what }) => `${invariant}: ${what.replace(/\d+/g, 'n')}`);
}

const isLast = (look: number) => look >= FEW_LOOKS_MS;

describe('the watch', () => {
  it('finds nothing where nothing is wrong, also when the database was away for a while', async () => {
    expect(await watched(() => snapshot())).to.deep.equal([]);
    const away = (look: number) => {
      if (look === 2) throw new MongoNetworkError('gone');
      if (look === 3) throw new MongoServerError({ codeName: 'PrimarySteppedDown' });
      return snapshot();
    };
    expect(await watched(away)).to.deep.equal([]);
  });

  it('does not take a mistake of its own for an absence of the database', async () => {
    const mistaken = (look: number) => {
      if (look === 2) throw new TypeError('no such field');
      return snapshot();
    };
    expect(await watched(mistaken)).to.deep.equal([
      'the oracle itself: could not judge: TypeError: no such field',
    ]);
  });

  it('says so when it has seen next to nothing', async () => {
    const blind = (look: number) => {
      if (!isLast(look)) throw new MongoNetworkError('gone');
      return snapshot();
    };
    expect(await watched(blind)).to.deep.equal(['the oracle itself: saw the database n of n times']);
  });
});
