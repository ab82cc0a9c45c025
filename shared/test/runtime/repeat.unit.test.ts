import { mock } from 'node:test';
import { expect } from 'chai';
import { repeat } from '../../src/runtime/repeat.js';

describe('a repeated task', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };

  /** A task with one run for each call, which lasts until it is ended. */
  function everySecond() {
    const runs: PromiseWithResolvers<void>[] = [];
    const task = () => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    };
    return { runs, ...repeat({ task, pauseMs: () => 1_000, onError: () => {} }) };
  }

  it('runs once at a time, with a pause before each run', async () => {
    const { runs } = everySecond();
    await pass(999);
    expect(runs).to.have.length(0);
    await pass(1);
    expect(runs).to.have.length(1);
    await pass(5_000);
    expect(runs).to.have.length(1);
    runs[0]?.resolve();
    await pass(0);
    await pass(1_000);
    expect(runs).to.have.length(2);
  });

  it('chooses its pauses by the results, which are undefined at first and after a failure', async () => {
    const outcomes = [async () => 20, () => Promise.reject(new Error('away')), async () => 30];
    const results: (number | undefined)[] = [];
    const errors: unknown[] = [];
    repeat({
      task: () => outcomes.shift()!(),
      pauseMs(result = 10) {
        results.push(result);
        return outcomes.length > 0 ? result : null;
      },
      onError: (error) => errors.push(error),
    });
    for (const ms of [10, 20, 10, 1_000]) await pass(ms);
    expect(results).to.deep.equal([10, 20, 10, 30]);
    expect(errors.map(String)).to.deep.equal(['Error: away']);
  });

  it('never runs if its first pause is null', async () => {
    let runs = 0;
    const task = async () => {
      runs += 1;
    };
    repeat({ task, pauseMs: () => null, onError: () => {} });
    await pass(5_000);
    expect(runs).to.equal(0);
  });

  it('stops when the run in progress has ended', async () => {
    const { runs, stop } = everySecond();
    await pass(1_000);
    let isStopped = false;
    const stopping = stop().then(() => {
      isStopped = true;
    });
    await pass(0);
    expect(isStopped).to.equal(false);
    runs[0]?.resolve();
    await stopping;
    await pass(5_000);
    expect(runs).to.have.length(1);
  });

  it('does not run again when it is stopped during a pause', async () => {
    const { runs, stop } = everySecond();
    await pass(500);
    await stop();
    await pass(5_000);
    expect(runs).to.have.length(0);
  });
});
