import { expect } from 'chai';
import {
  countResets,
  isLostSince,
  onLostPosition,
  patchLostPositions,
} from '../../src/kafka/lost-positions.js';
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
    onLostPosition('own', async (lost) => void steps.push(lost));
    await aGroup('own', async () => void steps.push('reset')).recoverFromOffsetOutOfRange(error);
    await aGroup('other', async () => {}).recoverFromOffsetOutOfRange(error);
    expect(steps).to.deep.equal([{ topic: 'p.events', partition: 3 }, 'reset']);
  });

  it('are reset after the listener has finished', async () => {
    const steps: string[] = [];
    const finished = Promise.withResolvers<void>();
    onLostPosition('slow', () => finished.promise.then(() => void steps.push('finished')));
    const recovered = aGroup('slow', async () => void steps.push('reset')).recoverFromOffsetOutOfRange(error);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isLostSince(countResets(), 'slow', error), 'what is fetched meanwhile').to.equal(true);
    finished.resolve();
    await recovered;
    expect(steps).to.deep.equal(['finished', 'reset']);
  });

  it('refuses a client without that method', () => {
    class Group {}
    expect(() => patchLostPositions(Group)).to.throw(UnknownInternals, 'recoverFromOffsetOutOfRange()');
  });
});
