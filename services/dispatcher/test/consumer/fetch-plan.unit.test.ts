import { expect } from 'chai';
import { createFetchPlan } from '../../src/consumer/fetch-plan.js';
import type { TopicPartition } from '../../src/offsets/open-offsets.js';

const BROKER = 1;
const FIRST = { topic: 'first', partition: 0 };
const RETRIES = { topic: 'retries', partition: 0 };

/** A plan with retries in turns, of which the first one has ended. */
function aRestingPlan() {
  let atLimit: readonly TopicPartition[] = [];
  const inTurns = { topics: [RETRIES.topic], restMs: 10_000 };
  const plan = createFetchPlan({ inTurns, updatePauses: () => atLimit });
  plan.assigned([RETRIES]);
  const fetch = (paused: readonly TopicPartition[] = []) => {
    atLimit = paused;
    return plan.pauses(BROKER);
  };
  fetch();
  expect(fetch()).to.deep.equal([RETRIES]);
  return { plan, fetch };
}

describe('plan of fetches', () => {
  it('fetches topics in turns again once a partition of theirs is below its limit', () => {
    const { fetch } = aRestingPlan();
    expect(fetch([RETRIES])).to.deep.equal([RETRIES, RETRIES]);
    expect(fetch([])).to.deep.equal([]);
  });

  it('continues a rest when a partition of another topic is below its limit', () => {
    const { fetch } = aRestingPlan();
    expect(fetch([FIRST])).to.deep.equal([FIRST, RETRIES]);
    expect(fetch([])).to.deep.equal([RETRIES]);
  });

  it('is urgent while a partition of a topic that is always fetched is at its limit', () => {
    const { plan, fetch } = aRestingPlan();
    fetch([RETRIES]);
    expect(plan.isUrgent()).to.equal(false);
    fetch([RETRIES, FIRST]);
    expect(plan.isUrgent()).to.equal(true);
    fetch([]);
    expect(plan.isUrgent()).to.equal(false);
  });

  it('begins a turn after an assignment', () => {
    const { plan, fetch } = aRestingPlan();
    plan.assigned([RETRIES]);
    expect(fetch([])).to.deep.equal([]);
  });

  it('continues a turn that brings messages of its topics, but not for those of others', () => {
    const { plan, fetch } = aRestingPlan();
    plan.assigned([RETRIES]);
    fetch([]);
    plan.received(RETRIES.topic);
    expect(fetch([])).to.deep.equal([]);
    plan.received(FIRST.topic);
    expect(fetch([])).to.deep.equal([RETRIES]);
  });
});
