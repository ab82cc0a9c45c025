import { expect } from 'chai';
import fc from 'fast-check';
import { createEntriesWithoutKeys, createKeyedEntries } from '../../src/offsets/open-entries.js';
import { createPartitionWindow, type PartitionWindow } from '../../src/offsets/partition-window.js';

/** A window that tracks these offsets. */
function windowOf(...offsets: number[]): PartitionWindow {
  const window = createPartitionWindow(createKeyedEntries());
  for (const offset of offsets) {
    expect(window.classify(offset)).to.equal('new');
    window.track(offset, `job ${offset}`);
  }
  return window;
}

describe('partition window', () => {
  it('has no position before it tracks an offset', () => {
    const window = createPartitionWindow(createKeyedEntries());
    expect(window.position()).to.equal(null);
    expect(window.head()).to.equal(null);
    expect(window.open()).to.equal(0);
  });

  it('has its position at the oldest open offset, even if later ones are done', () => {
    const window = windowOf(5, 6, 7);
    window.done(7);
    window.done(6);
    expect(window.position()).to.equal(5);
    expect(window.head()).to.deep.equal({ offset: 5, key: 'job 5' });
    expect(window.open()).to.equal(1);
    window.done(5);
    expect(window.position()).to.equal(8);
  });

  it('skips gaps of a partition', () => {
    const window = windowOf(3, 10, 500);
    window.done(3);
    expect(window.position()).to.equal(10);
    window.done(10);
    window.done(500);
    expect(window.position()).to.equal(501);
  });

  it('classifies tracked offsets as duplicates, done or not', () => {
    const window = windowOf(1, 2);
    window.done(1);
    expect(window.classify(1)).to.equal('duplicate');
    expect(window.classify(2)).to.equal('duplicate');
    expect(window.classify(3)).to.equal('new');
  });

  it('is reset by an offset that was tracked before, once its position is lost', () => {
    const window = windowOf(7, 8);
    window.done(7);
    window.committed(8);
    window.positionLost();
    expect(window.classify(0)).to.equal('reset');
    window.track(0, 'job of the new topic');
    window.done(8);
    expect(window.head()).to.deep.equal({ offset: 0, key: 'job of the new topic' });
    expect(window.classify(0)).to.equal('duplicate');
    expect(window.classify(1)).to.equal('new');
  });

  it('is not reset if the oldest records were removed', () => {
    const window = windowOf(7, 8);
    window.positionLost();
    expect(window.classify(20)).to.equal('new');
    window.track(20, 'job 20');
    expect(window.head()).to.deep.equal({ offset: 7, key: 'job 7' });
    expect(window.classify(8)).to.equal('duplicate');
  });

  it('is still reset if it restarts after its position was lost', () => {
    const window = windowOf(7, 8);
    window.positionLost();
    window.restart();
    expect(window.classify(3)).to.equal('reset');
  });

  it('keeps open offsets whose records were removed when it restarts', () => {
    const window = windowOf(7, 8, 9);
    window.committed(7);
    window.restart();
    window.positionLost();
    expect(window.classify(8)).to.equal('duplicate');
    expect(window.head()).to.deep.equal({ offset: 7, key: 'job 7' });
  });

  it('has no position to commit from a lost one to the next offset', () => {
    const window = windowOf(7, 8);
    window.done(7);
    window.positionLost();
    expect(window.position()).to.equal(null);
    window.classify(0);
    window.track(0, 'job of the new topic');
    expect(window.position()).to.equal(0);
  });

  it('ignores unknown offsets and offsets that are done already', () => {
    const window = windowOf(4, 5);
    window.done(3);
    window.done(99);
    window.done(4);
    window.done(4);
    expect(window.position()).to.equal(5);
    expect(window.open()).to.equal(1);
  });

  it('classifies offsets read again after a rejoin as duplicates', () => {
    const window = windowOf(10, 11, 12);
    window.done(10);
    window.committed(11);
    window.restart();
    expect([11, 12, 13].map((offset) => window.classify(offset))).to.deep.equal([
      'duplicate',
      'duplicate',
      'new',
    ]);
    expect(window.position()).to.equal(11);
  });

  it('does not detect a reset because of a commit that ends after the rejoin', () => {
    const window = windowOf(10, 11, 12);
    window.done(10);
    window.committed(11);
    window.restart();
    // The consumer has fetched the committed offset; then 11 is done and committed before 11 is read again.
    window.done(11);
    window.committed(12);
    expect([11, 12, 13].map((offset) => window.classify(offset))).to.deep.equal([
      'duplicate',
      'duplicate',
      'new',
    ]);
    expect(window.position()).to.equal(12);
  });

  it('detects a reset if the first offset after a rejoin is below the committed one', () => {
    const window = windowOf(10, 11);
    window.done(10);
    window.committed(11);
    window.restart();
    expect(window.classify(0)).to.equal('reset');
    expect(window.open()).to.equal(0);
    expect(window.position()).to.equal(null);
    window.track(0, 'first');
    expect(window.position()).to.equal(0);
    expect(window.classify(1)).to.equal('new');
    window.track(1, 'second');
    window.done(11);
    expect(window.head()).to.deep.equal({ offset: 0, key: 'first' });
  });

  it('detects a reset only at the first offset after a rejoin', () => {
    const window = windowOf(10, 11);
    window.done(10);
    window.done(11);
    window.committed(12);
    window.restart();
    expect(window.classify(12)).to.equal('new');
    expect(window.classify(3)).to.equal('duplicate');
    expect(window.position()).to.equal(12);
  });

  it('detects no second reset at a rejoin before it has committed again', () => {
    const window = windowOf(10, 11);
    window.committed(10);
    window.restart();
    expect(window.classify(0)).to.equal('reset');
    window.track(0, 'first');
    window.restart();
    expect(window.classify(0)).to.equal('duplicate');
    expect(window.open()).to.equal(1);
  });

  it('detects no reset without a rejoin or a lost position', () => {
    const window = windowOf(10);
    window.done(10);
    window.committed(11);
    expect(window.classify(2)).to.equal('duplicate');
  });

  it('detects no reset without a committed offset', () => {
    const window = windowOf(10);
    window.restart();
    expect(window.classify(9)).to.equal('duplicate');
    expect(window.open()).to.equal(1);
  });
});

