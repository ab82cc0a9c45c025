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
  while (sut.admits(kind, usage) && sut.replace(kind, usage, { expected: sut.expect(usage), actual: bytes }))
    rows += 1;
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
    expect(fillWith('suspect')).to.be.within(1.5, 1.52);
    expect(fillWith('new')).to.be.within(1.75, 1.77);
    expect(fillWith('proven')).to.be.within(2, 2.02);
  });

  it('admits a row of any size to a workspace without others', () => {
    expect(fill(createRowBytes({ bytes: LIMIT }), noRows(), 10 * LIMIT)).to.equal(1);
  });

  it('expects rows as large as the last ones before they are read', () => {
    const sut = createRowBytes({ bytes: LIMIT });
    const usage = noRows();
    sut.replace('proven', usage, { expected: sut.expect(usage), actual: 100_000 });
    let expected = 0;
    for (; sut.admits('proven', usage); expected += 1) sut.expect(usage);
    expect(expected).to.equal(4);
  });

  it('counts nothing once all rows are freed', () => {
    const sut = createRowBytes({ bytes: LIMIT });
    const usage = noRows();
    expect(sut.replace('proven', usage, { expected: sut.expect(usage), actual: 700_000 })).to.equal(true);
    expect(sut.replace('proven', usage, { expected: sut.expect(usage), actual: 700_000 })).to.equal(false);
    sut.free(usage, 700_000);
    expect(usage.bytes).to.equal(0);
    expect(fill(sut, noRows(), 10_000)).to.be.within(50, 51);
  });
});
