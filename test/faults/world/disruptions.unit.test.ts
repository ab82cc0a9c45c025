import { expect } from 'chai';
import { disruptions } from './disruptions.js';

describe('what may repeat POSTs', () => {
  const [first, second, third] = [{}, {}, {}];
  const shared = () => {
    const noted = disruptions(() => 5);
    noted.joined(first, { deliveries: [0, 1], retries: [0, 1] });
    noted.joined(second, { deliveries: [2, 3], retries: [2, 3] });
    return noted;
  };

  it('is nothing while everybody keeps what it has', () => {
    const noted = shared();
    noted.joined(first, { deliveries: [0, 1], retries: [0, 1] });
    noted.joined(second, { deliveries: [2], retries: [2] });
    expect(noted.list()).to.deep.equal([]);
  });

  it('is one move for each that loses something, however many partitions and topics', () => {
    const noted = shared();
    noted.joined(third, { deliveries: [1, 2, 3], retries: [1, 2, 3] });
    expect(noted.list()).to.deep.equal([
      { at: 5, kind: 'move' },
      { at: 5, kind: 'move' },
    ]);
  });

  it('is a move to and one back, also for one that never saw that it had lost anything', () => {
    const noted = shared();
    noted.joined(second, { deliveries: [0, 1, 2, 3] });
    noted.joined(first, { deliveries: [0, 1] });
    expect(noted.list()).to.have.length(2);
  });

  it('is a death once, whoever takes over', () => {
    const noted = shared();
    noted.died(first);
    noted.joined(second, { deliveries: [0, 1, 2, 3] });
    expect(noted.list()).to.deep.equal([{ at: 5, kind: 'death' }]);
  });

  it('is nothing of what was before the load', () => {
    const noted = shared();
    noted.died(third);
    noted.begin();
    noted.joined(second, { deliveries: [0] });
    expect(noted.list()).to.deep.equal([{ at: 5, kind: 'move' }]);
  });
});
