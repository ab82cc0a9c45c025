import { expect } from 'chai';
import { cpuMicrosEach } from './cpu.js';

describe('CPU for each', () => {
  const used = (cpuSeconds: number | null) => ({ name: 'any', cpuSeconds, peakBytes: null });

  it('is that of all processes together', () => {
    expect(cpuMicrosEach([used(0.2), used(0.1)], 1_000)).to.be.closeTo(300, 1e-9);
  });

  for (const [what, processes, count] of [
    ['there are no processes', [], 1_000],
    ['there was nothing to count', [used(0.2)], 0],
    ['the use of a process is unknown', [used(0.2), used(null)], 1_000],
  ] as const) {
    it(`is unknown if ${what}`, () => {
      expect(cpuMicrosEach(processes, count)).to.equal(null);
    });
  }
});
