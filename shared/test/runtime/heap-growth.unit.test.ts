import { expect } from 'chai';
import { growthPercent } from '../../src/runtime/heap-growth.js';

const MB = 1_024 * 1_024;

describe('growthPercent', () => {
  for (const [size, percent] of [
    [20, 100],
    [64, 100],
    [80, 80],
    [96, 50],
    [128, 25],
    [640, 5],
  ] as const) {
    it(`is ${percent} % for a heap of ${size} MB`, () => {
      expect(growthPercent(size * MB)).to.equal(percent);
    });
  }
});
