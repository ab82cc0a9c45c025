import { expect } from 'chai';
import { createParkingLot, type FeedClass } from '../../../src/engine/jobs/parking.js';

const EMPTY = { isBehind: false, foundNothingNew: true, workspaceId: null, now: 0, refillBelow: 1 };
const FOUND = { ...EMPTY, isBehind: true, foundNothingNew: false, workspaceId: 'w1', refillBelow: 4 };
const anyone = () => true;
const owner = (endpointId: string, workspaceId = 'w1') => ({ endpointId, workspaceId });

function aLot(classOf: (endpointId: string) => FeedClass = () => 'proven', maxParked?: number) {
  return createParkingLot({
    classOf,
    unprovenOf: () => 0,
    onParked: () => {},
    ...(maxParked && { maxParked }),
  });
}

/** A lot with one parked endpoint whose query has begun. */
function queriedLot() {
  const lot = aLot();
  lot.park(owner('a'));
  expect(lot.next('proven', anyone)).to.deep.equal(owner('a'));
  return lot;
}

describe('parking lot', () => {
  it('has an endpoint behind that was parked for its jobs, or whose query left rows', () => {
    const lot = aLot();
    lot.park(owner('a'));
    lot.parkOverdue(owner('b'));
    expect(lot.isBehind('a')).to.equal(true);
    expect(lot.isBehind('b')).to.equal(false);
    lot.parkOverdue(owner('a'));
    expect(lot.isBehind('a')).to.equal(true);
    for (let count = 0; count < 2; count += 1) lot.next('proven', anyone);
    const end = { foundNothingNew: false, workspaceId: null, now: 0, refillBelow: 1 };
    lot.messageSkipped('a');
    lot.queryEnded('a', { ...end, isBehind: false });
    lot.queryEnded('b', { ...end, isBehind: true });
    expect(lot.isBehind('a')).to.equal(false);
    expect(lot.isParked('a')).to.equal(true);
    expect(lot.isBehind('b')).to.equal(true);
  });

  it('has an endpoint behind that is parked for its jobs later', () => {
    const lot = aLot();
    lot.parkOverdue(owner('a'));
    lot.park(owner('a'));
    expect(lot.isBehind('a')).to.equal(true);
    expect(lot.size()).to.equal(1);
  });

  it('keeps an endpoint parked until it is unparked', () => {
    const lot = aLot();
    expect(lot.isParked('a')).to.equal(false);
    for (const endpointId of ['a', 'b']) lot.park(owner(endpointId));
    expect(lot.isParked('a')).to.equal(true);
    expect(lot.size()).to.equal(2);
    expect(lot.ready()).to.equal(2);
    lot.unpark((endpointId) => endpointId === 'a');
    expect(lot.isParked('a')).to.equal(false);
    expect(lot.isParked('b')).to.equal(true);
    expect(lot.size()).to.equal(1);
    expect(lot.ready()).to.equal(1);
    expect([lot.next('proven', anyone), lot.next('proven', anyone)]).to.deep.equal([owner('b'), null]);
    lot.unpark(() => true);
    expect([lot.size(), lot.ready()]).to.deep.equal([0, 0]);
  });

  it('returns endpoints that wait for their query, workspaces in turn', () => {
    const lot = aLot();
    for (const endpointId of ['a', 'b', 'c']) lot.park(owner(endpointId));
    lot.park(owner('d', 'w2'));
    const order = Array.from({ length: 5 }, () => lot.next('proven', anyone)?.endpointId);
    expect(order).to.deep.equal(['a', 'd', 'b', 'c', undefined]);
  });

  it('returns new endpoints of the workspace with the fewest unproven jobs first', () => {
    const unproven = new Map([['w1', 1]]);
    const lot = createParkingLot({
      classOf: () => 'new',
      unprovenOf: (workspaceId) => unproven.get(workspaceId) ?? 0,
      onParked: () => {},
    });
    for (const endpointId of ['a', 'b']) lot.park(owner(endpointId));
    for (const endpointId of ['c', 'd']) lot.park(owner(endpointId, 'w2'));
    expect(lot.next('new', anyone)).to.deep.equal(owner('c', 'w2'));
    unproven.set('w2', 2);
    lot.reorder('w2');
    expect([lot.next('new', anyone), lot.next('new', anyone), lot.next('new', anyone)]).to.deep.equal([
      owner('a'),
      owner('b'),
      owner('d', 'w2'),
    ]);
  });

  it('holds the endpoints of a workspace that may not be fed, which keeps its turn', () => {
    const lot = aLot();
    for (const endpointId of ['a', 'b']) lot.park(owner(endpointId));
    for (const endpointId of ['c', 'd']) lot.park(owner(endpointId, 'w2'));
    const notFirst = (workspaceId: string) => workspaceId !== 'w1';
    expect([lot.next('proven', notFirst), lot.next('proven', notFirst)]).to.deep.equal([
      owner('c', 'w2'),
      owner('d', 'w2'),
    ]);
    expect(lot.next('proven', notFirst)).to.equal(null);
    lot.park(owner('e', 'w2'));
    lot.release(notFirst);
    expect(lot.ready()).to.equal(3);
    lot.release(anyone);
    const order = Array.from({ length: 4 }, () => lot.next('proven', anyone)?.endpointId);
    expect(order).to.deep.equal(['a', 'e', 'b', undefined]);
  });

  it('holds a bounded number of workspaces, and then waits for one of them', () => {
    const lot = aLot();
    for (let index = 0; index < 300; index += 1) lot.park(owner(`e${index}`, `w${index}`));
    const checked: string[] = [];
    const isAsked = (workspaceId: string) => checked.push(workspaceId) < 0;
    expect(lot.next('proven', isAsked)).to.equal(null);
    checked.length = 0;
    lot.release(isAsked);
    expect(checked).to.have.length(256);
    const all = Array.from({ length: 300 }, () => {
      lot.release(anyone);
      return lot.next('proven', anyone)?.endpointId;
    });
    expect(new Set(all).size).to.equal(300);
  });

  it('forgets the endpoints of a held workspace that are unparked', () => {
    const lot = aLot();
    for (const endpointId of ['a', 'b']) lot.park(owner(endpointId));
    expect(lot.next('proven', () => false)).to.equal(null);
    lot.unpark((endpointId) => endpointId === 'a');
    lot.release(anyone);
    expect([lot.next('proven', anyone), lot.next('proven', anyone)]).to.deep.equal([owner('b'), null]);
  });

  it('keeps endpoints that are known to answer apart from the others', () => {
    const lot = aLot((endpointId) => (endpointId === 'a' ? 'new' : 'proven'));
    for (const endpointId of ['a', 'b']) lot.park(owner(endpointId));
    expect(lot.next('proven', anyone)).to.deep.equal(owner('b'));
    expect(lot.next('proven', anyone)).to.equal(null);
    expect(lot.next('new', anyone)).to.deep.equal(owner('a'));
  });

  it('unparks an endpoint after a query that found all rows, during which no message was skipped', () => {
    const lot = queriedLot();
    expect(lot.queryEnded('a', EMPTY)).to.equal(true);
    expect(lot.isParked('a')).to.equal(false);
  });

  it('treats messages skipped before a query began as covered by it', () => {
    const lot = aLot();
    lot.park(owner('a'));
    lot.messageSkipped('a');
    lot.next('proven', anyone);
    expect(lot.queryEnded('a', EMPTY)).to.equal(true);
  });

  it('queries again a second later if a message was skipped during the query', () => {
    const lot = queriedLot();
    lot.messageSkipped('a');
    expect(lot.queryEnded('a', { ...EMPTY, now: 5_000 })).to.equal(false);
    expect(lot.isParked('a')).to.equal(true);
    lot.wake(5_999);
    expect(lot.next('proven', anyone)).to.equal(null);
    lot.wake(6_000);
    expect(lot.next('proven', anyone)).to.deep.equal(owner('a'));
  });

  it('queries again after a query that left rows, once few jobs are queued', () => {
    const lot = queriedLot();
    expect(lot.queryEnded('a', FOUND)).to.equal(false);
    lot.drained('a', 4);
    expect(lot.next('proven', anyone)).to.equal(null);
    lot.drained('a', 3);
    lot.drained('a', 2);
    expect(lot.ready()).to.equal(1);
    expect(lot.next('proven', anyone)).to.deep.equal(owner('a'));
    expect(lot.next('proven', anyone)).to.equal(null);
  });

  it('learns the workspace of an endpoint from its rows', () => {
    const lot = queriedLot();
    lot.queryEnded('a', { ...FOUND, workspaceId: 'w2' });
    lot.drained('a', 0);
    expect(lot.next('proven', anyone)).to.deep.equal(owner('a', 'w2'));
  });

  it('keeps an endpoint parked after a failed query and queries again a second later', () => {
    const lot = queriedLot();
    lot.queryFailed('a', 5_000);
    lot.wake(5_999);
    expect(lot.next('proven', anyone)).to.equal(null);
    lot.wake(6_000);
    expect(lot.next('proven', anyone)).to.deep.equal(owner('a'));
  });

  it('does not reset an endpoint that is parked again', () => {
    const lot = queriedLot();
    lot.messageSkipped('a');
    lot.park(owner('a'));
    expect(lot.next('proven', anyone), 'still being queried').to.equal(null);
    expect(lot.queryEnded('a', EMPTY), 'a message was skipped').to.equal(false);
  });

  it('ignores the end of a query of an unparked endpoint', () => {
    const lot = queriedLot();
    lot.unpark(() => true);
    lot.messageSkipped('a');
    lot.queryFailed('a', 0);
    expect(lot.queryEnded('a', EMPTY)).to.equal(false);
    lot.wake(9_000);
    expect(lot.next('proven', anyone)).to.equal(null);
    expect(lot.isParked('a')).to.equal(false);
  });

  it('forgets the rest of an endpoint that is unparked', () => {
    const lot = queriedLot();
    lot.queryFailed('a', 0);
    lot.unpark(() => true);
    lot.wake(9_000);
    expect([lot.ready(), lot.next('proven', anyone)]).to.deep.equal([0, null]);
  });

  for (const [name, isBehind, foundNothingNew] of [
    ['that left rows and found nothing new', true, true],
    ['that found all rows while a message was skipped', false, false],
  ] as const)
    it(`queries a second after a query ${name}, although no jobs are queued`, () => {
      const lot = queriedLot();
      if (!isBehind) lot.messageSkipped('a');
      expect(lot.queryEnded('a', { ...FOUND, isBehind, foundNothingNew, now: 5_000 })).to.equal(false);
      lot.drained('a', 0);
      expect(lot.next('proven', anyone)).to.equal(null);
      lot.wake(6_000);
      expect(lot.next('proven', anyone)).to.deep.equal(owner('a'));
    });

  it('holds a bounded number of endpoints', () => {
    const lot = aLot(() => 'proven', 2);
    expect(lot.isFull()).to.equal(false);
    for (const endpointId of ['a', 'b', 'c']) lot.park(owner(endpointId));
    expect(lot.isFull()).to.equal(true);
    expect(lot.isParked('c')).to.equal(false);
    expect(lot.size()).to.equal(2);
  });
});
