import { expect } from 'chai';
import { parkingLot } from '../../src/engine/parking.js';

const EMPTY = { foundNew: false, now: 0 };

/** A lot with one parked endpoint whose query has begun. */
function queriedLot() {
  const lot = parkingLot();
  lot.park('a');
  lot.queryBegins('a');
  return lot;
}

describe('the parking lot', () => {
  it('knows what is parked until it is dropped', () => {
    const lot = parkingLot();
    expect(lot.isParked('a')).to.equal(false);
    lot.park('a');
    expect(lot.isParked('a')).to.equal(true);
    expect(lot.size()).to.equal(1);
    lot.drop('a');
    expect(lot.isParked('a')).to.equal(false);
    expect(lot.size()).to.equal(0);
  });

  it('is readyToFeed for what is parked and not queried already', () => {
    const lot = queriedLot();
    lot.park('b');
    expect(lot.readyToFeed(0)).to.deep.equal(['b']);
  });

  it('lets an endpoint go when an answer brings nothing new and nothing was set aside meanwhile', () => {
    const lot = queriedLot();
    expect(lot.queryEnded('a', EMPTY)).to.equal(true);
    expect(lot.isParked('a')).to.equal(false);
  });

  it('counts what was set aside before the query began as answered by it', () => {
    const lot = parkingLot();
    lot.park('a');
    lot.setAside('a');
    lot.queryBegins('a');
    expect(lot.queryEnded('a', EMPTY)).to.equal(true);
  });

  it('queries again a second later when something was set aside meanwhile', () => {
    const lot = queriedLot();
    lot.setAside('a');
    expect(lot.queryEnded('a', { foundNew: false, now: 5_000 })).to.equal(false);
    expect(lot.isParked('a')).to.equal(true);
    expect(lot.readyToFeed(5_999)).to.deep.equal([]);
    expect(lot.readyToFeed(6_000)).to.deep.equal(['a']);
  });

  it('is readyToFeed again at once while answers bring something new', () => {
    const lot = queriedLot();
    expect(lot.queryEnded('a', { foundNew: true, now: 5_000 })).to.equal(false);
    expect(lot.readyToFeed(5_000)).to.deep.equal(['a']);
  });

  it('keeps an endpoint whose query failed, and queries a second later', () => {
    const lot = queriedLot();
    lot.queryFailed('a', 5_000);
    expect(lot.readyToFeed(5_999)).to.deep.equal([]);
    expect(lot.readyToFeed(6_000)).to.deep.equal(['a']);
  });

  it('stays as it is when a parked endpoint is parked again', () => {
    const lot = queriedLot();
    lot.setAside('a');
    lot.park('a');
    expect(lot.readyToFeed(0), 'still being queried').to.deep.equal([]);
    expect(lot.queryEnded('a', EMPTY), 'something was set aside').to.equal(false);
  });

  it('makes nothing of the end of a query whose endpoint was dropped', () => {
    const lot = queriedLot();
    lot.drop('a');
    lot.setAside('a');
    lot.queryFailed('a', 0);
    expect(lot.queryEnded('a', EMPTY)).to.equal(false);
    expect(lot.isParked('a')).to.equal(false);
  });
});
