import type { JobKind } from '@postrider/shared/domain/replay-job';
import { idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { type JobSlot, kindToStart, slotToYield, workspacesAtLimit } from '../../src/replay/job-slots.js';

const [A, B, C] = [idFor('workspace', 'a'), idFor('workspace', 'b'), idFor('workspace', 'c')];

describe('slots for replay jobs', () => {
  /** Slots of these workspaces, which began one second after another. */
  const slotsOf = (...workspaceIds: (typeof A)[]) => kindSlots('requested', workspaceIds);
  const kindSlots = (kind: JobKind, workspaceIds: readonly (typeof A)[]): JobSlot[] =>
    workspaceIds.map((workspaceId, index) => ({
      jobId: idFor('replayJob', `${index}`),
      workspaceId,
      kind,
      since: index * 1_000,
      mustYield: false,
    }));
  /** Slots of so many workspaces. */
  const different = (kind: JobKind, count: number) =>
    kindSlots(
      kind,
      Array.from({ length: count }, (_, index) => idFor('workspace', `${kind} ${index}`)),
    );
  const requested = (workspaceId: typeof A) => ({ workspaceId, kind: 'requested' }) as const;
  const ofSystem = (workspaceId: typeof A) => ({ workspaceId, kind: 'system' }) as const;
  const times = (count: number, workspaceId: typeof A) => Array.from({ length: count }, () => workspaceId);

  it('are at most ten of one workspace', () => {
    expect(workspacesAtLimit(slotsOf(...times(9, A), ...times(10, B)))).to.deep.equal([B]);
  });

  it('are not given up while some are free', () => {
    expect(slotToYield(slotsOf(...times(9, A), ...times(10, B)), requested(C), 99_000)).to.equal(null);
  });

  it('are given up at once by the workspace with most, for one with at least two fewer', () => {
    const slots = slotsOf(...times(8, A), ...times(10, B), ...times(2, C));
    expect(slotToYield(slots, requested(C), 0)).to.equal(slots[8]);
    expect(slotToYield(slots, requested(A), 0)).to.equal(slots[8]);
  });

  it('are given up by the job that has run longest, after 15 s, if no workspace has two more', () => {
    const slots = slotsOf(...times(10, A), ...times(10, B).slice(1), C);
    const even = slotsOf(...Array.from({ length: 20 }, (_, index) => idFor('workspace', `${index}`)));
    expect(slotToYield(even, requested(idFor('workspace', '0')), 14_999)).to.equal(null);
    expect(slotToYield(even, requested(idFor('workspace', '0')), 15_000)).to.equal(even[0]);
    expect(slotToYield(slots, requested(B), 14_999)).to.equal(null);
    expect(slotToYield(slots, requested(B), 15_000)).to.equal(slots[0]);
  });

  it('of a workspace at its limit are given up for another job of it, after 15 s', () => {
    const slots = slotsOf(A, ...times(10, B));
    expect(slotToYield(slots, requested(B), 15_999)).to.equal(null);
    expect(slotToYield(slots, requested(B), 16_000)).to.equal(slots[1]);
  });

  it('are given up one at a time', () => {
    const slots = slotsOf(...times(10, A), ...times(10, B));
    const first = slotToYield(slots, requested(C), 0);
    expect(first).to.equal(slots[0]);
    if (first !== null) first.mustYield = true;
    expect(slotToYield(slots, requested(C), 99_000)).to.equal(null);
  });

  // Regression: after their first turn, requested jobs waited for thousands of jobs of the system.
  it('are given up by jobs of the system, not by a requested one that has run longer, while both run', () => {
    const slots = [...different('requested', 1), ...different('system', 19)];
    for (const waiting of [ofSystem(A), requested(A)])
      expect(slotToYield(slots, waiting, 99_000), waiting.kind).to.equal(slots[1]);
  });

  it('are given up by a requested job for one of the system only while none of these runs', () => {
    const slots = different('requested', 20);
    expect(slotToYield(slots, ofSystem(A), 15_000)).to.equal(slots[0]);
    expect(kindToStart(slots.slice(1)), 'the slot that became free').to.equal('system');
    expect(kindToStart(slots.slice(2))).to.equal('requested');
  });

  it('include one of the system while requested jobs wait', () => {
    const slots = [...different('system', 1), ...different('requested', 19)];
    expect(slotToYield(slots, requested(A), 99_000)).to.equal(slots[1]);
    expect(kindToStart([...slots.slice(0, 1), ...slots.slice(2)])).to.equal('requested');
    expect(slotToYield(slots, ofSystem(A), 99_000)).to.equal(slots[0]);
  });
});
