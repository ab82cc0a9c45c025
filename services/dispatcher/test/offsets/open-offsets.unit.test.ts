import { expect } from 'chai';
import { createKeyedEntries } from '../../src/offsets/open-entries.js';
import { createOpenOffsets } from '../../src/offsets/open-offsets.js';

const at = (offset: number) => ({ topic: 'webhook.deliveries', partition: 3, offset });

/** Offsets of an assigned partition. */
function assignedOffsets() {
  const offsets = createOpenOffsets(createKeyedEntries);
  offsets.assign([3]);
  const track = (offset: number) => {
    offsets.classify(at(offset));
    return offsets.track(at(offset), `job ${offset}`);
  };
  return { offsets, track };
}

describe('open offsets', () => {
  it('have no position of a partition until one of its offsets is tracked', () => {
    const { offsets, track } = assignedOffsets();
    expect(offsets.classify(at(5))).to.equal('new');
    expect(offsets.positions()).to.deep.equal([]);
    track(5);
    expect(offsets.positions()).to.deep.equal([at(5)]);
  });

  it('have no position of a partition whose position was lost, until its next offset', () => {
    const { offsets, track } = assignedOffsets();
    offsets.done(track(5));
    offsets.committed([at(6)]);
    offsets.positionLost(at(6));
    expect(offsets.positions()).to.deep.equal([]);
    track(8);
    expect(offsets.positions()).to.deep.equal([at(8)]);
  });

  it('keep an offset open that was done before its partition was unassigned and assigned again', () => {
    const { offsets, track } = assignedOffsets();
    const before = track(5);
    offsets.assign([]);
    expect(offsets.classify(at(5))).to.equal('unassigned');
    offsets.assign([3]);
    const after = track(5);
    offsets.done(before);
    expect(offsets.positions()).to.deep.equal([at(5)]);
    offsets.done(after);
    expect(offsets.positions()).to.deep.equal([at(6)]);
  });

  it('keep an offset open that was done before its partition restarted, however often', () => {
    const { offsets, track } = assignedOffsets();
    const earlier = [];
    for (let restart = 0; restart < 3; restart += 1) {
      earlier.push(track(0));
      track(1);
      offsets.positionLost(at(0));
      expect(offsets.classify(at(0))).to.equal('reset');
    }
    track(0);
    for (const source of earlier) offsets.done(source);
    expect(offsets.positions()).to.deep.equal([at(0)]);
  });

  it('call the listener when one is done, and have no position that is committed', () => {
    const { offsets, track } = assignedOffsets();
    let calls = 0;
    offsets.onMoved(() => {
      calls += 1;
    });
    offsets.done(track(5));
    expect(calls).to.equal(1);
    expect(offsets.positions()).to.deep.equal([at(6)]);
    offsets.committed([at(6)]);
    expect(offsets.positions()).to.deep.equal([]);
  });
});
