import { expect } from 'chai';
import { addLeaveGuard, leaveState, mayLeave } from '../src/ui/leave-guards.js';

describe('guards of a page', () => {
  it('let it be left at once without a guard', async () => {
    expect(await mayLeave()).to.equal(true);
    expect(leaveState()).to.deep.equal({ isGuarded: false, answer: null });
  });

  it('ask once until the last of them is removed', async () => {
    const removals = [addLeaveGuard(), addLeaveGuard()];
    for (const remove of removals) {
      const answer = mayLeave();
      leaveState().answer?.(false);
      expect(await answer).to.equal(false);
      expect(leaveState()).to.deep.equal({ isGuarded: true, answer: null });
      remove();
    }
    expect(await mayLeave()).to.equal(true);
  });

  it('refuse an earlier question when another is asked', async () => {
    const remove = addLeaveGuard();
    const earlier = mayLeave();
    const later = mayLeave();
    leaveState().answer?.(true);
    expect(await Promise.all([earlier, later])).to.deep.equal([false, true]);
    remove();
  });
});
