import { expect } from 'chai';
import { patchFetchWait, setFetchWait } from '../../src/kafka/fetch-wait.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';

describe('wait of a fetch', () => {
  it('is asked before each fetch of the group, and unchanged for other groups', async () => {
    class Group {
      maxWaitTime = 500;
      constructor(readonly groupId: string) {
        this.groupId = groupId;
      }
      async fetch(_broker: number) {
        return this.maxWaitTime;
      }
    }
    patchFetchWait(Group);
    let wait = 20;
    setFetchWait('own group', () => wait);
    const [own, other] = [new Group('own group'), new Group('other group')];
    expect([await own.fetch(1), await other.fetch(1)]).to.deep.equal([20, 500]);
    wait = 300;
    expect(await own.fetch(1)).to.equal(300);
  });

  it('rejects a class without the method', () => {
    expect(() => patchFetchWait(class {})).to.throw(UnknownInternals, 'fetch()');
  });
});
