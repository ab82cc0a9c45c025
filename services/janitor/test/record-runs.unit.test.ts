import type { TaskRun } from '@postrider/shared/ports/task-runs';
import { expect } from 'chai';
import { recordRuns } from '../src/record-runs.js';

describe('recordRuns', () => {
  const warnings: object[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: (facts: object) => warnings.push(facts), error: quiet };
  let minute = 0;
  const clock = { now: () => new Date(Date.UTC(2026, 2, 2, 12, minute++)) };
  const notes: TaskRun[] = [];
  const runs = { record: async (run: TaskRun) => void notes.push(run) };
  beforeEach(() => {
    minute = 0;
    notes.length = 0;
    warnings.length = 0;
  });
  const at = (time: string) => new Date(`2026-03-02T${time}Z`);
  const settings = { retentionMs: 9 };

  it('stores the result, the times and the settings of a run', async () => {
    const result = { handled: 12, isFinished: true };
    const task = recordRuns({ name: 'cleanup', run: async () => result }, settings, { runs, clock, log });
    expect(await task.run()).to.equal(result);
    const times = { startedAt: at('12:00:00'), endedAt: at('12:01:00') };
    expect(notes).to.deep.equal([{ task: 'cleanup', ...times, result, settings }]);
  });

  it('stores a failed run and rejects', async () => {
    const run = () => Promise.reject(new Error('the database is away'));
    const task = recordRuns({ name: 'digest', run }, {}, { runs, clock, log });
    expect(await task.run().catch((error: Error) => error.message)).to.equal('the database is away');
    expect(notes.map(({ result }) => result)).to.deep.equal([null]);
  });

  it('does not fail a task whose run cannot be stored, and logs it', async () => {
    const broken = { record: () => Promise.reject(new Error('away')) };
    const result = { handled: 1, isFinished: true };
    const task = recordRuns({ name: 'cleanup', run: async () => result }, {}, { runs: broken, clock, log });
    expect(await task.run()).to.equal(result);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include({ event: 'task.not_noted', task: 'cleanup' });
  });
});
