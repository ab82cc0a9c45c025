import { expect } from 'chai';
import { retryRestMs } from '../../src/consumer/delivery-consumer.js';
import { createFetchTurns } from '../../src/consumer/fetch-turns.js';

describe('fetch turns', () => {
  const start = (restMs = 5_000) => {
    let time = 0;
    const turns = createFetchTurns(restMs, () => time);
    turns.restart();
    const pass = (ms: number) => {
      time += ms;
    };
    return { ...turns, pass };
  };

  it('rest after a fetch without messages, and begin again after the rest', () => {
    const turns = start();
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(false);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(true);
    turns.pass(4_999);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(true);
    turns.pass(1);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(false);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(true);
  });

  it('do not rest while fetches bring messages', () => {
    const turns = start();
    for (let fetches = 0; fetches < 5; fetches += 1) {
      turns.fetchBegins(1);
      turns.extend();
      expect(turns.isResting()).to.equal(false);
    }
    turns.fetchBegins(1);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(true);
  });

  it('wait for a fetch from every broker that began in the turn', () => {
    const turns = start();
    turns.fetchBegins(1);
    turns.fetchBegins(2);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(false);
    turns.fetchBegins(2);
    expect(turns.isResting()).to.equal(true);
    turns.pass(5_000);
    // Broker 1 is still busy with a fetch from the rest, which named none of these topics.
    turns.fetchBegins(2);
    turns.fetchBegins(2);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(false);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(true);
  });

  it('begin at once after an assignment, without the brokers of the last one', () => {
    const turns = start();
    turns.fetchBegins(1);
    turns.fetchBegins(2);
    turns.restart();
    turns.fetchBegins(2);
    expect(turns.isResting()).to.equal(false);
    turns.fetchBegins(2);
    expect(turns.isResting()).to.equal(true);
  });

  it('begin at once when asked to, with the brokers of the last one', () => {
    const turns = start();
    for (const broker of [1, 2, 1, 2]) turns.fetchBegins(broker);
    expect(turns.isResting()).to.equal(true);
    turns.begin();
    expect(turns.isResting()).to.equal(false);
    for (const broker of [1, 1, 2]) turns.fetchBegins(broker);
    expect(turns.isResting()).to.equal(false);
    turns.fetchBegins(2);
    expect(turns.isResting()).to.equal(true);
  });

  // Regression: the topics never rested again after the group had lost a broker.
  it('do not wait for a broker without a fetch for more than 10 s', () => {
    const turns = start();
    turns.fetchBegins(1);
    turns.fetchBegins(2);
    turns.pass(10_000);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(false);
    turns.pass(1);
    turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(true);
  });

  it('never rest without a rest', () => {
    const turns = start(0);
    for (let fetches = 0; fetches < 5; fetches += 1) turns.fetchBegins(1);
    expect(turns.isResting()).to.equal(false);
  });
});

describe('rest of the retry topics', () => {
  const LONGEST_FETCH_MS = 1_000;

  it('lets a retry be read before it is due, whatever the step', () => {
    for (const retryStepMs of [10, 500, 3_000, 6_000, 6_001, 12_345, 30_000, 3_600_000]) {
      const rest = retryRestMs(retryStepMs, LONGEST_FETCH_MS);
      if (rest > 0) expect(rest + LONGEST_FETCH_MS, `${retryStepMs}`).to.be.below(retryStepMs / 2);
    }
  });

  it('is 10 s with the default step', () => {
    expect(retryRestMs(30_000, LONGEST_FETCH_MS)).to.equal(10_000);
  });

  it('is none with a step that is short for a fetch', () => {
    expect(retryRestMs(6_000, LONGEST_FETCH_MS)).to.equal(0);
  });
});