type Step =
  | { readonly do: 'arrive'; readonly gap: number }
  | { readonly do: 'finish' | 'finishAny'; readonly which: number }
  | { readonly do: 'commit' | 'rejoin' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('arrive' as const), gap: fc.nat(3) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('finishAny' as const), which: fc.nat(120) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('commit' as const, 'rejoin' as const) }) },
);

/** Applies steps to a window and to a list of offsets as its model; `check` runs after each step. */
function play(
  window: PartitionWindow,
  steps: readonly Step[],
  check: (window: PartitionWindow, open: readonly number[], taken: readonly number[]) => void,
): void {
  const taken: number[] = [];
  let open: number[] = [];
  let committed = 0;
  const finish = (offset: number | undefined) => {
    if (offset === undefined) return;
    window.done(offset);
    open = open.filter((one) => one !== offset);
  };
  for (const action of steps) {
    switch (action.do) {
      case 'arrive': {
        const offset = (taken.at(-1) ?? 6) + 1 + action.gap;
        expect(window.classify(offset)).to.equal('new');
        window.track(offset, `job ${offset}`);
        taken.push(offset);
        open.push(offset);
        break;
      }
      case 'finish':
        finish(open[action.which % Math.max(open.length, 1)]);
        break;
      case 'finishAny':
        finish(action.which);
        break;
      case 'commit':
        committed = window.position() ?? committed;
        window.committed(committed);
        break;
      case 'rejoin':
        window.restart();
        for (const offset of taken.filter((one) => one >= committed))
          expect(window.classify(offset)).to.equal('duplicate');
    }
    check(window, open, taken);
  }
}

type Check = Parameters<typeof play>[2];

for (const createEntries of [createKeyedEntries, createEntriesWithoutKeys])
  describe(`partition window, for any order of operations, with ${createEntries.name}`, () => {
    const holds = (check: () => Check) =>
      fc.assert(
        fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) =>
          play(createPartitionWindow(createEntries()), steps, check()),
        ),
        { numRuns: 100 },
      );

    it('has its position at the oldest open offset, or after the last one if all are done', () => {
      holds(() => (window, open, taken) => {
        const last = taken.at(-1);
        const behindTheLast = last === undefined ? null : last + 1;
        expect(window.position()).to.equal(open[0] ?? behindTheLast);
        expect(window.head()?.offset).to.equal(open[0]);
        expect(window.open()).to.equal(open.length);
      });
    });

    it('never moves its position back', () => {
      holds(() => {
        let before = 0;
        return (window) => {
          const position = window.position() ?? 0;
          expect(position).to.be.at.least(before);
          before = position;
        };
      });
    });

    it('begins again after a reset', () => {
      const window = createPartitionWindow(createEntries());
      play(window, [{ do: 'arrive', gap: 0 }, { do: 'arrive', gap: 3 }, { do: 'commit' }], () => {});
      window.restart();
      expect(window.classify(0)).to.equal('reset');
      expect(window.open()).to.equal(0);
      expect(window.position()).to.equal(null);
      window.track(0, null);
      expect(window.position()).to.equal(0);
      window.done(7);
      expect(window.open()).to.equal(1);
      window.done(0);
      expect(window.position()).to.equal(1);
    });
  });
