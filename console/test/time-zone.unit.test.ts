import { expect } from 'chai';
import { offsetName, zoneName } from '../src/ui/time-zone.js';

describe('time zone of the console', () => {
  const { TZ } = process.env;
  before(() => {
    process.env.TZ = 'Europe/Berlin';
  });
  after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  // Regression: times of the other season were labelled with the offset of today.
  it('has the offset of the time that it belongs to, and a name for times of several seasons', () => {
    expect(offsetName('local', '2026-01-15T10:00:00.000Z')).to.equal('GMT+1');
    expect(offsetName('local', '2026-07-15T10:00:00.000Z')).to.equal('GMT+2');
    expect(offsetName('local', 'soon')).to.match(/^GMT\+[12]$/);
    expect(offsetName('utc', '2026-07-15T10:00:00.000Z')).to.equal('UTC');
    expect([zoneName('local'), zoneName('utc')]).to.deep.equal(['Europe/Berlin', 'UTC']);
  });
});
