import { expect } from 'chai';
import { inLanes } from './in-lanes.js';

const FAULTS = [
  { name: 'one' },
  { name: 'measured', healthy: ['/steady'] },
  { name: 'two' },
  { name: 'also measured', healthy: ['/steady'] },
  { name: 'three' },
];
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('faults in lanes', () => {
  it('run so many at a time; those that compare speeds alone, in the end', async () => {
    const beside: Record<string, number> = {};
    let running = 0;
    await inLanes(FAULTS, 2, async ({ name }) => {
      running += 1;
      await turn();
      beside[name] = running;
      await turn();
      running -= 1;
    });
    expect(Object.keys(beside)).to.deep.equal(['one', 'two', 'three', 'measured', 'also measured']);
    expect(beside).to.include({ one: 2, two: 2, measured: 1, 'also measured': 1 });
  });

  it('begin nothing any more after an error', async () => {
    const begun: string[] = [];
    const error = await inLanes(FAULTS, 1, async ({ name }) => {
      begun.push(name);
      if (name === 'two') throw new RangeError('the lane broke');
    }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RangeError);
    expect(begun).to.deep.equal(['one', 'two']);
  });
});
