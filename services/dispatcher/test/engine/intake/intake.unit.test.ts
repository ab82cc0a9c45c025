import { DELIVERIES_TOPIC, retryTopic } from '@postrider/shared/ports/topics';
import { expect } from 'chai';
import { createIntake, type Intake } from '../../../src/engine/intake/intake.js';
import { sourceAt } from '../builders.js';

const RETRY = retryTopic(2);

/** An intake that owns partitions 0 and 1; it pauses deliveries at 10 open offsets and a retry partition at 4. */
function anIntake(): Intake {
  const offsets = createIntake({ openDeliveries: 10, openRetries: 1_000, openRetriesEach: 4 });
  offsets.assign([0, 1]);
  return offsets;
}

function takeAll(offsets: Intake, from: number, to: number, topic = DELIVERIES_TOPIC, partition = 0): void {
  for (let offset = from; offset <= to; offset += 1) {
    const source = sourceAt(offset, topic, partition);
    expect(offsets.classify(source)).to.equal('new');
    offsets.track(source, `${topic}/${offset}`);
  }
}

function doAll(offsets: Intake, from: number, to: number, topic = DELIVERIES_TOPIC, partition = 0): void {
  for (let offset = from; offset <= to; offset += 1) offsets.done(sourceAt(offset, topic, partition));
}

