import { expect } from 'chai';
import type { Job } from '../../../src/engine/jobs/job.js';
import { createJobBudget } from '../../../src/engine/jobs/job-budget.js';
import type { Standing } from '../../../src/engine/scheduler/standing.js';
import { aJob } from '../builders.js';

const owner = (endpointId: string, workspaceId = 'w') => ({ endpointId, workspaceId });

/** A budget for 1,000 jobs and a function that adds as many jobs of an endpoint as are admitted. */
function aBudget() {
  const changed: string[] = [];
  const budget = createJobBudget(1_000, (workspaceId) => changed.push(workspaceId));
  const jobs: Job[] = [];
  const fill = (endpointId: string, workspaceId = 'w', standing: Standing = 'proven') => {
    let added = 0;
    for (; budget.admits(owner(endpointId, workspaceId), standing); added += 1) {
      const isUnproven = standing !== 'proven';
      const job = { ...aJob(owner(endpointId, workspaceId)), isUnproven };
      jobs.push(job);
      budget.add(job);
    }
    return added;
  };
  return { budget, jobs, fill, changed };
}

describe('job budget', () => {
  it('gives an endpoint that is alone half of the memory, and always leaves room for others', () => {
    const { budget, fill } = aBudget();
    expect(fill('a')).to.equal(500);
    expect(fill('b', 'w2')).to.equal(250);
    expect(fill('c', 'w3')).to.equal(125);
    expect(budget.free()).to.equal(125);
    expect(budget.jobsOf('b')).to.equal(250);
  });

  it('gives a workspace with many endpoints three quarters of the memory', () => {
    const { fill } = aBudget();
    let added = 0;
    for (let index = 0; index < 50; index += 1) added += fill(`a${index}`, 'big');
    expect(added).to.equal(750);
    expect(fill('b', 'small')).to.equal(125);
  });

  it('gives a workspace no more if its endpoints are many and have a few jobs each', () => {
    const { fill } = aBudget();
    let added = 0;
    for (let index = 0; index < 500; index += 1) added += fill(`a${index}`, 'big', 'new');
    expect(added).to.equal(750);
    expect(fill('b', 'small')).to.equal(125);
  });

  it('lets a workspace have a few jobs as long as there is room at all', () => {
    const { budget, fill } = aBudget();
    let workspaces = 0;
    while (fill(`e${workspaces}`, `w${workspaces}`) > 0) workspaces += 1;
    expect(budget.free()).to.equal(0);
    expect(workspaces).to.be.at.least(9);
    expect(budget.hasRoomForUnproven()).to.equal(false);
    expect(budget.admits(owner('another', 'another'), 'silent')).to.equal(false);
  });

  for (const { own, others, free, isAdmitted } of [
    { own: 3, others: 0, free: 1, isAdmitted: true },
    { own: 4, others: 0, free: 1, isAdmitted: false },
    { own: 3, others: 2, free: 2, isAdmitted: true },
    { own: 3, others: 3, free: 2, isAdmitted: false },
    { own: 4, others: 0, free: 5, isAdmitted: true },
    { own: 4, others: 0, free: 4, isAdmitted: false },
  ])
    it(`${isAdmitted ? 'admits' : 'refuses'} one more job with ${free} free, ${own} of the endpoint and ${others} others of its workspace`, () => {
      const budget = createJobBudget(own + others + free, () => undefined);
      for (let count = 0; count < own; count += 1) budget.add(aJob(owner('a')));
      for (let count = 0; count < others; count += 1) budget.add(aJob(owner('b')));
      expect(budget.admits(owner('a'), 'proven')).to.equal(isAdmitted);
    });

  it('has as much room for a workspace as it admits jobs', () => {
    const { budget, fill } = aBudget();
    for (const workspaceId of ['w', 'w2', 'w3']) {
      const room = budget.roomFor(workspaceId, 0);
      let added = 0;
      for (let index = 0; index < 500; index += 1)
        added += fill(`${workspaceId}-${index}`, workspaceId, 'new');
      expect(added).to.equal(room);
      expect(budget.roomFor(workspaceId, 0)).to.equal(0);
    }
    expect(budget.roomFor('w', 750), 'without those that do not count').to.equal(
      budget.roomFor('another', 0),
    );
  });

  it('lets silent endpoints have two jobs each, and half of the memory together', () => {
    const { fill } = aBudget();
    for (let index = 0; index < 250; index += 1) expect(fill(`s${index}`, 'w', 'silent')).to.equal(2);
    expect(fill('another', 'w', 'silent')).to.equal(0);
    expect(fill('proven', 'other')).to.equal(250);
  });

  it('counts the unproven jobs of a workspace, and reports each change', () => {
    const { budget, jobs, fill, changed } = aBudget();
    fill('proven');
    fill('s1', 'w', 'silent');
    fill('s2', 'w2', 'silent');
    expect(changed).to.deep.equal(['w', 'w', 'w2', 'w2']);
    expect(budget.unprovenOf('w')).to.equal(2);
    budget.remove(jobs.pop()!);
    expect(budget.unprovenOf('w2')).to.equal(1);
    expect(changed).to.have.length(5);
  });

  it('has room again when jobs are removed', () => {
    const { budget, jobs, fill } = aBudget();
    for (let index = 0; index < 250; index += 1) fill(`s${index}`, 'w', 'silent');
    expect(budget.hasRoomForUnproven()).to.equal(false);
    for (const job of jobs.splice(0)) budget.remove(job);
    expect(budget.hasRoomForUnproven()).to.equal(true);
    expect(budget.free()).to.equal(1_000);
    expect(budget.jobsOf('s0')).to.equal(0);
  });
});
