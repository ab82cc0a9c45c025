import { expect } from 'chai';
import { aSettler, EVEN, entries, sizes } from './a-settler.js';
import { settleDown } from './builders.js';

describe('busy settler', () => {
  it('paces the commits of a lane, so that entries of the meantime share the next one', async () => {
    const busy = aSettler();
    const room = Promise.withResolvers<void>();
    busy.room = () => room.promise;
    busy.addAll(entries(1));
    await settleDown();
    busy.addAll(entries(3, EVEN, 'more'));
    await settleDown();
    expect(busy.stored).to.deep.equal([]);
    room.resolve();
    await settleDown();
    expect(sizes(busy.stored)).to.deep.equal([4]);
    expect(busy.paced).to.deep.equal([15]);
  });

  it('does not wait when a full batch is pending', async () => {
    const busy = aSettler({ maxBatch: 2 });
    busy.room = () => new Promise(() => {});
    busy.addAll(entries(4));
    await settleDown();
    expect(sizes(busy.stored)).to.deep.equal([2, 2]);
  });
});