describe('intake', () => {
  it('ignores messages of unassigned partitions', () => {
    const offsets = anIntake();
    expect(offsets.classify(sourceAt(0, DELIVERIES_TOPIC, 2))).to.equal('unassigned');
    expect(offsets.isAssigned(2)).to.equal(false);
    expect(offsets.isAssigned(1)).to.equal(true);
    expect(
      createIntake({ openDeliveries: 1, openRetries: 1, openRetriesEach: 1 }).classify(sourceAt(0)),
    ).to.equal('unassigned');
  });

  it('tracks the partitions of different topics separately', () => {
    const offsets = anIntake();
    takeAll(offsets, 5, 5);
    expect(offsets.classify(sourceAt(5))).to.equal('duplicate');
    expect(offsets.classify(sourceAt(5, RETRY))).to.equal('new');
    expect(offsets.classify(sourceAt(5, DELIVERIES_TOPIC, 1))).to.equal('new');
  });

  it('returns the positions that moved since their commit', () => {
    const offsets = anIntake();
    expect(offsets.positions()).to.deep.equal([]);
    takeAll(offsets, 5, 7);
    takeAll(offsets, 20, 20, RETRY, 1);
    doAll(offsets, 5, 6);
    const moved = [
      { topic: DELIVERIES_TOPIC, partition: 0, offset: 7 },
      { topic: RETRY, partition: 1, offset: 20 },
    ];
    expect(offsets.positions()).to.deep.equal(moved);
    expect(offsets.positions(), 'until they are committed').to.deep.equal(moved);
    offsets.committed(moved);
    expect(offsets.positions()).to.deep.equal([]);
    doAll(offsets, 7, 7);
    expect(offsets.positions()).to.deep.equal([{ topic: DELIVERIES_TOPIC, partition: 0, offset: 8 }]);
  });

  it('returns the oldest open offset of each partition', () => {
    const offsets = anIntake();
    takeAll(offsets, 5, 7);
    takeAll(offsets, 20, 20, RETRY, 1);
    doAll(offsets, 5, 5);
    expect(offsets.heads()).to.deep.equal([
      { source: sourceAt(6), key: `${DELIVERIES_TOPIC}/6` },
      { source: sourceAt(20, RETRY, 1), key: `${RETRY}/20` },
    ]);
    doAll(offsets, 6, 7);
    doAll(offsets, 20, 20, RETRY, 1);
    expect(offsets.heads()).to.deep.equal([]);
  });

  it('leaves out an oldest open offset without a key, and the keyed ones behind it', () => {
    const offsets = anIntake();
    offsets.track(sourceAt(5), null);
    takeAll(offsets, 6, 6);
    expect(offsets.heads()).to.deep.equal([]);
    doAll(offsets, 5, 5);
    expect(offsets.heads()).to.deep.equal([{ source: sourceAt(6), key: `${DELIVERIES_TOPIC}/6` }]);
  });

  describe('pausing', () => {
    const both = [0, 1].map((partition) => ({ topic: DELIVERIES_TOPIC, partition }));

    it('pauses all delivery partitions at their common limit and resumes them at half of it', () => {
      const offsets = anIntake();
      takeAll(offsets, 1, 5);
      takeAll(offsets, 1, 4, DELIVERIES_TOPIC, 1);
      expect(offsets.updatePauses()).to.deep.equal([]);
      takeAll(offsets, 5, 5, DELIVERIES_TOPIC, 1);
      expect(offsets.updatePauses()).to.deep.equal(both);
      doAll(offsets, 1, 4);
      expect(offsets.updatePauses(), 'six are open').to.deep.equal(both);
      doAll(offsets, 5, 5);
      expect(offsets.updatePauses(), 'five are open').to.deep.equal([]);
      takeAll(offsets, 6, 9);
      expect(offsets.updatePauses(), 'nine are open').to.deep.equal([]);
    });

    it('pauses a single retry partition at its limit and resumes it at half of it', () => {
      const offsets = anIntake();
      takeAll(offsets, 1, 3, RETRY);
      takeAll(offsets, 1, 3, RETRY, 1);
      expect(offsets.updatePauses()).to.deep.equal([]);
      takeAll(offsets, 4, 4, RETRY);
      const alone = [{ topic: RETRY, partition: 0 }];
      expect(offsets.updatePauses()).to.deep.equal(alone);
      doAll(offsets, 1, 1, RETRY);
      expect(offsets.updatePauses(), 'three are open').to.deep.equal(alone);
      doAll(offsets, 2, 2, RETRY);
      expect(offsets.updatePauses(), 'two are open').to.deep.equal([]);
    });

    it('does not pause deliveries because of waiting retries', () => {
      const offsets = anIntake();
      for (const tier of [1, 2, 3, 4]) takeAll(offsets, 1, 3, retryTopic(tier));
      expect(offsets.updatePauses()).to.deep.equal([]);
    });

    it('does not report a paused partition that was revoked', () => {
      const offsets = anIntake();
      takeAll(offsets, 1, 5);
      takeAll(offsets, 1, 5, DELIVERIES_TOPIC, 1);
      takeAll(offsets, 1, 4, RETRY, 1);
      expect(offsets.updatePauses()).to.have.length(3);
      offsets.assign([0]);
      expect(offsets.updatePauses(), 'five are still open').to.deep.equal([]);
    });
  });

  describe('after a rebalance', () => {
    it('keeps the state of partitions that stay assigned and skips duplicates', () => {
      const offsets = anIntake();
      takeAll(offsets, 5, 7);
      doAll(offsets, 5, 6);
      offsets.assign([0]);
      expect(offsets.classify(sourceAt(5))).to.equal('duplicate');
      expect(offsets.classify(sourceAt(8))).to.equal('new');
      expect(offsets.positions()).to.deep.equal([{ topic: DELIVERIES_TOPIC, partition: 0, offset: 7 }]);
    });

    it('drops revoked partitions: they are not committed and are new when they return', () => {
      const offsets = anIntake();
      takeAll(offsets, 5, 7);
      const before = offsets.positions();
      offsets.assign([1]);
      offsets.done(sourceAt(5));
      expect(offsets.positions()).to.deep.equal([]);
      expect(offsets.heads()).to.deep.equal([]);
      offsets.committed(before);
      offsets.assign([0, 1]);
      takeAll(offsets, 6, 6);
      expect(offsets.positions()).to.deep.equal([{ topic: DELIVERIES_TOPIC, partition: 0, offset: 6 }]);
    });

    it('reports a reset partition and commits its position even if it was committed before', () => {
      const offsets = anIntake();
      takeAll(offsets, 0, 7);
      doAll(offsets, 0, 7);
      offsets.committed([{ topic: DELIVERIES_TOPIC, partition: 0, offset: 8 }]);
      offsets.assign([0]);
      expect(offsets.classify(sourceAt(0))).to.equal('reset');
      const { epoch } = offsets.track(sourceAt(0), 'anew');
      takeAll(offsets, 1, 7);
      for (let offset = 0; offset <= 7; offset += 1) offsets.done({ ...sourceAt(offset), epoch });
      expect(offsets.positions()).to.deep.equal([{ topic: DELIVERIES_TOPIC, partition: 0, offset: 8 }]);
    });

    it('does not take offsets from before a reset, or from before it was revoked, for its own', () => {
      const offsets = anIntake();
      takeAll(offsets, 5, 7);
      offsets.positionLost(sourceAt(0));
      expect(offsets.classify(sourceAt(5))).to.equal('reset');
      offsets.track(sourceAt(5), 'anew');
      doAll(offsets, 5, 7);
      expect(offsets.positions()).to.deep.equal([{ topic: DELIVERIES_TOPIC, partition: 0, offset: 5 }]);
      takeAll(offsets, 5, 5, DELIVERIES_TOPIC, 1);
      offsets.assign([0]);
      offsets.assign([0, 1]);
      takeAll(offsets, 5, 5, DELIVERIES_TOPIC, 1);
      doAll(offsets, 5, 5, DELIVERIES_TOPIC, 1);
      expect(offsets.figures().topics).to.deep.equal([
        { topic: DELIVERIES_TOPIC, open: 2, pausedPartitions: 0 },
      ]);
    });
  });

  it('reports open offsets and paused partitions by topic', () => {
    const offsets = anIntake();
    takeAll(offsets, 0, 9);
    takeAll(offsets, 0, 3, RETRY);
    takeAll(offsets, 0, 1, RETRY, 1);
    doAll(offsets, 1, 1, RETRY, 1);
    offsets.updatePauses();
    expect(offsets.figures()).to.deep.equal({
      assigned: 2,
      topics: [
        { topic: DELIVERIES_TOPIC, open: 10, pausedPartitions: 2 },
        { topic: RETRY, open: 5, pausedPartitions: 1 },
      ],
    });
  });

  it('divides the limit of retries among the assigned retry partitions', () => {
    const offsets = createIntake({ openDeliveries: 10, openRetries: 48, openRetriesEach: 20 });
    const pausedAfter = (taken: number) => {
      takeAll(offsets, taken, taken, RETRY, 0);
      return offsets.updatePauses().length > 0;
    };
    // Six tiers of two partitions share 48.
    offsets.assign([0, 1]);
    expect([1, 2, 3, 4].map(pausedAfter)).to.deep.equal([false, false, false, true]);
    // Six tiers of one partition could have 8 each.
    offsets.assign([0]);
    doAll(offsets, 1, 4, RETRY, 0);
    expect(offsets.updatePauses()).to.deep.equal([]);
    expect([5, 6, 7, 8, 9, 10, 11, 12].map(pausedAfter).indexOf(true)).to.equal(7);
  });
});
