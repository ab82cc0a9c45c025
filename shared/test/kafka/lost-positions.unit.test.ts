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

  it('are reported to the listener of their group, before the client resets them', async () => {
    const steps: unknown[] = [];
    onLostPosition('own', (lost) => steps.push(lost));
    await aGroup('own', async () => void steps.push('reset')).recoverFromOffsetOutOfRange(error);
    await aGroup('other', async () => {}).recoverFromOffsetOutOfRange(error);
    expect(steps).to.deep.equal([{ topic: 'p.events', partition: 3 }, 'reset']);
  });

  it('refuses a client without that method', () => {
    class Group {}
    expect(() => patchLostPositions(Group)).to.throw(UnknownInternals, 'recoverFromOffsetOutOfRange()');
  });
});
