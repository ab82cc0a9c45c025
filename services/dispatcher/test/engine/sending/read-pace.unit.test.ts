import { expect } from 'chai';
import { createReadPace } from '../../../src/engine/sending/read-pace.js';

/** A pace at time 0, and functions that read rows of 1,000 bytes and let time pass. */
function aWorld() {
  let time = 0;
  const pace = createReadPace(() => time);
  const read = (rows: number, endpointId = 'a') =>
    pace.add(new Map([[endpointId, Array<number>(rows).fill(1_000)]]));
  const pass = (ms: number) => {
    time += ms;
  };
  return { pace, read, pass };
}

describe('read pace', () => {
  it('assumes 16 rows of 256 KiB before the first read', () => {
    const { pace } = aWorld();
    expect(pace.ahead('a')).to.equal(16);
    expect(pace.bytesOf('a')).to.equal(256 * 1_024);
  });

  it('knows the largest row of the last read, for each endpoint', () => {
    const { pace } = aWorld();
    pace.add(new Map(Object.entries({ a: [10, 30, 20], b: [5] })));
    pace.add(new Map([['a', [25]]]));
    expect([pace.bytesOf('a'), pace.bytesOf('b')]).to.deep.equal([25, 5]);
  });

  it('expects as many rows within a second as were read at the recent pace', () => {
    const { pace, read, pass } = aWorld();
    read(10);
    pass(500);
    read(7);
    expect(pace.ahead('a')).to.equal(20);
    pass(1_000);
    read(1);
    expect(pace.ahead('a')).to.equal(7);
    expect(pace.ahead('b')).to.equal(16);
  });

  it('takes reads within 250 ms as one', () => {
    const { pace, read, pass } = aWorld();
    for (let count = 0; count < 5; count += 1) {
      read(4);
      pass(50);
    }
    expect(pace.ahead('a')).to.equal(16);
    read(4);
    expect(pace.ahead('a')).to.equal(80);
  });

  it('expects none of an endpoint that starts less than one in a second, and more once it is faster', () => {
    const { pace, read, pass } = aWorld();
    read(1);
    pass(2_000);
    read(1);
    expect(pace.ahead('a')).to.equal(0);
    pass(10);
    read(5);
    pass(240);
    read(1);
    expect(pace.ahead('a')).to.equal(24);
  });

  it('does not know the pace after ten seconds without a read', () => {
    const { pace, read, pass } = aWorld();
    read(10);
    pass(10_001);
    read(1);
    expect(pace.ahead('a')).to.equal(16);
  });
});
