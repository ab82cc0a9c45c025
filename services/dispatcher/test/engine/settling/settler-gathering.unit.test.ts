import { expect } from 'chai';
import { settleDown } from '../builders.js';
import { aSettler, EVEN, entries, ODD, sizes } from './a-settler.js';

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
    expect(busy.paced).to.deep.equal([50]);
  });

  it('gathers what needs a transaction for longer, and delays no other entry by that', async () => {
    const busy = aSettler();
    busy.failing.add(ODD);
    const room = Promise.withResolvers<void>();
    busy.room = (everyMs) => (everyMs > 50 ? room.promise : Promise.resolve());
    busy.addAll([...entries(1, ODD), ...entries(1, EVEN)]);
    await settleDown();
    expect(busy.stored).to.deep.equal([[`${EVEN} 0`]]);
    busy.addAll(entries(2, ODD, 'more'));
    room.resolve();
    await settleDown();
    expect(sizes(busy.stored)).to.deep.equal([1, 3]);
    expect(busy.paced).to.deep.equal([100, 50]);
  });

  it('stores the entries of an endpoint in their order, whatever they need', async () => {
    const busy = aSettler();
    const room = Promise.withResolvers<void>();
    busy.room = (everyMs) => (everyMs > 50 ? room.promise : Promise.resolve());
    busy.failing.add(ODD);
    busy.addAll(entries(1, ODD, 'failure'));
    busy.failing.delete(ODD);
    busy.addAll(entries(1, ODD, 'success'));
    await settleDown();
    expect(busy.stored).to.deep.equal([]);
    room.resolve();
    await settleDown();
    expect(busy.stored).to.deep.equal([['failure 0', 'success 0']]);
    busy.addAll(entries(1, ODD, 'later'));
    await settleDown();
    expect(busy.paced).to.deep.equal([100, 50]);
  });

  // Regression: the failure of a busy endpoint was stored in the lane of its successes, and others waited for its transaction.
  it('stores a failure that follows successes in a transaction, for which no other endpoint waits', async () => {
    const busy = aSettler();
    const transaction = Promise.withResolvers<void>();
    busy.room = (everyMs) => (everyMs > 50 ? transaction.promise : Promise.resolve());
    const first = Promise.withResolvers<void>();
    busy.gate = () => first.promise;
    busy.addAll(entries(1, ODD, 'success'));
    await settleDown();
    busy.failing.add(ODD);
    busy.addAll(entries(1, ODD, 'failure'));
    busy.failing.delete(ODD);
    busy.addAll([...entries(1, ODD, 'later'), ...entries(1, EVEN, 'other')]);
    first.resolve();
    await settleDown();
    expect(busy.stored).to.deep.equal([['success 0'], ['other 0']]);
    expect(busy.settler.unsettled()).to.equal(2);
    transaction.resolve();
    await settleDown();
    expect(busy.stored.slice(2)).to.deep.equal([['failure 0', 'later 0']]);
    busy.addAll(entries(1, ODD, 'last'));
    await settleDown();
    expect(busy.stored.slice(3)).to.deep.equal([['last 0']]);
    expect(busy.paced.at(-1)).to.equal(50);
  });

  it('does not wait when a full batch is pending', async () => {
    const busy = aSettler({ maxBatch: 2 });
    busy.room = () => new Promise(() => {});
    busy.addAll(entries(4));
    await settleDown();
    expect(sizes(busy.stored)).to.deep.equal([2, 2]);
  });
});
