import { idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { type JobSlot, slotToYield, workspacesAtLimit } from '../../src/replay/job-slots.js';

const [A, B, C] = [idFor('workspace', 'a'), idFor('workspace', 'b'), idFor('workspace', 'c')];

describe('slots for replay jobs', () => {
  /** Slots of these workspaces, which began one second after another. */
  const slotsOf = (...workspaceIds: (typeof A)[]): JobSlot[] =>
    workspaceIds.map((workspaceId, index) => ({
      jobId: idFor('replayJob', `${index}`),
      workspaceId,
      since: index * 1_000,
      mustYield: false,
    }));
  const times = (count: number, workspaceId: typeof A) => Array.from({ length: count }, () => workspaceId);

  it('are at most ten of one workspace', () => {
    expect(workspacesAtLimit(slotsOf(...times(9, A), ...times(10, B)))).to.deep.equal([B]);
  });

  it('are not given up while some are free', () => {
    expect(slotToYield(slotsOf(...times(9, A), ...times(10, B)), C, 99_000)).to.equal(null);
  });

  it('are given up at once by the workspace with most, for one with at least two fewer', () => {
    const slots = slotsOf(...times(8, A), ...times(10, B), ...times(2, C));
    expect(slotToYield(slots, C, 0)).to.equal(slots[8]);
    expect(slotToYield(slots, A, 0)).to.equal(slots[8]);
  });

  it('are given up by the job that has run longest, after 15 s, if no workspace has two more', () => {
    const slots = slotsOf(...times(10, A), ...times(10, B).slice(1), C);
    const even = slotsOf(...Array.from({ length: 20 }, (_, index) => idFor('workspace', `${index}`)));
    expect(slotToYield(even, idFor('workspace', '0'), 14_999)).to.equal(null);
    expect(slotToYield(even, idFor('workspace', '0'), 15_000)).to.equal(even[0]);
    expect(slotToYield(slots, B, 14_999)).to.equal(null);
    expect(slotToYield(slots, B, 15_000)).to.equal(slots[0]);
  });

  it('of a workspace at its limit are given up for another job of it, after 15 s', () => {
    const slots = slotsOf(A, ...times(10, B));
    expect(slotToYield(slots, B, 15_999)).to.equal(null);
    expect(slotToYield(slots, B, 16_000)).to.equal(slots[1]);
  });

  it('are given up one at a time', () => {
    const slots = slotsOf(...times(10, A), ...times(10, B));
    const first = slotToYield(slots, C, 0);
    expect(first).to.equal(slots[0]);
    if (first !== null) first.mustYield = true;
    expect(slotToYield(slots, C, 99_000)).to.equal(null);
  });
});
