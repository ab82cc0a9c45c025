import { expect } from 'chai';
import { sleep } from '../../src/runtime/sleep.js';
import { whileRenewing } from '../../src/runtime/while-renewing.js';

describe('renewing during a task', () => {
  it('renews until the task ends, and returns its result', async () => {
    let renewals = 0;
    const renew = async () => {
      renewals += 1;
    };
    const result = await whileRenewing(renew, 2, async () => {
      while (renewals < 3) await sleep(1);
      return 'done';
    });
    const atTheEnd = renewals;
    await sleep(10);
    expect([result, renewals]).to.deep.equal(['done', atTheEnd]);
  });

  it('continues after a failed renewal', async () => {
    let renewals = 0;
    const renew = async () => {
      renewals += 1;
      throw new Error('no primary');
    };
    await whileRenewing(renew, 1, async () => {
      while (renewals < 2) await sleep(1);
    });
  });

  it('waits for the renewal in progress when the task fails, and makes one at a time', async () => {
    const { promise: renewal, resolve } = Promise.withResolvers<void>();
    let renewals = 0;
    const renew = () => {
      renewals += 1;
      return renewal;
    };
    let isOver = false;
    const task = whileRenewing(renew, 1, async () => {
      await sleep(10);
      throw new Error('the task failed');
    })
      .catch(({ message }: Error) => message)
      .finally(() => {
        isOver = true;
      });
    await sleep(20);
    expect([renewals, isOver]).to.deep.equal([1, false]);
    resolve();
    expect(await task).to.equal('the task failed');
  });
});
