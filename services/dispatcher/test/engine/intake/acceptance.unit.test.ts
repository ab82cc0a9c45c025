import { DELIVERIES_TOPIC, tierOfTopic } from '@postrider/shared/ports/topics';
import { aMessage, idFor, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createAcceptance } from '../../../src/engine/intake/acceptance.js';
import { aLog, settleDown, turnLimitsBy } from '../builders.js';

const FIRST_RETRY = 'webhook.deliveries.retry.1';
const NOW = NOON.getTime();
const STEP_MS = 30_000;

/** An acceptance of all offsets that are not accepted before, at noon. */
function anAcceptance() {
  const added: number[] = [];
  const done: number[] = [];
  const seen = new Set<number>();
  const gathered: (() => void)[] = [];
  const world = { isAssigned: true, delivered: new Set<string>() };
  const acceptance = createAcceptance({
    intake: {
      classify: ({ offset }) => (seen.has(offset) ? 'duplicate' : 'new'),
      track: (source) => {
        seen.add(source.offset);
        return { ...source, epoch: 0 };
      },
      done: ({ offset }) => void done.push(offset),
    },
    workload: { addMessage: (_message, _source, due) => void added.push(due) },
    store: { deliveredOf: async (ids) => new Set(ids.filter((id) => world.delivered.has(id))) },
    isAssigned: () => world.isAssigned,
    retryStepMs: STEP_MS,
    clockMs: () => NOW,
    turn: turnLimitsBy(() => 0)(),
    kick: () => undefined,
    later: (task) => gathered.push(task),
    log: aLog(),
  });
  const accept = (
    topic: string,
    { dueAt = undefined as Date | undefined, appendedAt = NOW, offset = 1 } = {},
  ) =>
    acceptance.accept({
      topic,
      partition: 0,
      offset,
      appendedAt,
      message: { ...aMessage({ ordinal: 2 }), ...(dueAt !== undefined && { dueAt }) },
    });
  const gatherAll = () => {
    for (const task of gathered.splice(0)) task();
    return settleDown();
  };
  return Object.assign(world, { acceptance, accept, gatherAll, added, done });
}

describe('accepting messages', () => {
  it('delays a retry by one backoff after its append at most, and not beyond its due time', () => {
    expect(tierOfTopic(FIRST_RETRY)).to.equal(1);
    const dueAfter = (options: Parameters<ReturnType<typeof anAcceptance>['accept']>[1]) => {
      const { accept, added } = anAcceptance();
      accept(FIRST_RETRY, options);
      return added.map((due) => due - NOW);
    };
    expect(dueAfter({})).to.deep.equal([STEP_MS]);
    expect(dueAfter({ appendedAt: NOW - 10_000 })).to.deep.equal([STEP_MS - 10_000]);
    expect(dueAfter({ appendedAt: NOW + 10_000 }), 'the clock of the broker is ahead').to.deep.equal([
      STEP_MS,
    ]);
    expect(dueAfter({ dueAt: later(5_000) })).to.deep.equal([5_000]);
    expect(dueAfter({ dueAt: later(50_000) })).to.deep.equal([STEP_MS]);
  });

  it('starts a first attempt at once, and an accepted message once', () => {
    const { accept, added } = anAcceptance();
    for (let time = 0; time < 2; time += 1) accept(DELIVERIES_TOPIC);
    expect(added).to.deep.equal([0]);
  });

  it('skips a delivered first attempt from before the assignment, and asks about no retry', async () => {
    const { acceptance, accept, gatherAll, added, done, delivered } = anAcceptance();
    delivered.add(idFor('delivery', 'first'));
    acceptance.assigned();
    accept(DELIVERIES_TOPIC, { offset: 1, appendedAt: NOW - 1 });
    accept(FIRST_RETRY, { offset: 2, appendedAt: NOW - 1 });
    expect(added).to.have.length(1);
    await gatherAll();
    expect([added.length, done]).to.deep.equal([1, [1]]);
  });

  it('leaves the messages of endpoints of other processes to these', () => {
    const world = anAcceptance();
    world.isAssigned = false;
    world.accept(FIRST_RETRY);
    expect([world.added, world.done]).to.deep.equal([[], [1]]);
  });

  it('keeps the offset of an unreadable message until it is in quarantine, once', async () => {
    const { acceptance, done } = anAcceptance();
    const at = (offset: number) => ({ topic: DELIVERIES_TOPIC, partition: 0, offset });
    let quarantined = 0;
    const quarantine = async () => {
      quarantined += 1;
    };
    for (let time = 0; time < 2; time += 1) acceptance.skip(at(1), quarantine);
    acceptance.skip(at(2), () => Promise.reject(new Error('no broker')));
    expect(done).to.deep.equal([]);
    await settleDown();
    expect([quarantined, done]).to.deep.equal([1, [1]]);
  });
});
