import { mock } from 'node:test';
import { expect } from 'chai';
import {
  countResets,
  isLostSince,
  onLostPosition,
  patchLostPositions,
} from '../../src/kafka/lost-positions.js';
import { startOffsetCommitter } from '../../src/kafka/offset-committer.js';
import { createTopicNames } from '../../src/kafka/topic-names.js';
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

  // Regression: a commit that the client repeats ends when the group is joined again, which the fetch prevented.
  describe('while a commit does not end', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    it('are reset after five seconds', async () => {
      const committer = startOffsetCommitter({
        consumer: { commitOffsets: () => new Promise(() => {}) },
        names: createTopicNames(''),
        moved: () => [{ topic: 'events', partition: 3, offset: 1 }],
        committed() {},
        log: { debug() {}, info() {}, warn() {}, error() {} },
      });
      committer.schedule();
      mock.timers.tick(1_000);
      onLostPosition('stuck', () => committer.ended());
      let isReset = false;
      const recovered = aGroup('stuck', async () => {
        isReset = true;
      }).recoverFromOffsetOutOfRange(error);
      mock.timers.tick(4_999);
      await new Promise((resolve) => setImmediate(resolve));
      expect(isReset).to.equal(false);
      mock.timers.tick(1);
      await recovered;
      expect(isReset).to.equal(true);
    });
  });

  it('refuses a client without that method', () => {
    class Group {}
    expect(() => patchLostPositions(Group)).to.throw(UnknownInternals, 'recoverFromOffsetOutOfRange()');
  });
});
