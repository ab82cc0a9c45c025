import { expect } from 'chai';
import { onLostPosition, patchLostPositions } from '../../src/kafka/lost-positions.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';

describe('lost positions', () => {
  const error = { topic: 'p.events', partition: 3, message: 'out of range' };

  function aGroup(groupId: string, reset: () => Promise<void>) {
    class Group {
      readonly offsetManager = { setDefaultOffset: reset };
      constructor(readonly groupId: string) {
        this.groupId = groupId;
      }
      async recoverFromOffsetOutOfRange(_error: typeof error): Promise<void> {
        await this.offsetManager.setDefaultOffset();
      }
    }
    patchLostPositions(Group);
    return new Group(groupId);
  }

  it('are reported to the listener of their group, after the client has reset them', async () => {
    const steps: unknown[] = [];
    onLostPosition('own', (lost) => steps.push(lost));
    await aGroup('own', async () => void steps.push('reset')).recoverFromOffsetOutOfRange(error);
    await aGroup('other', async () => {}).recoverFromOffsetOutOfRange(error);
    expect(steps).to.deep.equal(['reset', { topic: 'p.events', partition: 3 }]);
  });

  it('are not reported while the client cannot reset them', async () => {
    const lost: unknown[] = [];
    onLostPosition('failing', (position) => lost.push(position));
    const group = aGroup('failing', () => Promise.reject(new Error('no coordinator')));
    let failure: unknown;
    await group.recoverFromOffsetOutOfRange(error).catch((thrown) => {
      failure = thrown;
    });
    expect(failure).to.have.property('message', 'no coordinator');
    expect(lost).to.deep.equal([]);
  });

  it('refuses a client without that method', () => {
    class Group {}
    expect(() => patchLostPositions(Group)).to.throw(UnknownInternals, 'recoverFromOffsetOutOfRange()');
  });
});
