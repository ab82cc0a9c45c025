import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { growthPercent } from '../../src/runtime/heap-growth.js';

const MB = 1_024 * 1_024;

describe('growthPercent', () => {
  for (const [size, percent] of [
    [20, 100],
    [48, 100],
    [64, 75],
    [96, 50],
    [128, 25],
    [640, 5],
  ] as const) {
    it(`is ${percent} % for a heap of ${size} MB`, () => {
      expect(growthPercent(size * MB)).to.equal(percent);
    });
  }
});

describe('allocateYoung', () => {
  const FLAGS = ['--trace-pretenuring-statistics', '--max-semi-space-size=1', '--input-type=module'];
  /** Makes objects that survive a collection of the young generation and are replaced later. */
  const KEEP = `
    const kept = [];
    const make = (i) => ({ list: [i], nested: { i } });
    for (let i = 0; i < 2_000_000; i += 1) kept[i % 200_000] = make(i);
  `;
  const MODULE = new URL('../../src/runtime/heap-growth.js', import.meta.url).href;
  /** Whether V8 decides to allocate objects of a line of code in the old generation. */
  const allocatesOld = (before: string) =>
    execFileSync(process.execPath, [...FLAGS, '--eval', before + KEEP], { encoding: 'utf8' }).includes(
      '=> tenure',
    );

  it('lets V8 allocate nothing in the old generation that it would allocate there otherwise', () => {
    expect(allocatesOld('')).to.equal(true);
    expect(allocatesOld(`import { allocateYoung } from '${MODULE}'; allocateYoung();`)).to.equal(false);
  });
});
