import { expect } from 'chai';
import { createFailedLines } from '../../src/instrumentation/failed-lines.js';

describe('log lines of failed attempts', () => {
  const aSecond = (perSecond = 20) => {
    const time = { now: 0 };
    return { time, lines: createFailedLines({ perSecond, monotonicMs: () => time.now }) };
  };
  const taken = (lines: { take(endpointId: string): boolean }, endpointIds: readonly string[]) =>
    endpointIds.filter((endpointId) => lines.take(endpointId)).length;
  const endpoints = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`);

  it('are as many in a second as the limit says', () => {
    const { time, lines } = aSecond();
    expect(taken(lines, endpoints(50))).to.equal(20);
    time.now = 999;
    expect(taken(lines, endpoints(50))).to.equal(0);
    time.now = 1_000;
    expect(taken(lines, endpoints(50))).to.equal(20);
  });

  it('are a tenth of them for one endpoint', () => {
    const { lines } = aSecond();
    expect(taken(lines, Array(30).fill('busy'))).to.equal(2);
    expect(lines.take('other')).to.equal(true);
  });

  it('are one for an endpoint where the limit is low, and none where it is 0', () => {
    expect(taken(aSecond(3).lines, ['a', 'a', 'b', 'c', 'd'])).to.equal(3);
    expect(aSecond(0).lines.take('a')).to.equal(false);
  });

  it('are reported once a minute if some were left out', () => {
    const { time, lines } = aSecond(1);
    expect(lines.takeReport()).to.equal(null);
    taken(lines, endpoints(5));
    expect(lines.takeReport()).to.equal(4);
    taken(lines, endpoints(5));
    time.now = 59_999;
    expect(lines.takeReport()).to.equal(null);
    time.now = 60_000;
    expect(lines.takeReport()).to.equal(5);
    time.now = 200_000;
    expect(lines.takeReport()).to.equal(null);
  });
});
