import { expect } from 'chai';
import { runTasks } from '../src/run-tasks.js';

describe('runTasks', () => {
  const errors: object[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: (facts: object) => errors.push(facts) };
  beforeEach(() => {
    errors.length = 0;
  });

  it('runs every task and returns no name if all succeed', async () => {
    const done: string[] = [];
    const task = (name: string) => ({ name, run: async () => done.push(name) });
    expect(await runTasks([task('cleanup'), task('digest')], log)).to.deep.equal([]);
    expect(done).to.have.members(['cleanup', 'digest']);
    expect(errors).to.deep.equal([]);
  });

  it('finishes the other tasks when one fails and logs the failure', async () => {
    const failure = new Error('the disk is full');
    const finished = Promise.withResolvers<string>();
    const tasks = [
      { name: 'cleanup', run: () => Promise.reject(failure) },
      { name: 'digest', run: () => finished.promise },
    ];
    const result = runTasks(tasks, log);
    finished.resolve('sent');
    expect(await result).to.deep.equal(['cleanup']);
    expect(errors).to.deep.equal([{ event: 'task.failed', task: 'cleanup', err: failure }]);
  });

  it('returns the names of all failed tasks', async () => {
    const broken = (name: string) => ({ name, run: () => Promise.reject(new Error(name)) });
    expect(await runTasks([broken('cleanup'), broken('digest')], log)).to.deep.equal(['cleanup', 'digest']);
  });
});
