import { asId, type DeliveryId } from '@postrider/shared/domain/id';
import { NotAppended, type Queued } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC, retryTopic } from '@postrider/shared/ports/topics';
import { aMessage, later } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import {
  createForwarder,
  type Forwarded,
  type RepublishedDeadLetter,
} from '../../../src/engine/forwarding/forwarder.js';
import { aClock, aLog, deferred, settleDown } from '../builders.js';

const RETRY: Queued = { topic: retryTopic(1), message: aMessage({ ordinal: 2 }) };
const DEAD: Queued = { topic: DEAD_LETTER_TOPIC, message: aMessage({ ordinal: 7 }) };
const AGAIN: RepublishedDeadLetter = { queued: DEAD, dueAgain: later(60_000) };
const MAX_UNPUBLISHED = 4;
const NO_PRIMARY = new Error('no primary');

/** A forwarder whose broker and database fail the given number of times. The database rejects the rows of `rejected`. */
function aForwarder({ broker = 0, database = 0, rejected = [] as readonly string[] } = {}) {
  const calls: unknown[] = [];
  const pauses: number[] = [];
  const log = aLog();
  const clock = aClock();
  const left = { broker, database };
  const world = {
    broker: Promise.resolve(),
    /** Publishes messages; throws if it does not. */
    append: (queued: readonly Queued[]): void => void calls.push({ queued }),
  };
  const forwarder = createForwarder({
    maxUnpublished: MAX_UNPUBLISHED,
    async enqueue(queued) {
      await world.broker;
      left.broker -= 1;
      if (left.broker >= 0) throw new Error('no broker');
      world.append(queued);
    },
    store: {
      async moveDueTimes(until) {
        left.database -= 1;
        if (left.database >= 0) throw NO_PRIMARY;
        if (rejected.some((id) => until.has(id as DeliveryId))) throw new Error('failed validation');
        calls.push({ until: [...until] });
      },
    },
    isDatabaseAway: (error) => error === NO_PRIMARY,
    async sleep(ms) {
      pauses.push(ms);
      clock.advance(ms);
    },
    monotonicMs: () => clock.now().getTime(),
    log,
  });
  const forwarded: Queued[] = [];
  const onForwarded = (some: readonly Forwarded[]) =>
    void forwarded.push(...some.map(({ queued }) => queued));
  const forward = (all: readonly Queued[]) =>
    forwarder.forward(
      all.map((queued) => ({ queued })),
      onForwarded,
    );
  const forwardAgain = (again: readonly RepublishedDeadLetter[]) =>
    forwarder.forwardAgain(again, onForwarded);
  return Object.assign(world, { forwarder: { forward, forwardAgain }, forwarded, calls, pauses, log });
}

