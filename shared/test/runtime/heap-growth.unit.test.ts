import { expect } from 'chai';
import { growthPercent } from '../../src/runtime/heap-growth.js';

const MB = 1_024 * 1_024;

describe('growthPercent', () => {
  for (const [size, percent] of [
    [20, 100],
    [64, 100],
    [128, 50],
    [640, 10],
  ] as const) {
    it(`is ${percent} % for a heap of ${size} MB`, () => {
      expect(growthPercent(size * MB)).to.equal(percent);
    });
  }
});
