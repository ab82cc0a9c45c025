import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { createCpuTime } from '../../src/runtime/thread-cpu.js';
import { createTurnLimits, nextTurn, type TurnLimit } from '../../src/runtime/turns.js';

describe('The limits of a turn of the event loop', () => {
  const [TOTAL_MS, LEAST_MS] = [10, 2];
  let time = 0;
  /** The part of the time in which the process had no core. */
  let waited = 0;
  let readings = 0;
  const cpuMs = () => {
    readings += 1;
    return time - waited;
  };
  const limits = () =>
    createTurnLimits(
      { totalMs: TOTAL_MS, leastMs: LEAST_MS },
      createCpuTime(cpuMs, () => time),
    );
  const limit = () => limits()();

  it('are reached by work that takes long, and not any more in the next turn', async () => {
    const turn = limit();
    expect(turn.isOver()).to.equal(false);
    time += TOTAL_MS;
    expect(turn.isOver()).to.equal(true);
    await nextTurn();
    expect(turn.isOver()).to.equal(false);
  });

  it('do not count the time before the first question in a turn', async () => {
    const turn = limit();
    turn.isOver();
    await nextTurn();
    time += 10 * TOTAL_MS;
    expect(turn.isOver()).to.equal(false);
  });

  it('count the time of all kinds of work together', () => {
    const add = limits();
    const [one, other] = [add(), add()];
    one.isOver();
    time += TOTAL_MS / 2;
    other.isOver();
    time += TOTAL_MS / 2;
    expect([one.isOver(), other.isOver()]).to.deep.equal([true, true]);
  });

  it('leave some time to each kind of work, however much the others have used', async () => {
    const add = limits();
    const [one, other] = [add(), add()];
    one.isOver();
    time += 10 * TOTAL_MS;
    expect([one.isOver(), other.isOver()]).to.deep.equal([true, false]);
    time += LEAST_MS;
    expect(other.isOver()).to.equal(true);
    await nextTurn();
    expect([one.isOver(), other.isOver()]).to.deep.equal([false, false]);
  });

  /** A turn in which work asks, and which takes this time altogether. */
  const turnOf = async (turn: TurnLimit, ms: number) => {
    turn.isOver();
    time += ms;
    await nextTurn();
  };

  it('leave less time after a turn that took longer, whatever it was used for', async () => {
    const turn = limit();
    await turnOf(turn, TOTAL_MS + 4);
    turn.isOver();
    time += TOTAL_MS - 4 - 1;
    expect(turn.isOver()).to.equal(false);
    time += 1;
    expect(turn.isOver()).to.equal(true);
  });

  it('count the responses that arrive before the first question in the next turn', async () => {
    const turn = limit();
    await turnOf(turn, 0);
    time += TOTAL_MS + 4;
    await turnOf(turn, 0);
    turn.isOver();
    time += TOTAL_MS - 4;
    expect(turn.isOver()).to.equal(true);
  });

  // In a thread of its own, where nothing else is pending. If the event loop did not wait, the turn would end before the response.
  it('count a response for which the event loop waited', async () => {
    const waitsOnce = `
      const { parentPort, workerData } = require('node:worker_threads');
      import(workerData).then(({ createTurnLimits }) => {
        let time = 0;
        const turn = createTurnLimits({ totalMs: 10, leastMs: 2 }, { used: () => time, upperBound: () => time })();
        const isOverAfter = (ms) => (turn.isOver(), (time += ms), turn.isOver());
        const answer = () => parentPort.postMessage([isOverAfter(5), isOverAfter(1)]);
        const respond = () => ((time += 14), turn.isOver(), setImmediate(answer));
        const ask = () => (turn.isOver(), setTimeout(respond, 20));
        setTimeout(ask, 20);
      });`;
    const worker = new Worker(waitsOnce, {
      eval: true,
      workerData: import.meta.resolve('../../src/runtime/turns.js'),
    });
    const [answer] = await once(worker, 'message');
    expect(answer).to.deep.equal([false, true]);
  });

  it('leave the least time after however long a turn, and all of it after a short one', async () => {
    const turn = limit();
    await turnOf(turn, 100 * TOTAL_MS);
    expect(turn.isOver()).to.equal(false);
    time += LEAST_MS;
    expect(turn.isOver()).to.equal(true);
    await nextTurn();
    turn.isOver();
    time += TOTAL_MS - 1;
    expect(turn.isOver()).to.equal(false);
  });

  it('leave all of the time after turns without such work', async () => {
    const turn = limit();
    await turnOf(turn, 0);
    await nextTurn();
    time += 100 * TOTAL_MS;
    await nextTurn();
    turn.isOver();
    time += TOTAL_MS - 1;
    expect(turn.isOver()).to.equal(false);
  });

  it('do not count the time in which the process waits for a core', () => {
    const turn = limit();
    turn.isOver();
    time += 10 * TOTAL_MS;
    waited += 10 * TOTAL_MS;
    expect(turn.isOver()).to.equal(false);
    time += TOTAL_MS;
    expect(turn.isOver()).to.equal(true);
  });

  // Each reading is a system call: with one for each question they took 3 % of a busy dispatcher's CPU.
  it('read the CPU time only when a turn begins or the clock allows that it is over', () => {
    const turn = limit();
    turn.isOver();
    const before = readings;
    for (let question = 0; question < 100; question += 1) turn.isOver();
    expect(readings).to.equal(before);
    time += TOTAL_MS;
    expect([turn.isOver(), readings]).to.deep.equal([true, before + 1]);
  });

  // Regression: the first to wait was the first to ask in each turn, and used all of its time.
  it('give those that wait without end equal shares, and one that waits later no less', async () => {
    const turn = limit();
    const done = [0, 0, 0];
    let isEnded = false;
    const work = async (worker: number) => {
      while (!isEnded) {
        if (turn.isOver()) await turn.wait();
        done[worker] = (done[worker] ?? 0) + 1;
        time += TOTAL_MS / 5;
      }
    };
    const workers = [work(0), work(1)];
    for (let passed = 0; passed < 30; passed += 1) await nextTurn();
    const [before] = done;
    workers.push(work(2));
    for (let passed = 0; passed < 60; passed += 1) await nextTurn();
    isEnded = true;
    await Promise.all(workers);
    const [first, second, third] = done as [number, number, number];
    expect(Math.abs(first - second)).to.be.at.most(5);
    expect(first - before! - third).to.be.within(-5, 5);
    expect(third).to.be.above(50);
  });

  it('let several that wait continue one after the other, each in a turn with time left', async () => {
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
      time += TOTAL_MS;
    };
    await Promise.all([work(), work(), work()]);
    isDone = true;
    expect(turns).to.deep.equal([0, 1, 2]);
  });
});
