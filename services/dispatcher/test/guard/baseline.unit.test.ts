import { expect } from 'chai';
import { createBaseline } from '../../src/guard/baseline.js';

const [EVERY, WINDOW, SPAN] = [1_000, 10_000, 4_000];
const NOW = 100_000;
/** The span that counts at NOW. */
const [BEGIN, END] = [NOW - WINDOW - SPAN, NOW - WINDOW];

/** The mean at NOW of shares at these times, which are added in this order. */
function meanOf(...times: number[]): number {
  const baseline = createBaseline({ everyMs: EVERY, windowMs: WINDOW, spanMs: SPAN });
  for (const at of times) baseline.add(1, at);
  return baseline.mean(NOW);
}

describe('baseline', () => {
  it('is 0 without shares, and takes times without one for 0', () => {
    expect(meanOf()).to.equal(0);
    expect(meanOf(BEGIN + 1_000)).to.equal(0.25);
    expect(meanOf(BEGIN, BEGIN + 1_000, BEGIN + 2_000, BEGIN + 3_000)).to.equal(1);
  });

  it('begins with its span and ends before the window', () => {
    expect(meanOf(BEGIN)).to.equal(0.25);
    expect(meanOf(BEGIN - 1)).to.equal(0);
    expect(meanOf(END - 1)).to.equal(0.25);
    expect(meanOf(END)).to.equal(0);
  });

  it('keeps shares as long as they count, while later ones are added', () => {
    expect(meanOf(BEGIN - 1, BEGIN, NOW)).to.equal(0.25);
  });
});
