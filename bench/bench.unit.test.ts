import { expect } from 'chai';
import { type Bench, countOf, isWanted, secondsOf } from './bench.js';
import { parseOptions } from './options.js';

describe('what a measurement is asked for', () => {
  const bench = (...args: string[]) => ({ options: parseOptions(args, []) }) as unknown as Bench;

  it('is shortened by the scale, but never to nothing', () => {
    expect(secondsOf(bench(), 60)).to.equal(60);
    expect(secondsOf(bench('--scale', '0.1'), 60)).to.equal(6);
    expect(secondsOf(bench('--scale', '0.001'), 60)).to.equal(2);
    expect(countOf(bench('--scale', '0.1'), 10_000)).to.equal(1_000);
    expect(countOf(bench('--scale', '0.001'), 10_000)).to.equal(100);
    expect(countOf(bench('--scale', '0.001'), 50)).to.equal(50);
  });

  it('takes as many seconds as were asked for, whatever the scale', () => {
    expect(secondsOf(bench('--seconds', '7', '--scale', '0.1'), 60)).to.equal(7);
  });

  it('is every row, or those whose label contains a text', () => {
    expect(isWanted(bench(), '200 a second, none')).to.equal(true);
    expect(isWanted(bench('--only', '10 % dead'), '200 a second, 10 % dead')).to.equal(true);
    expect(isWanted(bench('--only', '10 % dead'), '200 a second, none')).to.equal(false);
  });
});
