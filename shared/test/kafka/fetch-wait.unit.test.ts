import { createRequire } from 'node:module';
import { expect } from 'chai';
import { isOutdated, patchBatch, patchFetchWait, setFetchWait } from '../../src/kafka/fetch-wait.js';
import { patchLostPositions } from '../../src/kafka/lost-positions.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';

const require = createRequire(import.meta.url);

describe('wait of a fetch', () => {
  interface Batch {
    readonly topic: string;
    readonly partition: number;
    readonly messages: readonly unknown[];
    readonly rawMessages: readonly unknown[];
  }

  /** A batch of messages, and of control records. */
  const aBatch = (messages: number, controlRecords = 0, partition = 0): Batch => ({
    topic: 'events',
    partition,
    messages: Array.from({ length: messages }),
    rawMessages: Array.from({ length: messages + controlRecords }),
  });

  /** Its fetches bring these batches, then none. */
  function aGroup(name: string, ...responses: (readonly Batch[])[]) {
    class Group {
      maxWaitTime = 500;
      offsetManager = {};
      duringFetch = async () => {};
      /** Resets a lost position. */
      reset = async () => {};
      readonly waits: number[] = [];
      constructor(readonly groupId: string) {
        this.groupId = groupId;
      }
      async fetch(_broker: number): Promise<readonly Batch[]> {
        expect(this.offsetManager).to.be.an('object');
        this.waits.push(this.maxWaitTime);
        await this.duringFetch();
        return responses.shift() ?? [];
      }
      async recoverFromOffsetOutOfRange(_lost: Pick<Batch, 'topic' | 'partition'>): Promise<void> {
        expect(this.offsetManager).to.be.an('object');
        await this.reset();
      }
    }
    patchFetchWait(Group);
    patchLostPositions(Group);
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
    const group = aGroup('a group with messages', [aBatch(0)], [aBatch(2)]);
    const quiet: number[] = [];
    let now = 1_000;
    setFetchWait('a group with messages', (quietMs) => quiet.push(quietMs), { monotonicMs: () => now });
    for (let fetches = 0; fetches < 4; fetches += 1) {
      now += 400;
      await group.fetch(1);
    }
    expect(quiet).to.deep.equal([400, 800, 400, 800]);
  });

  it('is preceded by a pause after a fetch from the same broker that brought messages', async () => {
    const group = aGroup('a paced group', [aBatch(1)], [aBatch(2)], [aBatch(0)]);
    const steps: string[] = [];
    setFetchWait('a paced group', () => steps.push('fetch'), { pace: async () => steps.push('pause') });
    for (const broker of [1, 2, 1, 2, 1]) await group.fetch(broker);
    expect(steps).to.deep.equal(['fetch', 'fetch', 'pause', 'fetch', 'pause', 'fetch', 'fetch']);
  });

  it('leaves out the partitions without messages and control records', async () => {
    const [quick, control] = [aBatch(1), aBatch(0, 1)];
    const group = aGroup(
      'a group with quiet partitions',
      [aBatch(0), quick, aBatch(0), control],
      [aBatch(0)],
    );
    setFetchWait('a group with quiet partitions', () => 20);
    expect(await group.fetch(1)).to.deep.equal([quick, control]);
    expect(await group.fetch(1)).to.deep.equal([]);
  });

  // Regression: batches from the position before a join were taken for the first ones after it, so that the records between
  // the committed offset and them were neither read again nor handled.
  it('leaves out what was fetched for the membership before a join', async () => {
    const [late, next] = [aBatch(1), aBatch(1)];
    const group = aGroup('a group that joins', [late], [next]);
    setFetchWait('a group that joins', () => 20);
    group.duringFetch = async () => {
      group.offsetManager = {};
    };
    expect(await group.fetch(1)).to.deep.equal([]);
    group.duringFetch = async () => {};
    expect(await group.fetch(1)).to.deep.equal([next]);
  });

  it('reports the batches that were fetched before a join as outdated', async () => {
    const [before, after] = [aBatch(1), aBatch(1)];
    const group = aGroup('a group that joins later', [before], [after]);
    setFetchWait('a group that joins later', () => 20);
    await group.fetch(1);
    expect(isOutdated(before)).to.equal(false);
    group.offsetManager = {};
    await group.fetch(1);
    expect([isOutdated(before), isOutdated(after)]).to.deep.equal([true, false]);
  });

  // Regression: the client resolved such a batch itself, which skipped the records from the committed offset on.
  it('lets the client resolve a batch of control records only if it is not outdated', async () => {
    const [Batch, Runner] = ['batch', 'runner'].map((name) => require(`kafkajs/src/consumer/${name}.js`));
    const control = { offset: '20', isControlRecord: true };
    const newBatch = () =>
      new Batch('events', '20', {
        partition: 0,
        highWatermark: '21',
        abortedTransactions: [],
        messages: [control],
      });
    const [before, after] = [newBatch(), newBatch()];
    const group = aGroup('a group of control records', [before], [after]);
    setFetchWait('a group of control records', () => 20);
    const resolved: string[] = [];
    const runner = {
      running: true,
      consumerGroup: { resolveOffset: ({ offset }: { offset: string }) => resolved.push(offset) },
      instrumentationEmitter: { emit() {} },
      autoCommitOffsetsIfNecessary() {},
      heartbeat() {},
    };
    await group.fetch(1);
    group.offsetManager = {};
    await Runner.prototype.handleBatch.call(runner, before);
    expect(resolved).to.deep.equal([]);
    await group.fetch(1);
    await Runner.prototype.handleBatch.call(runner, after);
    expect(resolved).to.deep.equal(['20']);
  });

  describe('while the position of a partition is lost', () => {
    const LOST = { topic: 'events', partition: 0 };

    // Regression: the next record of the partition was expected to be the first one after the loss, and was the last one before it.
    it('reports the batches of the partition that were fetched before as outdated', async () => {
      const [before, other, after] = [aBatch(1), aBatch(1, 0, 1), aBatch(1)];
      const group = aGroup('a group that lost a position', [before, other], [after]);
      setFetchWait('a group that lost a position', () => 20);
      await group.fetch(1);
      await group.recoverFromOffsetOutOfRange(LOST);
      await group.fetch(2);
      expect([before, other, after].map(isOutdated)).to.deep.equal([true, false, false]);
    });

    it('leaves out its batches of fetches that began before the position was reset', async () => {
      const [late, other, next] = [aBatch(1), aBatch(1, 0, 1), aBatch(1)];
      const group = aGroup('a group that loses a position', [aBatch(1)], [late, other], [next]);
      setFetchWait('a group that loses a position', () => 20);
      group.reset = async () => {
        expect(await group.fetch(2), 'begun before the reset').to.deep.equal([]);
      };
      group.duringFetch = async () => {
        group.duringFetch = async () => {};
        await group.recoverFromOffsetOutOfRange(LOST);
      };
      expect(await group.fetch(1), 'begun before the loss').to.deep.equal([other]);
      expect(await group.fetch(1)).to.deep.equal([next]);
    });
  });

  it('rejects a class without the method', () => {
    expect(() => patchFetchWait(class {})).to.throw(UnknownInternals, 'fetch()');
    expect(() => patchBatch(class {})).to.throw(UnknownInternals, 'isEmptyDueToFiltering()');
  });
});
