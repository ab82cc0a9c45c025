import { expect } from 'chai';
import { spreadOf } from './spread.js';

describe('the spread of several runs', () => {
  it('has the middle value of an odd number of runs', () => {
    expect(spreadOf([30, 10, 20])).to.deep.equal({ median: 20, least: 10, greatest: 30, runs: 3 });
  });

  it('has the mean of the two middle values of an even number', () => {
    expect(spreadOf([40, 10, 20, 30])?.median).to.equal(25);
  });

  it('leaves out runs without a value, and is null without any', () => {
    expect(spreadOf([null, 5, null])).to.deep.equal({ median: 5, least: 5, greatest: 5, runs: 1 });
    expect(spreadOf([null])).to.equal(null);
    expect(spreadOf([])).to.equal(null);
  });
});
