import { mock } from 'node:test';
import { expect } from 'chai';
import kafkajs from 'kafkajs';
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

  it('starts no two commits together for several callers that waited for the previous one', async () => {
    const { sent, committer, move, answer } = hangingBroker();
    move();
    await tick();
    const both = Promise.all([committer.commit(), committer.commit()]);
    for (const count of [2, 3]) {
      answer();
      await new Promise((resolve) => setImmediate(resolve));
      expect(sent).to.have.length(count);
    }
    answer();
    await both;
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

  describe('whose commits are refused', () => {
    const { KafkaJSNonRetriableError, KafkaJSProtocolError } = kafkajs;
    /** Refuses all commits for two minutes, and returns how many warnings are logged. */
    const warningsFor = async (error: unknown) => {
      let now = 0;
      const warnings: string[] = [];
      const committer = startOffsetCommitter({
        consumer: { commitOffsets: () => Promise.reject(error) },
        names: createTopicNames(''),
        moved: () => [at(1)],
        committed() {},
        log: { debug() {}, info() {}, warn: (_, text) => void warnings.push(text), error() {} },
        monotonicMs: () => now,
      });
      committer.schedule();
      for (; now < 120_000; now += 1_000) await tick();
      committer.stop();
      return warnings.length;
    };
    /** An error as the client passes it on. */
    const refused = (type: string) => {
      const reason = new KafkaJSProtocolError(Object.assign(new Error(type), { type, retriable: false }));
      return Object.assign(new KafkaJSNonRetriableError(reason), { cause: reason });
    };

    // Regression: nothing above the level debug showed why a restart read hours of messages again.
    it('warns once a minute', async () =>
      expect(await warningsFor(refused('GROUP_AUTHORIZATION_FAILED'))).to.equal(2));

    for (const type of ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID'])
      it(`does not warn for ${type}`, async () => {
        expect(await warningsFor(refused(type))).to.equal(0);
        expect(await warningsFor(Object.assign(new Error(type), { type }))).to.equal(0);
      });
  });

  it('commits moved positions on request, after a commit in progress', async () => {
    const { sent, committed, committer, move, answer } = hangingBroker();
    move();
    await tick();
    committer.stop();
    move();
    const last = committer.commit();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent, 'while the first one is in progress').to.deep.equal(['2']);
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).to.deep.equal(['2', '3']);
    answer();
    await last;
    expect(committed).to.deep.equal([at(2), at(3)]);
  });

  it('starts no commit by itself after a stop', async () => {
    for (const isScheduled of [true, false]) {
      const { sent, committer, move } = hangingBroker();
      if (isScheduled) move();
      committer.stop();
      await tick();
      move();
      await tick();
      expect(sent).to.deep.equal([]);
    }
  });

  it('has ended once the broker answered the commit in progress', async () => {
    const { committer, move, answer } = hangingBroker();
    move();
    await tick();
    let hasEnded = false;
    const ended = committer.ended().then(() => {
      hasEnded = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasEnded).to.equal(false);
    answer();
    await ended;
  });

  it('sends nothing on request if nothing moved', async () => {
    let commits = 0;
    const committer = startOffsetCommitter({
      consumer: {
        commitOffsets: async () => {
          commits += 1;
        },
      },
      names: createTopicNames(''),
      moved: () => [],
      committed() {},
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    await committer.commit();
    expect(commits).to.equal(0);
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
