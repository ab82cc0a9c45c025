import { aMessage } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { Job } from '../../../src/engine/jobs/job.js';
import { createJobTable } from '../../../src/engine/jobs/job-table.js';
import type { HandedOver } from '../../../src/ports/hand-over.js';
import { aHandedOver, messages, sourceAt } from '../builders.js';

/** `done` lists the offsets that are done, and `counted` the keys of the jobs that the budget counts. */
function aTable() {
  const done: number[] = [];
  const counted = new Set<string>();
  const table = createJobTable({
    budget: {
      add: ({ key }) => void counted.add(key),
      remove: ({ key }) => void counted.delete(key),
    },
    onDone: ({ offset }) => done.push(offset),
  });
  const add = (job: Partial<Pick<Job, 'sources' | 'handedOver'>> = {}) =>
    table.add(aMessage(), { isUnproven: false, ...job });
  return { table, add, done, counted };
}

describe('job table', () => {
  it('marks the offsets of all messages of a job as done when it ends', () => {
    const { table, add, done, counted } = aTable();
    const job = add({ sources: [sourceAt(1)] });
    expect(table.join(job.key, sourceAt(2))).to.equal(true);
    expect(done).to.deep.equal([]);
    table.finish(job);
    expect(done).to.deep.equal([1, 2]);
    expect(table.isKnown(job.key)).to.equal(false);
    expect(counted.size).to.equal(0);
  });

  it('marks the offsets of an acknowledged job as done at once, and later ones as they arrive', () => {
    const { table, add, done } = aTable();
    const job = add({ sources: [sourceAt(1)] });
    table.acknowledge(job);
    expect(table.join(job.key, sourceAt(2))).to.equal(true);
    expect(done).to.deep.equal([1, 2]);
    expect(table.find(job.key)).to.equal(job);
  });

  it('knows a job that ended before its message arrived, until that arrives', () => {
    const { table, add, done } = aTable();
    const { key } = add();
    expect(table.join('another', sourceAt(1))).to.equal(false);
    table.finish(table.find(key)!);
    expect(table.find(key)).to.equal(undefined);
    expect(table.isKnown(key)).to.equal(true);
    expect(table.join(key, sourceAt(2))).to.equal(true);
    expect(table.join(key, sourceAt(3))).to.equal(false);
    expect(done).to.deep.equal([2]);
  });

  it('knows the last 10,000 jobs that ended before their messages arrived', () => {
    const { table } = aTable();
    const jobs = messages(10_001).map((message) => table.add(message, { isUnproven: false }));
    for (const job of jobs) table.finish(job);
    expect(jobs.slice(0, 2).map(({ key }) => table.isKnown(key))).to.deep.equal([false, true]);
  });

  it('leaves the offsets of a dropped job open', () => {
    const { table, add, done, counted } = aTable();
    table.drop(add({ sources: [sourceAt(1)] }));
    expect(done).to.deep.equal([]);
    expect([table.size(), counted.size]).to.deep.equal([0, 0]);
  });

  it('ends the hand-over of a row once', () => {
    const { table, add } = aTable();
    let ends = 0;
    const onEnded = () => {
      ends += 1;
    };
    const job = add({ handedOver: { ...aHandedOver(), onEnded } });
    table.acknowledge(job);
    table.finish(job);
    expect(ends).to.equal(1);
  });

  it('reports a row that is dropped before its hand-over has ended', () => {
    const { table, add } = aTable();
    const dropped: string[] = [];
    const handOverOf = (name: string): HandedOver => {
      return { ...aHandedOver(), onDropped: () => void dropped.push(name) };
    };
    table.drop(add({ handedOver: handOverOf('open') }));
    const ended = add({ handedOver: handOverOf('ended') });
    table.acknowledge(ended);
    table.drop(ended);
    expect(dropped).to.deep.equal(['open']);
  });
});
