import { expect } from 'chai';
import { aSettler, EVEN, entries, sizes } from './a-settler.js';
import { settleDown } from './builders.js';

describe('busy settler', () => {
  it('starts the commits of a lane 15 ms apart', async () => {
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

  it('does not wait longer when the clock is set back', async () => {
    const busy = aSettler();
    busy.restMs = -60_000;
    busy.addAll(entries(1));
    await settleDown();
    busy.addAll(entries(1, EVEN, 'more'));
    await settleDown();
    expect(busy.pauses).to.deep.equal([15]);
    expect(sizes(busy.stored)).to.deep.equal([1, 1]);
  });

  it('does not wait when a full batch is pending', async () => {
    const busy = aSettler({ maxBatch: 2 });
    busy.restMs = 0;
    busy.addAll(entries(4));
    await settleDown();
    expect(busy.pauses).to.deep.equal([]);
    expect(sizes(busy.stored)).to.deep.equal([2, 2]);
  });
});
