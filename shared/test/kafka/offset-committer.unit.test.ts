import { mock } from 'node:test';
import { expect } from 'chai';
import { startOffsetCommitter } from '../../src/kafka/offset-committer.js';
import { createTopicNames } from '../../src/kafka/topic-names.js';
import type { Position } from '../../src/ports/position.js';

/*
 * Regression: while the broker was frozen for 45 s, a commit started every 250 ms and the client retried all of them.
 * They were sent together in any order when the broker was back, so offsets were set back and partitions seemed reset.
 */
describe('offset committer', () => {
  const at = (offset: number): Position => ({ topic: 'events', partition: 0, offset });

  function hangingBroker() {
    const sent: string[] = [];
    const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
    let offset = 1;
    const committed: Position[] = [];
    const committer = startOffsetCommitter({
      consumer: {
        commitOffsets: async (positions) => {
          sent.push(...positions.map((position) => position.offset));
          await new Promise<void>((resolve, reject) => answers.push({ resolve, reject }));
        },
      },
      names: createTopicNames(''),
      moved: () => [at(offset)],
      committed: (positions) => void committed.push(...positions),
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    return {
      sent,
      committed,
      committer,
      move: () => {
        offset += 1;
        committer.schedule();
      },
      answer: () => answers.shift()?.resolve(),
      refuse: () => answers.shift()?.reject(new Error('refused')),
    };
  }

  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());
  const tick = async () => {
    mock.timers.tick(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('starts no commit before the previous one has ended', async () => {
    const { sent, move, answer } = hangingBroker();
    move();
    await tick();
    move();
    await tick();
    await tick();
    expect(sent).to.deep.equal(['2']);
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    await tick();
    expect(sent).to.deep.equal(['2', '3']);
  });

  it('commits nothing, and sets no timer, while nothing moves', async () => {
    const { sent, move, answer } = hangingBroker();
    await tick();
    expect(sent).to.deep.equal([]);
    move();
    await tick();
    answer();
    for (let ticks = 0; ticks < 3; ticks += 1) await tick();
    expect(sent).to.deep.equal(['2']);
  });

  it('commits again what the broker refused', async () => {
    const { sent, move, refuse, answer } = hangingBroker();
    move();
    await tick();
    refuse();
    await new Promise((resolve) => setImmediate(resolve));
    await tick();
    answer();
    expect(sent).to.deep.equal(['2', '2']);
  });

  it('commits moved positions on request, after a commit in progress', async () => {
    const { sent, committed, committer, move, answer } = hangingBroker();
    move();
    await tick();
    committer.stop();
    move();
    const last = committer.commit();
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).to.deep.equal(['2', '3']);
    answer();
    await last;
    expect(committed).to.deep.equal([at(2), at(3)]);
  });

  it('does not wait for an unavailable broker', async () => {
    mock.timers.reset();
    const { committer } = hangingBroker();
    committer.stop();
    const started = performance.now();
    await committer.commit();
    expect(performance.now() - started).to.be.within(1_900, 4_000);
  }).timeout(5_000);
});
