import { expect } from 'chai';
import { createWorstEndpoints } from '../../src/instrumentation/worst-endpoints.js';

describe('worst endpoints', () => {
  const LIMITS = { spanMs: 1_000, counted: 4, shown: 2 };

  it('are listed with their failures in descending order, up to a limit', () => {
    const sut = createWorstEndpoints(LIMITS);
    for (const endpointId of ['a', 'b', 'b', 'c', 'c', 'c']) sut.failed(endpointId, 10);
    expect(sut.worst(20)).to.deep.equal([
      { endpointId: 'c', failures: 3 },
      { endpointId: 'b', failures: 2 },
    ]);
  });

  it('are counted for one further span and discarded then', () => {
    const sut = createWorstEndpoints(LIMITS);
    sut.failed('a', 10);
    sut.failed('a', 1_010);
    expect(sut.worst(1_999)).to.deep.equal([{ endpointId: 'a', failures: 2 }]);
    expect(sut.worst(2_000)).to.deep.equal([{ endpointId: 'a', failures: 1 }]);
    expect(sut.worst(3_000)).to.deep.equal([]);
  });

  it('are discarded after a span without failures', () => {
    const sut = createWorstEndpoints(LIMITS);
    sut.failed('a', 10);
    expect(sut.worst(50_000)).to.deep.equal([]);
  });

  it('use bounded memory', () => {
    const sut = createWorstEndpoints({ ...LIMITS, shown: 100 });
    for (let n = 0; n < 50; n += 1) sut.failed(`${n}`, 10);
    sut.failed('0', 10);
    expect(sut.worst(10)).to.deep.equal([
      { endpointId: '0', failures: 2 },
      { endpointId: '1', failures: 1 },
      { endpointId: '2', failures: 1 },
      { endpointId: '3', failures: 1 },
    ]);
  });
});
