import { expect } from 'chai';
import { growthPercent } from '../../src/runtime/heap-growth.js';

const MB = 1_024 * 1_024;

describe('growthPercent', () => {
  for (const [size, percent] of [
    [20, 100],
    [63, 100],
    [64, 0],
    [500, 0],
  ] as const) {
    it(`is ${percent === 0 ? "V8's own" : `${percent} %`} for a heap of ${size} MB`, () => {
      expect(growthPercent(size * MB)).to.equal(percent);
    });
  }
});
