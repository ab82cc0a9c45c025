import { expect } from 'chai';
import { createCoreWait, parseCoreWaitMs } from './core-waits.js';

describe('the wait of a thread for a processor', () => {
  it('is the second field, in nanoseconds', () => {
    expect(parseCoreWaitMs('1205000000 73250000 118\n')).to.equal(73.25);
  });

  it('is unknown when a kernel without these statistics leaves the field out', () => {
    expect(parseCoreWaitMs('')).to.equal(null);
  });

  it('never decreases', function () {
    const read = createCoreWait();
    const before = read();
    if (before === null) return this.skip();
    expect(read()).to.be.at.least(before);
  });
});
