import { nextTurn } from '@postrider/shared/runtime/turns';
import { expect } from 'chai';
import { createWaitingBudget } from '../../src/streams/waiting-budget.js';

/** A budget of 100 bytes for all queues, and 10 behind the first part of each. */
function aBudget() {
  const budget = createWaitingBudget({ maxBytesBehind: 10, maxBytesOfAll: 100 });
  const open = (...parts: readonly number[]) => {
    const queue = budget.open();
    for (const bytes of parts) queue.add(bytes);
    return queue;
  };
  return { open };
}

/** Whether a promise is settled. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  promise.then(() => {
    settled = true;
  });
  await nextTurn();
  return settled;
}

describe('waiting budget', () => {
  it('limits what waits in a queue behind its first part', () => {
    const { open } = aBudget();
    const queue = open(50, 10);
    expect(queue.isFull()).to.equal(false);
    queue.add(1);
    expect(queue.isFull()).to.equal(true);
    queue.shift();
    expect(queue.isFull()).to.equal(false);
  });

  it('limits all queues together: those above the mean are full', () => {
    const { open } = aBudget();
    const [large, small] = [open(90), open(10)];
    expect([large.isFull(), small.isFull()]).to.deep.equal([false, false]);
    small.add(1);
    expect([large.isFull(), small.isFull()]).to.deep.equal([true, false]);
    large.shift();
    expect([large.isFull(), small.isFull()]).to.deep.equal([false, false]);
  });

  it('resolves what a queue waits for once it is full, also because of another one', async () => {
    const { open } = aBudget();
    const [large, small] = [open(90), open(10)];
    const [ofLarge, ofSmall] = [large.full(), small.full()];
    expect(await isSettled(ofLarge)).to.equal(false);
    small.add(1);
    expect([await isSettled(ofLarge), await isSettled(ofSmall)]).to.deep.equal([true, false]);
    small.add(10);
    expect(await isSettled(ofSmall)).to.equal(true);
  });

  it('resolves it for a closed queue, too, and counts its bytes until they are given', async () => {
    const { open } = aBudget();
    const [closed, other] = [open(90), open(5)];
    const full = closed.full();
    closed.close();
    expect(await isSettled(full)).to.equal(true);
    other.add(6);
    expect(closed.isFull()).to.equal(true);
    closed.shift();
    expect([closed.isEmpty(), other.isEmpty()]).to.deep.equal([true, false]);
    expect(closed.isFull()).to.equal(false);
  });
});
