import { expect } from 'chai';
import { aSettler, EVEN, entries, sizes } from './a-settler.js';
import { settleDown } from './builders.js';

describe('a settler that is busy', () => {
  it('gathers while it is busy: commits of a lane begin 15 ms apart', async () => {
    const busy = aSettler();
    busy.restMs = 0;
    busy.addAll(entries(1));
    await settleDown();
    expect(busy.pauses, 'after a rest').to.deep.equal([]);
    busy.addAll(entries(3, EVEN, 'more'));
    await settleDown();
    expect(busy.pauses).to.deep.equal([15]);
    expect(sizes(busy.stored)).to.deep.equal([1, 3]);
  });

  it('gathers no longer when the clock is set back: it follows the database, and that may jump', async () => {
    const busy = aSettler();
    busy.restMs = -60_000;
    busy.addAll(entries(1));
    await settleDown();
    busy.addAll(entries(1, EVEN, 'more'));
    await settleDown();
    expect(busy.pauses).to.deep.equal([15]);
    expect(sizes(busy.stored)).to.deep.equal([1, 1]);
  });

  it('does not wait for more than one commit can take', async () => {
    const busy = aSettler({ maxBatch: 2 });
    busy.restMs = 0;
    busy.addAll(entries(4));
    await settleDown();
    expect(busy.pauses).to.deep.equal([]);
    expect(sizes(busy.stored)).to.deep.equal([2, 2]);
  });
});
