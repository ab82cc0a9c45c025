import { expect } from 'chai';
import { createArrivalLog, readArrivals } from './arrivals.js';

describe('arrival log', () => {
  it('contains what was recorded, in order and over many blocks', () => {
    for (const count of [0, 16_384, 40_000]) {
      const arrivals = Array.from({ length: count }, (_, at) => ({ id: `whd_${at}`, at: at + 0.125 }));
      const log = createArrivalLog();
      for (const { id, at } of arrivals) log.add(id, at);
      expect(readArrivals(log.bytes())).to.deep.equal(arrivals);
    }
  });
});
