import { expect } from 'chai';
import { rateOf } from './rate.js';

describe('rateOf', () => {
  it('makes many deliveries of few calls', () =>
    expect(rateOf(500)).to.deep.equal({ endpoints: 25, callsPerSecond: 20 }));

  it('makes exactly the deliveries that are asked for', () => {
    for (const deliveries of [1, 7, 33, 50, 333, 1_000]) {
      const { endpoints, callsPerSecond } = rateOf(deliveries);
      expect(endpoints * callsPerSecond).to.be.closeTo(deliveries, 1e-9);
    }
  });

  it('needs one endpoint for a low rate', () =>
    expect(rateOf(5)).to.deep.equal({ endpoints: 1, callsPerSecond: 5 }));
});
