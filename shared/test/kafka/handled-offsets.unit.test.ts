import { expect } from 'chai';
import { createHandledOffsets } from '../../src/kafka/handled-offsets.js';

const at = (partition: number, offset: number) => ({ topic: 'events', partition, offset });

describe('handled offsets', () => {
  it('are returned until they are committed', () => {
    const offsets = createHandledOffsets('events');
    const note = offsets.recorder();
    note(0, 5);
    note(1, 7);
    expect(offsets.moved()).to.deep.equal([at(0, 5), at(1, 7)]);
    offsets.committed([at(0, 5)]);
    expect(offsets.moved()).to.deep.equal([at(1, 7)]);
  });

  it('are returned again if they moved during the commit', () => {
    const offsets = createHandledOffsets('events');
    const note = offsets.recorder();
    note(0, 5);
    const moved = offsets.moved();
    note(0, 9);
    offsets.committed(moved);
    expect(offsets.moved()).to.deep.equal([at(0, 9)]);
  });

  it('of an earlier generation are dropped, even if recorded later', () => {
    const offsets = createHandledOffsets('events');
    const note = offsets.recorder();
    note(0, 5);
    offsets.discard();
    note(1, 7);
    expect(offsets.moved()).to.deep.equal([]);
  });

  it('of a partition whose position was lost are dropped', () => {
    const offsets = createHandledOffsets('events');
    const note = offsets.recorder();
    note(0, 5);
    note(1, 7);
    offsets.positionLost(0);
    expect(offsets.moved()).to.deep.equal([at(1, 7)]);
    note(0, 1);
    expect(offsets.moved()).to.deep.equal([at(1, 7), at(0, 1)]);
  });
});
