import { expect } from 'chai';
import { createDisruptionLog, type DisruptionLog } from './disruptions.js';

const REASSIGNMENT = { at: 5, kind: 'reassignment' };

describe('disruption log', () => {
  const [first, second, third] = [{}, {}, {}];
  let log: DisruptionLog;
  beforeEach(() => {
    log = createDisruptionLog(() => 5);
    log.assigned(first, { deliveries: [0, 1], retries: [0, 1] });
    log.assigned(second, { deliveries: [2, 3], retries: [2, 3] });
  });

  it('is empty while each process keeps its partitions', () => {
    log.assigned(first, { deliveries: [0, 1], retries: [0, 1] });
    log.assigned(second, { deliveries: [2], retries: [2] });
    expect(log.list()).to.deep.equal([]);
  });

  it('has one reassignment per process that lost any number of partitions', () => {
    log.assigned(third, { deliveries: [1, 2, 3], retries: [1, 2, 3] });
    expect(log.list()).to.deep.equal([REASSIGNMENT, REASSIGNMENT]);
  });

  it('has a reassignment for each direction if partitions move and return', () => {
    log.assigned(second, { deliveries: [0, 1, 2, 3] });
    log.assigned(first, { deliveries: [0, 1] });
    expect(log.list()).to.deep.equal([REASSIGNMENT, REASSIGNMENT]);
  });

  it('has one exit for a process, and no reassignment of its partitions', () => {
    log.exited(first);
    log.assigned(second, { deliveries: [0, 1, 2, 3] });
    expect(log.list()).to.deep.equal([{ at: 5, kind: 'exit' }]);
  });

  it('keeps the owners of the partitions when it is reset', () => {
    log.exited(third);
    log.reset();
    log.assigned(second, { deliveries: [0] });
    expect(log.list()).to.deep.equal([REASSIGNMENT]);
  });
});
