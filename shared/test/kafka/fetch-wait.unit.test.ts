import { expect } from 'chai';
import { patchFetchWait, setFetchWait } from '../../src/kafka/fetch-wait.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';

describe('wait of a fetch', () => {
  /** Fetches that bring batches with these numbers of messages, then none. */
  function aGroup(name: string, ...sizes: number[]) {
    class Group {
      maxWaitTime = 500;
      readonly waits: number[] = [];
      constructor(readonly groupId: string) {
        this.groupId = groupId;
      }
      async fetch(_broker: number) {
        this.waits.push(this.maxWaitTime);
        const size = sizes.shift();
        return size === undefined ? [] : [{ messages: Array.from({ length: size }) }];
      }
    }
    patchFetchWait(Group);
    return new Group(name);
  }

  it('is asked before each fetch of the group, and unchanged for other groups', async () => {
    const [own, other] = [aGroup('own group'), aGroup('other group')];
    let wait = 20;
    setFetchWait('own group', () => wait);
    await own.fetch(1);
    await other.fetch(1);
    wait = 300;
    await own.fetch(1);
    expect([own.waits, other.waits]).to.deep.equal([[20, 300], [500]]);
  });

  it('depends on the time since the last message of the group', async () => {
    const group = aGroup('a group with messages', 0, 2);
    const quiet: number[] = [];
    let now = 1_000;
    setFetchWait(
      'a group with messages',
      (quietMs) => quiet.push(quietMs),
      () => now,
    );
    for (let fetches = 0; fetches < 4; fetches += 1) {
      now += 400;
      await group.fetch(1);
    }
    expect(quiet).to.deep.equal([400, 800, 400, 800]);
  });

  it('rejects a class without the method', () => {
    expect(() => patchFetchWait(class {})).to.throw(UnknownInternals, 'fetch()');
  });
});