describe('forwarder', () => {
  it('publishes all messages in one call', async () => {
    const { forwarder, calls, pauses } = aForwarder();
    await forwarder.forward([RETRY, DEAD]);
    expect(calls).to.deep.equal([{ queued: [RETRY, DEAD] }]);
    expect(pauses).to.deep.equal([]);
  });

  it('does not call the broker without messages', async () => {
    const { forwarder, calls } = aForwarder();
    await forwarder.forward([]);
    expect(calls).to.deep.equal([]);
  });

  it('retries until the broker is available, with growing pauses up to five seconds', async () => {
    const { forwarder, calls, pauses } = aForwarder({ broker: 7 });
    await forwarder.forward([RETRY]);
    expect(calls).to.deep.equal([{ queued: [RETRY] }]);
    expect(pauses).to.deep.equal([200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });

  // Regression: all messages of a batch were appended in each round while one partition had no leader.
  it('publishes again only what was not appended, and lets further messages wait for it', async () => {
    const world = aForwarder();
    const rounds: (readonly Queued[])[] = [];
    const first = deferred();
    const others = Array.from({ length: MAX_UNPUBLISHED - 1 }, () => DEAD);
    world.append = (queued) => {
      rounds.push(queued);
      if (rounds.length === 1) {
        world.broker = first.promise;
        throw new NotAppended(new Set([0]), { cause: new Error('no leader') });
      }
    };
    const forwarded = world.forwarder.forward([RETRY, ...others]);
    await settleDown();
    expect(world.forwarded).to.deep.equal(others);
    const further = world.forwarder.forward(others);
    first.resolve();
    await Promise.all([forwarded, further]);
    expect(rounds).to.deep.equal([[RETRY, ...others], [RETRY], others]);
    expect(world.forwarded).to.deep.equal([...others, RETRY, ...others]);
    expect(world.log.lines).to.deep.equal(['warn forward.failed']);
  });

  it('logs an outage once a minute, however many messages wait', async () => {
    const { forwarder, calls, pauses, log } = aForwarder({ broker: 60 });
    await Promise.all([forwarder.forward([RETRY]), forwarder.forward([DEAD])]);
    expect(calls).to.have.length(2);
    const minutes = Math.ceil(pauses.reduce((sum, ms) => sum + ms, 0) / 60_000);
    expect(log.lines.length).to.be.within(1, minutes);
    expect(new Set(log.lines)).to.deep.equal(new Set(['warn forward.failed']));
  });

  it('logs a failure to move due times besides one to publish', async () => {
    const { forwarder, log } = aForwarder({ database: 2, broker: 2 });
    await forwarder.forwardAgain([AGAIN]);
    expect(log.lines).to.deep.equal(['warn forward.failed', 'warn forward.failed']);
  });

  it('moves the due time of dead letters before sending them again', async () => {
    const { forwarder, calls } = aForwarder();
    await forwarder.forwardAgain([AGAIN]);
    expect(calls).to.deep.equal([{ until: [[DEAD.message.deliveryId, later(60_000)]] }, { queued: [DEAD] }]);
  });

  it('sends no dead letter again while its due time cannot be moved', async () => {
    const { forwarder, calls, pauses } = aForwarder({ database: 2, broker: 1 });
    await forwarder.forwardAgain([AGAIN]);
    expect(calls).to.have.length(2);
    expect(calls[1]).to.deep.equal({ queued: [DEAD] });
    expect(pauses).to.deep.equal([200, 400, 200]);
  });

  it('sends others again when the database rejects the due time of one, and returns that one', async () => {
    const bad = aMessage({ deliveryId: asId('delivery', 'del_bad'), ordinal: 7 });
    const rejected = { queued: { ...DEAD, message: bad }, dueAgain: later(60_000) };
    const { forwarder, calls, log } = aForwarder({ rejected: [bad.deliveryId] });
    expect(await forwarder.forwardAgain([rejected, AGAIN])).to.deep.equal([rejected]);
    expect(calls).to.deep.equal([{ until: [[DEAD.message.deliveryId, later(60_000)]] }, { queued: [DEAD] }]);
    expect(log.lines).to.deep.equal(['warn forward.rejected']);
  });

  it('logs again that messages are left to their rows once fewer than half as many have waited', async () => {
    const world = aForwarder();
    const fillUp = (count: number) => {
      const broker = deferred();
      world.broker = broker.promise;
      const forwarded = world.forwarder.forward(Array(count).fill(RETRY));
      return () => {
        broker.resolve();
        return forwarded;
      };
    };
    const leaveOne = async () => {
      await world.forwarder.forward([DEAD]);
      return world.log.lines.length;
    };
    const [first, second] = [fillUp(MAX_UNPUBLISHED / 2), fillUp(MAX_UNPUBLISHED / 2)];
    expect(await leaveOne()).to.equal(1);
    await first();
    const third = fillUp(MAX_UNPUBLISHED / 2);
    expect(await leaveOne(), 'half of them still waited').to.equal(1);
    await Promise.all([second(), third()]);
    fillUp(MAX_UNPUBLISHED);
    expect(await leaveOne()).to.equal(2);
    expect(new Set(world.log.lines)).to.deep.equal(new Set(['warn forward.left']));
  });

  it('leaves messages to their rows while too many wait for the broker, and logs that once', async () => {
    const world = aForwarder();
    const broker = deferred();
    world.broker = broker.promise;
    const waiting = Array.from({ length: MAX_UNPUBLISHED }, () => world.forwarder.forward([RETRY]));
    await world.forwarder.forward([RETRY, RETRY]);
    expect(world.log.lines).to.deep.equal(['warn forward.left']);
    await world.forwarder.forwardAgain([AGAIN]);
    expect(world.calls).to.deep.equal([{ until: [[DEAD.message.deliveryId, later(60_000)]] }]);
    expect(world.forwarded).to.deep.equal([RETRY, RETRY, DEAD]);
    expect(world.log.lines).to.deep.equal(['warn forward.left']);
    broker.resolve();
    await Promise.all(waiting);
    await world.forwarder.forward([DEAD]);
    expect(world.calls).to.have.length(1 + MAX_UNPUBLISHED + 1);
  });
});
