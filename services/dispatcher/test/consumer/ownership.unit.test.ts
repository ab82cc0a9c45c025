import { expect } from 'chai';
import { createOwnership } from '../../src/consumer/ownership.js';
import { aClock } from '../engine/builders.js';

const SESSION_MS = 9_000;

describe('ownership', () => {
  const joined = (sessionMs = SESSION_MS) => {
    const clock = aClock();
    const ownership = createOwnership({
      clock,
      sessionTimeoutMs: sessionMs,
      monotonicMs: () => clock.now().getTime(),
    });
    const start = clock.now().getTime();
    ownership.joined(0);
    const left = () => {
      const until = ownership.until();
      return until === null ? null : until.getTime() - start;
    };
    return { clock, ownership, left };
  };

  // Regression: until the first heartbeat after each rebalance, each delivery took a message and a transaction.
  it('is counted from the request of a join until the first heartbeat after it', () => {
    const { clock, left, ownership } = joined();
    expect(left()).to.equal(3_000);
    ownership.joined(2_999);
    expect(left()).to.equal(1);
    ownership.joined(3_000);
    expect(left()).to.equal(null);
    ownership.joined(-60_000);
    expect(left(), 'the client measures it with the wall clock').to.equal(3_000);
    clock.advance(500);
    ownership.heartbeat();
    expect(left()).to.equal(3_000);
  });

  it('is counted from the previous heartbeat, because the broker received the last one after that', () => {
    const { clock, left, ownership } = joined();
    clock.advance(500);
    ownership.heartbeat();
    expect(left()).to.equal(3_000);
    clock.advance(500);
    ownership.heartbeat();
    expect(left()).to.equal(3_500);
  });

  it('ends when there is no heartbeat for a third of a session', () => {
    const { clock, left, ownership } = joined();
    ownership.heartbeat();
    clock.advance(2_999);
    expect(left()).to.equal(3_000);
    clock.advance(1);
    expect(left()).to.equal(null);
  });

  // Regression: it began again although other members could own the partitions by then.
  it('stays ended when the clock of the database steps back', () => {
    const clock = aClock();
    let monotonicMs = 0;
    const ownership = createOwnership({
      clock,
      sessionTimeoutMs: SESSION_MS,
      monotonicMs: () => monotonicMs,
    });
    ownership.joined(0);
    const pass = (ms: number) => {
      clock.advance(ms);
      monotonicMs += ms;
    };
    pass(3_000);
    expect(ownership.until()).to.equal(null);
    clock.advance(-40_000);
    expect(ownership.until()).to.equal(null);
    ownership.joined(0);
    expect(ownership.until()).to.not.equal(null);
  });

  // Regression: with a session of 60 s it lasted for 20 s, but a rebalance waits for a member for 15 s.
  it('ends long before a rebalance completes without the member, however long a session is', () => {
    const { left, ownership } = joined(60_000);
    ownership.heartbeat();
    expect(left()).to.equal(5_000);
  });

  // Regression: the second heartbeat while a member left its group began the ownership again.
  it('does not begin again before the next join', () => {
    const { left, ownership } = joined();
    ownership.heartbeat();
    ownership.ends();
    ownership.heartbeat();
    ownership.heartbeat();
    expect(left()).to.equal(null);
  });

  // Regression: it was taken as fresh, so the member sent what it had read until its next heartbeat was refused.
  it('is cut off if the response to a join waited for a session, until the first heartbeat after it', () => {
    const { ownership } = joined();
    ownership.joined(SESSION_MS - 1);
    expect([ownership.isCutOff(), ownership.cutOffInMs()]).to.deep.equal([false, 1]);
    ownership.joined(SESSION_MS);
    expect(ownership.isCutOff()).to.equal(true);
    ownership.heartbeat();
    expect(ownership.cutOffInMs()).to.equal(SESSION_MS);
  });

  // The client measures it with the wall clock.
  it('counts a join that seems to be in the future from now', () => {
    const { ownership } = joined();
    ownership.joined(-60_000);
    expect(ownership.cutOffInMs()).to.equal(SESSION_MS);
  });

  it('is cut off a session after the last join, or after the last heartbeat but one', () => {
    const { clock, ownership } = joined();
    clock.advance(SESSION_MS - 1);
    expect([ownership.isCutOff(), ownership.cutOffInMs()]).to.deep.equal([false, 1]);
    ownership.joined(0);
    clock.advance(500);
    ownership.heartbeat();
    clock.advance(500);
    ownership.heartbeat();
    clock.advance(SESSION_MS - 501);
    expect(ownership.isCutOff()).to.equal(false);
    clock.advance(1);
    expect(ownership.isCutOff()).to.equal(true);
    ownership.joined(0);
    expect(ownership.isCutOff()).to.equal(false);
  });

  // Regression: with a session of 30 s it sent until these were over, beside the next owner.
  it('is cut off when a rebalance may have completed without it, however long a session is', () => {
    const { clock, ownership } = joined(60_000);
    clock.advance(14_999);
    expect(ownership.isCutOff()).to.equal(false);
    clock.advance(1);
    expect(ownership.isCutOff()).to.equal(true);
  });

  // Regression: it sent beside the next owner until the answer to its next heartbeat.
  it('stays cut off when the response to a heartbeat from before a freeze arrives', () => {
    const { clock, ownership } = joined();
    clock.advance(500);
    ownership.heartbeat();
    clock.advance(SESSION_MS + 1_000);
    ownership.heartbeat();
    expect(ownership.isCutOff()).to.equal(true);
    clock.advance(500);
    ownership.heartbeat();
    expect(ownership.isCutOff()).to.equal(false);
  });

  it('ends with a rebalance, and begins again with the join', () => {
    const { left, ownership } = joined();
    ownership.heartbeat();
    ownership.ends();
    expect(left()).to.equal(null);
    ownership.heartbeat();
    expect(left()).to.equal(null);
    ownership.joined(0);
    expect(left()).to.equal(3_000);
  });
});
