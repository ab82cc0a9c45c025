import { expect } from 'chai';
import { createTurnLimit, nextTurn } from '../../src/runtime/turns.js';

describe('The limit of a turn of the event loop', () => {
  const LIMIT_MS = 10;
  let time = 0;
  const limit = () => createTurnLimit(LIMIT_MS, () => time);

  it('is reached by work that takes long, and not any more in the next turn', async () => {
    const turn = limit();
    expect(turn.isOver()).to.equal(false);
    time += LIMIT_MS;
    expect(turn.isOver()).to.equal(true);
    await nextTurn();
    expect(turn.isOver()).to.equal(false);
  });

  it('does not count the time before the first question in a turn', async () => {
    const turn = limit();
    turn.isOver();
    await nextTurn();
    time += 10 * LIMIT_MS;
    expect(turn.isOver()).to.equal(false);
  });

  it('lets several that wait continue one after the other, each in a turn with time left', async () => {
    const turn = limit();
    const turns: number[] = [];
    let current = 0;
    let isDone = false;
    const count = () => {
      current += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const work = async () => {
      if (turn.isOver()) await turn.wait();
      turns.push(current);
      time += LIMIT_MS;
    };
    await Promise.all([work(), work(), work()]);
    isDone = true;
    expect(turns).to.deep.equal([0, 1, 2]);
  });
});
