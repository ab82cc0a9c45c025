import { expect } from 'chai';
import { createParkingLot } from '../../src/engine/parking.js';

const EMPTY = { foundNew: false, now: 0 };

/** A lot with one parked endpoint whose query has begun. */
function queriedLot() {
  const lot = createParkingLot();
  lot.park('a');
  lot.queryBegins('a');
  return lot;
}

describe('parking lot', () => {
  it('keeps an endpoint parked until it is unparked', () => {
    const lot = createParkingLot();
    expect(lot.isParked('a')).to.equal(false);
    lot.park('a');
    expect(lot.isParked('a')).to.equal(true);
    expect(lot.size()).to.equal(1);
    lot.unpark('a');
    expect(lot.isParked('a')).to.equal(false);
    expect(lot.size()).to.equal(0);
  });

  it('returns parked endpoints that are not being queried as ready to feed', () => {
    const lot = queriedLot();
    lot.park('b');
    expect(lot.readyToFeed(0)).to.deep.equal(['b']);
  });

  it('unparks an endpoint after a query without new rows during which no message was skipped', () => {
    const lot = queriedLot();
    expect(lot.queryEnded('a', EMPTY)).to.equal(true);
    expect(lot.isParked('a')).to.equal(false);
  });

  it('treats messages skipped before a query began as covered by it', () => {
    const lot = createParkingLot();
    lot.park('a');
    lot.messageSkipped('a');
    lot.queryBegins('a');
    expect(lot.queryEnded('a', EMPTY)).to.equal(true);
  });

  it('queries again a second later if a message was skipped during the query', () => {
    const lot = queriedLot();
    lot.messageSkipped('a');
    expect(lot.queryEnded('a', { foundNew: false, now: 5_000 })).to.equal(false);
    expect(lot.isParked('a')).to.equal(true);
    expect(lot.readyToFeed(5_999)).to.deep.equal([]);
    expect(lot.readyToFeed(6_000)).to.deep.equal(['a']);
  });

  it('is ready to feed again immediately after a query with new rows', () => {
    const lot = queriedLot();
    expect(lot.queryEnded('a', { foundNew: true, now: 5_000 })).to.equal(false);
    expect(lot.readyToFeed(5_000)).to.deep.equal(['a']);
  });

  it('keeps an endpoint parked after a failed query and queries again a second later', () => {
    const lot = queriedLot();
    lot.queryFailed('a', 5_000);
    expect(lot.readyToFeed(5_999)).to.deep.equal([]);
    expect(lot.readyToFeed(6_000)).to.deep.equal(['a']);
  });

  it('does not reset an endpoint that is parked again', () => {
    const lot = queriedLot();
    lot.messageSkipped('a');
    lot.park('a');
    expect(lot.readyToFeed(0), 'still being queried').to.deep.equal([]);
    expect(lot.queryEnded('a', EMPTY), 'a message was skipped').to.equal(false);
  });

  it('ignores the end of a query of an unparked endpoint', () => {
    const lot = queriedLot();
    lot.unpark('a');
    lot.messageSkipped('a');
    lot.queryFailed('a', 0);
    expect(lot.queryEnded('a', EMPTY)).to.equal(false);
    expect(lot.isParked('a')).to.equal(false);
  });
});
