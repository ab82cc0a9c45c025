import { expect } from 'chai';
import type { SlotKind } from '../../../src/engine/scheduler/pools.js';
import {
  createRowBytes,
  noRows,
  type RowBytes,
  type RowUsage,
} from '../../../src/engine/scheduler/row-bytes.js';

const LIMIT = 1_000_000;
/** What each of many workspaces may use besides. */
const LITTLE = 64 * 1_024;

/** Adds rows of this size until there is no room. @returns their number */
function fill(sut: RowBytes, usage: RowUsage, bytes: number, kind: SlotKind = 'proven'): number {
  let rows = 0;
  const add = () => sut.replace(kind, usage, { expected: sut.expect(kind, usage), actual: bytes });
  while (sut.admits(kind, usage) && add()) rows += 1;
  return rows;
}

describe('bytes of the rows of POSTs', () => {
  it('gives a lone workspace half, others half of what is left, and further ones little of a reserve', () => {
    const sut = createRowBytes({ bytes: LIMIT });
    expect(fill(sut, noRows(), 10_000)).to.be.within(50, 51);
    expect(fill(sut, noRows(), 10_000)).to.be.within(24, 26);
    let further = 0;
    while (fill(sut, noRows(), 10_000) > 0) further += 1;
    expect(further).to.be.within(LIMIT / (LITTLE + 10_000), 2 + (LIMIT * 1.25) / LITTLE);
  });

  it('keeps part of the reserve for endpoints that are not silent, and the last part for proven ones', () => {
    const sut = createRowBytes({ bytes: LIMIT });
    const fillWith = (kind: SlotKind) => {
      while (sut.hasRoom(kind)) fill(sut, noRows(), 10_000, kind);
      return sut.total() / LIMIT;
    };
    expect(fillWith('lingering')).to.be.within(1.5, 1.52);
    // Those of a kind have a share for themselves besides.
    expect(fillWith('suspect')).to.be.within(1.625, 1.645);
    expect(fillWith('new')).to.be.within(1.75, 1.77);
    expect(fillWith('proven')).to.be.within(2, 2.02);
  });

  it('keeps a share for slots of each kind that those of the others cannot use', () => {
    const sut = createRowBytes({ bytes: LIMIT });
    const fillWith = (kind: SlotKind) => {
      const before = sut.total();
      while (sut.hasRoom(kind)) fill(sut, noRows(), 10_000, kind);
      return (sut.total() - before) / LIMIT;
    };
    expect(fillWith('proven')).to.be.within(2, 2.02);
    for (const kind of ['new', 'suspect', 'lingering'] as const)
      expect(fillWith(kind)).to.be.within(0.125, 0.145);
    expect(fillWith('proven')).to.equal(0);
  });

  it('counts the rows of POSTs that have become old as those of lingering ones, up to a limit in all', () => {
    const sut = createRowBytes({ bytes: LIMIT });
    const seconds = Array.from({ length: 10 }, () => {
      const before = sut.total();
      while (sut.hasRoom('proven')) fill(sut, noRows(), 10_000, 'proven');
      const added = sut.total() - before;
      sut.move(added, { from: 'proven', to: 'lingering' });
      return added / LIMIT;
    });
    expect(seconds[0]).to.be.within(2, 2.02);
    expect(seconds[1]).to.be.within(0.125, 0.145);
    expect(sut.total() / LIMIT).to.be.within(2.5, 2.52);
    expect(seconds.at(-1)).to.equal(0);
  });

  it('admits a row of any size to a workspace without others', () => {
    expect(fill(createRowBytes({ bytes: LIMIT }), noRows(), 10 * LIMIT)).to.equal(1);
  });

  it('expects rows as large as the last ones before they are read', () => {
    const sut = createRowBytes({ bytes: LIMIT });
    const usage = noRows();
    sut.replace('proven', usage, { expected: sut.expect('proven', usage), actual: 100_000 });
    let expected = 0;
    for (; sut.admits('proven', usage); expected += 1) sut.expect('proven', usage);
    expect(expected).to.equal(4);
  });

  it('counts nothing of a row for which there is no room, and nothing once all rows are freed', () => {
    const sut = createRowBytes({ bytes: LIMIT });
    const usages = Array.from({ length: 3 }, noRows);
    const add = (usage: RowUsage) =>
      sut.replace('proven', usage, { expected: sut.expect('proven', usage), actual: 700_000 });
    expect(usages.map(add)).to.deep.equal([true, true, true]);
    const last = noRows();
    expect(add(last)).to.equal(false);
    expect([last.bytes, sut.total()]).to.deep.equal([0, 2_100_000]);
    for (const usage of usages) sut.free('proven', usage, 700_000);
    expect([usages[0]!.bytes, sut.total()]).to.deep.equal([0, 0]);
    expect(fill(sut, noRows(), 10_000)).to.be.within(50, 51);
  });

  // Regression: a small row lost the room that it had to a large one that was taken before it was read.
  it('admits a row that is no larger than expected', () => {
    const sut = createRowBytes({ bytes: LIMIT });
    const [small, large] = [noRows(), noRows()];
    const expected = sut.expect('proven', small);
    while (sut.hasRoom('proven')) fill(sut, noRows(), 10_000);
    expect(sut.replace('proven', large, { expected: sut.expect('proven', large), actual: 100_000 })).to.equal(
      false,
    );
    expect(sut.replace('proven', small, { expected, actual: 2_000 })).to.equal(true);
  });
});
